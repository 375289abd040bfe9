package dispatchside_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
	"github.com/cabrank/cabrank/conformance/report"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/host"
)

// TestUnverifiedChecksNameTheirMissingAid checks that, in a run without aids, the unverified checks that name
// an aid are exactly those that need it.
func TestUnverifiedChecksNameTheirMissingAid(t *testing.T) {
	t.Parallel()
	ref, err := newReference(t.Context())
	require.NoError(t, err)
	bare := ref.target(4)
	bare.SetClock, bare.MoveClock = nil, nil
	bare.Advance, bare.Restart, bare.Disabled, bare.Blacklisted, bare.Agreed = nil, nil, "", "", nil
	rep := check(t, ref, bare)
	for _, c := range rep.Checks {
		for _, a := range dispatchside.Aids() {
			named := c.Outcome == conformance.NotVerified && c.Findings[0].Reason.Aid == a
			shows := a != conformance.AidAuth && slices.Contains(dispatchside.ChecksNeeding(a), c.ID)
			require.Equal(t, c.Outcome == conformance.NotVerified && shows, named, "%s: %+v", c.ID, c.Findings)
		}
	}
	for _, row := range []struct {
		aid conformance.Aid
		id  string
	}{
		{conformance.AidAdvance, "JRN-06"}, {conformance.AidRestart, "JRN-12"}, {conformance.AidFixtures, "USR-14"}, {conformance.AidAuth, "SEC-05"}, {conformance.AidClock, "ENR-32"},
	} {
		require.Contains(t, dispatchside.ChecksNeeding(row.aid), row.id)
	}
	require.Equal(t, conformance.NotVerified, outcomeOf(rep, "JRN-06"))
	require.Equal(t, conformance.NotVerified, outcomeOf(rep, "JRN-12"))
	require.Equal(t, conformance.NotVerified, outcomeOf(rep, "USR-14"))
	require.Equal(t, conformance.NotVerified, outcomeOf(rep, "ENR-07"))
	var out strings.Builder
	(&report.Terminal{W: &out, Verbose: true}).Report(rep)
	require.Contains(t, out.String(), "JRN-12, JRN-17: give --restart-cmd")
}

// TestErrorOfFailedAidIsQuoted checks that the error of an aid is quoted at the checks that it left untested,
// and that the run exits with ExitAid.
func TestErrorOfFailedAidIsQuoted(t *testing.T) {
	t.Parallel()
	target := dispatchside.Target{
		Seed:    3,
		Restart: func(context.Context) error { return errors.New("systemctl: exit status 5: no such unit") },
		Advance: func(context.Context, taxi.JourneyID, taxi.Status) error { return errors.New("503 Service Unavailable") },
	}
	report := check(t, dispatchsidetest.NewVendor(dispatchsidetest.None), target)
	for _, c := range report.Checks {
		switch c.ID {
		case "JRN-12":
			require.Equal(t, conformance.NotVerified, c.Outcome)
			require.Contains(t, c.Findings[0].Message, "exit status 5: no such unit")
		case "JRN-06", "JRN-13", "JRN-14":
			require.Equal(t, conformance.NotVerified, c.Outcome)
			require.Contains(t, c.Findings[0].Message, "503 Service Unavailable", c.ID)
		}
	}
	require.Len(t, report.DeadAids, 2)
	require.Equal(t, conformance.ExitAid, report.ExitCode(), "whoever gave an aid wants to know that it never worked")
}

// TestRateLimitedServerPasses checks that a server passes although it answers one call in five with 429 until
// the call is repeated.
func TestRateLimitedServerPasses(t *testing.T) {
	t.Parallel()
	v := dispatchsidetest.NewVendor(dispatchsidetest.None)
	var seen sync.Map
	var calls atomic.Int64
	report := check(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, again := seen.LoadOrStore(r.URL.Path+string(readAll(r)), true); calls.Add(1)%5 == 0 && !again {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		v.ServeHTTP(w, r)
	}), dispatchside.Target{Seed: 3})
	for _, c := range report.Checks {
		require.NotContains(t, []conformance.Outcome{conformance.Fail, conformance.Broken}, c.Outcome, "%s %s: %+v", c.ID, c.Operation, c.Findings)
	}
	require.Equal(t, conformance.ExitPass, report.ExitCode())
	require.Empty(t, report.Leftovers)
}

