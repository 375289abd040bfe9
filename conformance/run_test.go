package conformance_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
)

func TestTheReferenceIsGreen(t *testing.T) {
	t.Parallel()
	ref := newReference(t)
	report := check(t, ref, func(target *conformance.Target) { target.Advance = ref.advance })
	var out strings.Builder
	term := conformance.Terminal{W: &out, Quiet: true}
	for _, c := range report.Checks {
		term.Check(c)
	}
	term.Summary(report)
	require.Zero(t, report.Summary.Fail+report.Summary.Warn+report.Summary.Error, out.String())
	require.Equal(t, conformance.ExitPass, report.ExitCode())
	require.Empty(t, report.Leftovers)
	require.Contains(t, out.String(), "every MUST")
}

// TestNoFalseAlarmByChance runs the suite with other names, numbers, places and
// times against one server that remembers the runs before.
func TestNoFalseAlarmByChance(t *testing.T) {
	t.Parallel()
	ref := newReference(t)
	for seed := range uint64(5) {
		report := check(t, ref, func(target *conformance.Target) { target.Seed = 100 + seed })
		requireSpared(t, report)
	}
}

func TestARunThatIsStoppedCleansUp(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	v := newVendor()
	booked := 0
	var mu sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		if booked++; booked == 60 {
			stop()
		}
		mu.Unlock()
		v.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	report, err := conformance.Run(ctx, conformance.Target{URL: server.URL, Now: time.Now, Seed: 9})
	require.NoError(t, err)
	v.mu.Lock()
	defer v.mu.Unlock()
	require.NotEmpty(t, v.rides)
	for id, ride := range v.rides {
		left := slices.ContainsFunc(report.Leftovers, func(l conformance.Leftover) bool { return l.JourneyID == id })
		// A call that was cut off may have booked without the run hearing of it.
		heard := slices.ContainsFunc(report.Exchanges, func(x *conformance.Exchange) bool {
			return x.Response != nil && x.Operation == conformance.OpBook && strings.Contains(string(x.Response.Body), `"`+id+`"`)
		})
		require.True(t, ride.status == "CANCELLED" || left || !heard, "journey %s is still %s", id, ride.status)
	}
	require.Zero(t, report.Summary.Error)
}

func TestALiveSystemHasToBeMeant(t *testing.T) {
	t.Parallel()
	_, err := conformance.Run(t.Context(), conformance.Target{URL: "http://192.0.2.1/taxi", Now: time.Now})
	require.ErrorIs(t, err, conformance.ErrHost)
	for _, url := range []string{"", "ftp://localhost", "localhost:8080", "http://user:pass@localhost/"} {
		_, err := conformance.Run(t.Context(), conformance.Target{URL: url, Now: time.Now})
		require.Error(t, err, url)
	}
}

func TestNothingThere(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	_, err := conformance.Run(t.Context(), conformance.Target{URL: server.URL, Now: time.Now})
	var u *conformance.Unreachable
	require.ErrorAs(t, err, &u)
	require.Contains(t, err.Error(), "start the server")
}

func TestReportsShowNoPhoneNumber(t *testing.T) {
	t.Parallel()
	rude := under(newVendor(), after(func(c *call) {
		if c.op == "status" {
			c.answer(http.StatusBadRequest, object{"error": "no", "phoneNumber": "+447700900123"})
		}
		if c.op == "user" && c.ok() {
			c.reply["userId"] = 7
		}
	}))
	report := check(t, rude, nil)
	var out strings.Builder
	require.NoError(t, report.WriteJSON(&out))
	require.NotContains(t, out.String(), "447700900123")
	for _, x := range report.Exchanges {
		var sent struct{ PhoneNumber string }
		if json.Unmarshal(x.Request.Body, &sent) == nil && len(sent.PhoneNumber) == 12 {
			require.NotContains(t, out.String(), sent.PhoneNumber)
		}
	}
	var shape struct {
		Checks []struct {
			ID, Level, Operation, Outcome string
			Findings                      []struct {
				Message   string
				Exchanges []int
			}
		}
		Summary struct{ Fail, ExitCode int }
	}
	require.NoError(t, json.Unmarshal([]byte(out.String()), &shape))
	require.Len(t, shape.Checks, len(report.Checks))
	require.Equal(t, conformance.ExitFail, shape.Summary.ExitCode)
}

// TestTheSameTrafficGivesTheSameVerdicts judges a recorded run again, as traffic
// of somebody else.
func TestTheSameTrafficGivesTheSameVerdicts(t *testing.T) {
	t.Parallel()
	ref := newReference(t)
	report := check(t, ref, func(target *conformance.Target) { target.Advance = ref.advance })
	var history []conformance.Exchange
	for _, x := range report.Exchanges {
		history = append(history, *x)
	}
	again := conformance.Judge(history)
	for i, r := range report.Checks {
		require.Equal(t, r.Outcome, again[i].Outcome, "%s %s", r.ID, r.Operation)
	}
	for i := range history {
		history[i].Probe, history[i].Intent, history[i].Sound = "", "", false
	}
	for _, r := range conformance.Judge(history) {
		require.NotEqual(t, conformance.Fail, r.Outcome, "%s %s: %+v", r.ID, r.Operation, r.Findings)
	}
}

func TestTheCatalogueIsWhole(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, c := range conformance.Catalogue() {
		require.False(t, seen[c.ID], c.ID)
		seen[c.ID] = true
		require.Regexp(t, `^[A-Z]{1,3}-\d\d$`, c.ID)
		require.NotEmpty(t, c.Operations, c.ID)
		for _, text := range []string{string(c.Level), string(c.Tier), c.Clause, c.Requirement, c.Why, c.Hint} {
			require.NotEmpty(t, text, c.ID)
		}
		found, ok := conformance.Lookup(strings.ToLower(c.ID))
		require.True(t, ok)
		require.Equal(t, c, found)
	}
	_, ok := conformance.Lookup("XXX-01")
	require.False(t, ok)
}
