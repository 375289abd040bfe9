package dispatchside_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/report"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// withoutCancel returns a vendor's server that answers /cancel with an error.
func withoutCancel(t *testing.T) *spy {
	t.Helper()
	return &spy{alive: map[string]bool{}, at: -1, Handler: except("/cancel", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":"not yet"}`, http.StatusInternalServerError)
	})}
}

// reasonsOf counts the checks that were not verified by the kind of their reason.
func reasonsOf(rep *conformance.Report) map[conformance.ReasonKind]int {
	kinds := map[conformance.ReasonKind]int{}
	for _, c := range rep.Checks {
		if c.Outcome == conformance.NotVerified && len(c.Findings) > 0 && c.Findings[0].Reason != nil {
			kinds[c.Findings[0].Reason.Kind]++
		}
	}
	return kinds
}

// TestBookingStopsWhenCancelFails checks that a run makes no more bookings once it has found that
// /cancel fails, unless it is told to keep going.
func TestBookingStopsWhenCancelFails(t *testing.T) {
	oneAfterAnother(t)
	t.Parallel()
	s := withoutCancel(t)
	rep := check(t, s, dispatchside.Target{Seed: 2})
	require.LessOrEqual(t, len(s.alive), 3)
	require.NotEmpty(t, rep.Leftovers)
	require.Equal(t, conformance.ExitFail, rep.ExitCode())
	require.Equal(t, conformance.Fail, outcomeOf(rep, "CAN-01"))
	require.Greater(t, reasonsOf(rep)[conformance.CannotCancel], 50)
	require.Zero(t, rep.Summary.Error)

	s = withoutCancel(t)
	check(t, s, dispatchside.Target{Seed: 2, KeepGoing: true})
	require.Greater(t, len(s.alive), 100)
}

// TestRefusalAnswered200IsNoBooking checks that a run goes on after a booking that was refused with 200 and
// {"success":false}: since /user does not list a journey, none was made.
func TestRefusalAnswered200IsNoBooking(t *testing.T) {
	oneAfterAnother(t)
	t.Parallel()
	h := dispatchsidetest.NewVendor(dispatchsidetest.None)
	rep := check(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/book" && bytes.Contains(readAll(r), []byte(`"phoneNumber":"+`)) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"success":false,"message":"no plus sign, please"}`)
			return
		}
		h.ServeHTTP(w, r)
	}), dispatchside.Target{Seed: 2})
	require.Equal(t, conformance.Fail, outcomeOf(rep, "BOK-34"))
	require.Zero(t, reasonsOf(rep)[conformance.CannotCancel])
	require.Empty(t, rep.Leftovers)
}

// TestRefusedMethodsDoNotAffectOtherCalls checks that no call follows one with another method on the same
// connection: a server may leave the body of the refused call unread and take it for the beginning of the
// next.
func TestRefusedMethodsDoNotAffectOtherCalls(t *testing.T) {
	t.Parallel()
	h := dispatchsidetest.NewVendor(dispatchsidetest.None)
	var mu sync.Mutex
	spoilt := map[string]bool{}
	var harmed []string
	rep := check(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		bad := spoilt[r.RemoteAddr]
		spoilt[r.RemoteAddr] = bad || r.Method != http.MethodPost
		if bad {
			harmed = append(harmed, r.Method+" "+r.URL.Path)
		}
		mu.Unlock()
		if bad {
			http.Error(w, "Bad request syntax", http.StatusBadRequest)
			return
		}
		h.ServeHTTP(w, r)
	}), dispatchside.Target{Seed: 2, Only: []string{"W-07", "W-08"}})
	require.Empty(t, harmed)
	require.Zero(t, rep.Summary.Fail)
}

