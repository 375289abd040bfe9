package dispatchside_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	harm "github.com/cabrank/cabrank/conformance/hostile"
	"github.com/cabrank/cabrank/conformance/report"
)

// slow returns a server whose answers take some time on a clock of their own.
func slow(h http.Handler, c *clock, took time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.pass(took)
		w.Header().Set("Date", c.Now().UTC().Format(http.TimeFormat))
		h.ServeHTTP(w, r)
	})
}

// TestSlowServerIsJudgedWithinTheTimeLimit checks that a run against a slow server ends within its time limit, cancels
// its bookings and leaves out no MUST. A call takes 375 ms, one call at a time: that stands for eight calls at
// a time of three seconds each.
func TestSlowServerIsJudgedWithinTheTimeLimit(t *testing.T) {
	t.Parallel()
	c := &clock{now: time.Now()}
	s := &spy{Handler: dispatchsidetest.NewVendor(dispatchsidetest.None), alive: map[string]bool{}, at: -1}
	began := c.Now()
	var told []conformance.Progress
	rep := check(t, slow(s, c, 375*time.Millisecond), dispatchside.Target{
		Seed: 1, Now: c.Now, Pause: c.Pause, Width: 1, Timeout: time.Minute, MaxTime: 5 * time.Minute,
		Progress: func(p conformance.Progress) { told = append(told, p) },
	})
	require.LessOrEqual(t, c.Now().Sub(began), 5*time.Minute)
	require.Empty(t, s.alive)
	require.Empty(t, rep.Leftovers)
	require.Zero(t, rep.Summary.Error)
	require.Positive(t, reasonsOf(rep)[conformance.OutOfTime])
	require.Equal(t, conformance.NotVerified, outcomeOf(rep, "TIM-03"))
	for _, res := range rep.Checks {
		why := conformance.Reason{}
		if len(res.Findings) > 0 && res.Findings[0].Reason != nil {
			why = *res.Findings[0].Reason
		}
		require.False(t, res.Level == conformance.Must && why.Kind == conformance.OutOfTime, "%s: the MUSTs come first", res.ID)
	}
	plan := rep.Preflight[len(rep.Preflight)-1].Detail
	require.Regexp(t, `at 400ms an answer: about \d+m\d+s; the limit is 5m0s`, plan)
	require.Positive(t, told[1].Left)
	require.LessOrEqual(t, told[1].Left, 5*time.Minute)
	t.Logf("%s, %d executed, %d not verified; %s", c.Now().Sub(began), rep.Summary.Executed, rep.Summary.NotVerified, plan)
}

// TestSlowConfigFailsDespiteTheTimeLimit checks that a slow /config fails CFG-10 although the run has no time to measure
// it: the calls that were made show it. The terminal names what was not tested.
func TestSlowConfigFailsDespiteTheTimeLimit(t *testing.T) {
	t.Parallel()
	c := &clock{now: time.Now()}
	h := dispatchsidetest.NewVendor(dispatchsidetest.None)
	crawling := slow(h, c, 1500*time.Millisecond)
	rep := check(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/config" {
			crawling.ServeHTTP(w, r)
			return
		}
		slow(h, c, 5*time.Millisecond).ServeHTTP(w, r)
	}), dispatchside.Target{Seed: 1, Now: c.Now, Pause: c.Pause, Width: 1, Timeout: time.Minute, MaxTime: time.Minute})
	require.Equal(t, conformance.Fail, outcomeOf(rep, "CFG-10"))
	require.Equal(t, conformance.NotVerified, outcomeOf(rep, "TIM-03"))
	var out strings.Builder
	(&report.Terminal{W: &out}).Report(rep)
	require.Regexp(t, `not tested .* more: the run reached its time limit`, out.String())
}

// TestTimeLimitHoldsAtASlowRate checks that a run ends at its time limit if its rate allows the second call only after that.
func TestTimeLimitHoldsAtASlowRate(t *testing.T) {
	t.Parallel()
	c := &clock{now: time.Now()}
	began := c.Now()
	rep := check(t, dispatchsidetest.NewVendor(dispatchsidetest.None), dispatchside.Target{
		Seed: 1, Now: c.Now, Pause: c.Pause, Rate: 0.01, MaxTime: 3 * time.Second, Only: []string{"BOK-01"},
	})
	require.LessOrEqual(t, c.Now().Sub(began), 3*time.Second)
	require.Equal(t, conformance.ExitUnreachable, rep.ExitCode(), rep.Verdict())
	require.Contains(t, rep.Verdict(), "time limit")
}