// TestClockChangeIsTestedInTheServersZone checks that pickups around a change of the clocks are booked in the
// server's zone, and what the finding says if the change is too far ahead or there is none.
func TestClockChangeIsTestedInTheServersZone(t *testing.T) {
	t.Parallel()
	sydney, err := time.LoadLocation("Australia/Sydney")
	require.NoError(t, err)
	brisbane, err := time.LoadLocation("Australia/Brisbane")
	require.NoError(t, err)
	winter := func() time.Time { return time.Date(2026, time.December, 24, 12, 0, 0, 0, time.UTC) }
	for _, row := range []struct {
		zone *time.Location
		want []string // pickups that there must be
		says string
	}{
		{nil, []string{"2027-03-28T00:30:00+00:00", "2027-03-28T02:30:00+01:00", "2027-10-31T01:30:00+01:00", "2027-10-31T01:30:00+00:00"}, "was refused as too far ahead: run again in the week before, from "},
		{sydney, []string{"2027-04-04T02:30:00+11:00", "2027-04-04T02:30:00+10:00", "2027-10-03T01:30:00+10:00", "2027-10-03T03:30:00+11:00"}, "was refused as too far ahead: run again in the week before, from "},
		{brisbane, nil, "the clocks of Australia/Brisbane do not change"},
	} {
		v := dispatchsidetest.NewVendor(dispatchsidetest.None)
		short := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if body := readAll(r); bytes.Contains(body, []byte(`"pickupTime":"2027-1`)) || bytes.Contains(body, []byte(`"pickupTime":"2027-0`)) {
				w.WriteHeader(http.StatusUnprocessableEntity)
				_, _ = w.Write([]byte(`{"error":"too far ahead"}`))
				return
			}
			v.ServeHTTP(w, r)
		})
		report := check(t, short, dispatchside.Target{Seed: 3, Now: winter, Zone: row.zone, Only: []string{"TIM-05"}})
		var asked strings.Builder
		for _, x := range report.Exchanges {
			asked.Write(x.Request.Body)
		}
		for _, at := range row.want {
			require.Contains(t, asked.String(), at)
		}
		for _, c := range report.Checks {
			if c.ID == "TIM-05" {
				require.Equal(t, conformance.NotVerified, c.Outcome)
				require.Contains(t, c.Findings[0].Message, row.says)
			}
		}
	}
}

// TestServerClockIsMovedForDistantPickups checks that TIM-05 and ENR-32 pass only with the clock aids: they
// move the server's clock near to the change of the clocks, and to a minute after a car has set off.
func TestServerClockIsMovedForDistantPickups(t *testing.T) {
	t.Parallel()
	c := host.Default()
	c.Speed, c.Cars, c.Centre = 0, 10, &leeds
	winter := func() time.Time {
		return time.Date(2026, time.December, 24, 12, 0, 0, 0, time.UTC).Add(time.Since(began))
	}
	h, err := host.Open(t.Context(), c, host.Deps{Now: winter})
	require.NoError(t, err)
	ref := &reference{h}
	target := dispatchside.Target{Seed: 1, Now: winter, Only: []string{"TIM-05", "ENR-32"}, Advance: ref.advance}
	report := check(t, h, target)
	require.Equal(t, conformance.NotVerified, outcomeOf(report, "TIM-05"))
	require.Equal(t, conformance.NotVerified, outcomeOf(report, "ENR-32"))
	target.SetClock, target.MoveClock = ref.setClock, ref.moveClock
	report = check(t, h, target)
	require.Equal(t, conformance.Pass, outcomeOf(report, "TIM-05"))
	require.Equal(t, conformance.Pass, outcomeOf(report, "ENR-32"))
	require.Empty(t, report.Leftovers)
}