// TestNoMoreIsBookedThanAllowed checks that a run that may make twenty bookings makes no more, and that the
// checks left over are not verified.
func TestNoMoreIsBookedThanAllowed(t *testing.T) {
	t.Parallel()
	booked := 0
	var mu sync.Mutex
	h := dispatchsidetest.NewVendor(dispatchsidetest.None)
	rep := check(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/book" && r.Method == http.MethodPost {
			mu.Lock()
			booked++
			mu.Unlock()
		}
		h.ServeHTTP(w, r)
	}), dispatchside.Target{Seed: 2, MaxBookings: 20})
	require.Equal(t, 20, booked)
	require.Positive(t, reasonsOf(rep)[conformance.MostMade])
	require.Equal(t, conformance.ExitUnreachable, rep.ExitCode(), rep.Verdict())
	require.Zero(t, rep.Summary.Fail+rep.Summary.Error)
	require.Empty(t, rep.Leftovers)
	require.Contains(t, rep.Preflight[len(rep.Preflight)-1].Detail, "at most 20 bookings")
}

// clock is a time that passes only while somebody waits.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Pause moves the clock on in place of waiting. It returns false if the run was stopped.
func (c *clock) Pause(ctx context.Context, d time.Duration) bool {
	c.pass(max(d, 0))
	return ctx.Err() == nil
}

// gateway lets so many calls a second through, and answers the others 429 without
// saying for how long to wait.
type gateway struct {
	http.Handler
	*clock
	perSecond int

	mu            sync.Mutex
	second        time.Time
	served        int // in this second
	refused, made int
}

func (g *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	now := g.Now()
	if now.Sub(g.second) >= time.Second {
		g.second, g.served = now, 0
	}
	g.made++
	if g.served++; g.served > g.perSecond {
		g.refused++
		g.mu.Unlock()
		w.WriteHeader(http.StatusTooManyRequests)
		return
	}
	g.mu.Unlock()
	w.Header().Set("Date", now.UTC().Format(http.TimeFormat))
	g.Handler.ServeHTTP(w, r)
}

// TestRunAdaptsToARateLimit checks that a run adapts to a gateway that allows twenty calls a second: less than
// a tenth of its calls are refused, and it does not become much slower than allowed.
func TestRunAdaptsToARateLimit(t *testing.T) {
	t.Parallel()
	g := &gateway{Handler: dispatchsidetest.NewVendor(dispatchsidetest.None), clock: &clock{now: time.Now()}, perSecond: 20}
	began := g.Now()
	rep := check(t, g, dispatchside.Target{Seed: 1, Now: g.Now, Pause: g.Pause, Width: 1, Timeout: time.Minute})
	require.Less(t, float64(g.refused), 0.1*float64(g.made), "of %d calls", g.made)
	require.Empty(t, rep.Leftovers)
	require.Zero(t, reasonsOf(rep)[conformance.RateLimited])
	for _, c := range rep.Checks {
		if c.Outcome == conformance.Fail {
			require.Equal(t, "STA-13", c.ID, "%s: %+v", c.Operation, c.Findings) // it does not say for how long
		}
	}
	took := g.Now().Sub(began)
	require.Less(t, took, 5*time.Duration(g.made)*time.Second/20, "it goes as fast as it may, about")
	t.Logf("%d of %d calls were refused, in %s", g.refused, g.made, took)
}

// TestRunMakesCallsAtItsRate checks that a run with a rate of ten calls a second makes ten calls a second.
func TestRunMakesCallsAtItsRate(t *testing.T) {
	t.Parallel()
	c := &clock{now: time.Now()}
	began := c.Now()
	rep := check(t, dispatchsidetest.NewVendor(dispatchsidetest.None), dispatchside.Target{Seed: 1, Now: c.Now, Pause: c.Pause, Width: 1, Rate: 10, Only: []string{"CAN-01"}})
	calls := time.Duration(len(rep.Exchanges))
	require.InDelta(t, float64(calls*time.Second/10), float64(c.Now().Sub(began)), float64(time.Second))
}