// TestRunAtItsLimitsCancelsItsBookings checks that a run that reaches its limit of time or of bookings cancels whatever it
// booked, also with a server whose answers are too long to be read whole.
func TestRunAtItsLimitsCancelsItsBookings(t *testing.T) {
	oneAfterAnother(t)
	t.Parallel()
	for _, row := range []struct {
		time     time.Duration
		bookings int
		harm     string // what each answer does besides
	}{
		{10 * time.Second, 0, ""},
		{10 * time.Second, 0, "a long text"},
		{10 * time.Second, 3, ""},
		{0, 4, "many members"},
	} {
		name := fmt.Sprint(row)
		c := &clock{now: time.Now()}
		s := &spy{Handler: dispatchsidetest.NewVendor(dispatchsidetest.None), alive: map[string]bool{}, at: -1}
		booked := 0
		var h http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/book" {
				booked++
			}
			s.ServeHTTP(w, r)
		})
		if row.harm != "" {
			h = harm.Servers(h, 300<<10)[row.harm]
		}
		rep := check(t, slow(h, c, 200*time.Millisecond), dispatchside.Target{
			Seed: 1, Now: c.Now, Pause: c.Pause, Width: 1, Timeout: time.Minute, MaxTime: row.time, MaxBookings: row.bookings, Only: []string{"BOK-01", "CAN-01", "EDT-01", "STA-01"},
		})
		require.Positive(t, booked, name)
		require.Empty(t, s.alive, name)
		require.Empty(t, rep.Leftovers, name)
		require.Zero(t, rep.Summary.Error, name)
		if row.bookings > 0 {
			require.LessOrEqual(t, booked, row.bookings, name)
		}
	}
}

// TestTimeLimitLeavesOutNothingIfFast checks that a time limit leaves out no check of a fast server.
func TestTimeLimitLeavesOutNothingIfFast(t *testing.T) {
	t.Parallel()
	rep := check(t, dispatchsidetest.NewVendor(dispatchsidetest.None), dispatchside.Target{Seed: 1, MaxTime: 5 * time.Minute})
	require.Zero(t, reasonsOf(rep)[conformance.OutOfTime])
	require.NotContains(t, rep.Preflight[len(rep.Preflight)-1].Detail, "an answer")
}

// TestRunWaitsForAServerToStart checks that a run with a waiting time waits while a gateway answers 502,
// and gives up after that time.
func TestRunWaitsForAServerToStart(t *testing.T) {
	t.Parallel()
	h := dispatchsidetest.NewVendor(dispatchsidetest.None)
	c := &clock{now: time.Now()}
	var up atomic.Pointer[time.Time]
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c.Now().Before(*up.Load()) {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	up.Store(new(c.Now().Add(2 * time.Second)))
	var told []string
	target := dispatchside.Target{URL: server.URL, Seed: 1, Now: c.Now, Pause: c.Pause, Only: []string{"CFG-01"}, Preflight: func(s conformance.Step) { told = append(told, s.Name) }}
	_, err := dispatchside.Run(t.Context(), target)
	require.ErrorContains(t, err, "502")
	target.Wait, told = time.Minute, nil
	rep, err := dispatchside.Run(t.Context(), target)
	require.NoError(t, err)
	require.Equal(t, conformance.Pass, outcomeOf(rep, "CFG-01"))
	require.NotEqual(t, conformance.Fail, outcomeOf(rep, "W-01"))
	require.Equal(t, 1, strings.Count(strings.Join(told, " "), "HTTP"), told)
	require.Equal(t, rules.OpConfig, rep.Exchanges[0].Operation)

	up.Store(new(c.Now().Add(time.Hour)))
	began := c.Now()
	_, err = dispatchside.Reach(t.Context(), target)
	require.ErrorContains(t, err, "502")
	require.InDelta(t, float64(time.Minute), float64(c.Now().Sub(began)), float64(2*time.Second))
}