// TestOperationThatKeepsAnswering429IsGivenUp checks that a run gives up an operation that is always answered
// 429 after a few calls, and that its checks are not verified.
func TestOperationThatKeepsAnswering429IsGivenUp(t *testing.T) {
	t.Parallel()
	c, refused := &clock{now: time.Now()}, 0
	rep := check(t, except("/book", func(w http.ResponseWriter, _ *http.Request) {
		refused++
		w.WriteHeader(http.StatusTooManyRequests)
	}), dispatchside.Target{Seed: 1, Now: c.Now, Pause: c.Pause, Width: 1})
	require.LessOrEqual(t, refused, 12)
	require.Positive(t, reasonsOf(rep)[conformance.RateLimited])
	require.Zero(t, rep.Summary.Error)
	require.Subset(t, []string{"TIM-04"}, having(rep, conformance.Fail), "its clock is not that of the run")
	format := conformance.WorstOf(rep.Checks, "W-01", rules.OpBook)
	require.Equal(t, conformance.NotVerified, format.Outcome)
	require.Contains(t, format.Findings[0].Message, "429")
	require.Equal(t, conformance.ExitFail, rep.ExitCode())
}

// ofCustomers returns a vendor's server that serves only the users with these numbers.
func ofCustomers(t *testing.T, numbers ...string) *spy {
	t.Helper()
	sound := dispatchsidetest.NewVendor(dispatchsidetest.None)
	ask := func(op string, body map[string]any) (reply map[string]any) {
		text, err := json.Marshal(body)
		require.NoError(t, err)
		req, rec := httptest.NewRequest(http.MethodPost, "/"+op, bytes.NewReader(text)), httptest.NewRecorder()
		req.Header.Set("Content-Type", "application/json")
		sound.ServeHTTP(rec, req)
		require.Equal(t, http.StatusOK, rec.Code, rec.Body)
		require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &reply))
		return reply
	}
	for _, number := range numbers { // it knows whoever has booked
		place := map[string]any{"address": "1 Mill Lane", "location": map[string]any{"longitude": -1.5, "latitude": 53.8}}
		made := ask("book", map[string]any{
			"name": "Ann", "phoneNumber": number, "pickup": place, "dropoffs": []any{place}, "pickupTime": time.Now().Add(24 * time.Hour).Format(time.RFC3339),
		})
		ask("cancel", map[string]any{"userId": ask("user", map[string]any{"phoneNumber": number})["userId"], "journeyId": made["journeyId"]})
	}
	return &spy{alive: map[string]bool{}, at: -1, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := readAll(r)
		var asked struct{ PhoneNumber string }
		if json.Unmarshal(body, &asked) == nil && asked.PhoneNumber != "" && (r.URL.Path == "/user" || r.URL.Path == "/book") &&
			!slices.Contains(numbers, strings.TrimPrefix(asked.PhoneNumber, "+")) {
			http.Error(w, `{"error":"no such customer"}`, http.StatusNotFound)
			return
		}
		sound.ServeHTTP(w, r)
	})}
}

// TestCustomersOnlyServerNeedsTheirNumbers checks that a server that serves its own customers only passes if the
// run has their numbers. Without them the run asks for numbers, and no check fails.
func TestCustomersOnlyServerNeedsTheirNumbers(t *testing.T) {
	oneAfterAnother(t)
	t.Parallel()
	for _, row := range []struct {
		phones []taxi.E164
		exit   int
		says   string
	}{
		{nil, conformance.ExitUnreachable, "--phone"},
		{[]taxi.E164{"442079460001", "442079460002"}, conformance.ExitPass, "every MUST"},
	} {
		s := ofCustomers(t, "442079460001", "442079460002")
		server := httptest.NewServer(s)
		t.Cleanup(server.Close)
		rep, err := dispatchside.Run(t.Context(), dispatchside.Target{URL: server.URL, Now: time.Now, Seed: 1, Phones: row.phones})
		require.NoError(t, err)
		require.Empty(t, s.alive, "journeys left")
		var out strings.Builder
		(&report.Terminal{W: &out, Quiet: true}).Report(rep)
		require.Contains(t, out.String(), row.says)
		require.Equal(t, row.exit, rep.ExitCode(), rep.Verdict())
		require.Empty(t, having(rep, conformance.Fail), out.String())
		for _, id := range []string{"USR-15", "USR-16", "JRN-05"} {
			require.Equal(t, row.phones != nil || id != "USR-15", slices.Contains(having(rep, conformance.NotVerified), id), id)
		}
	}
}
