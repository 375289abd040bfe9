package dispatchside_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
	"github.com/cabrank/cabrank/conformance/matrix"
)

// forgetful forgets the journeys of a user who was looked up twenty times.
type forgetful struct {
	http.Handler
	mu    sync.Mutex
	looks map[string]int // by userId
}

func (f *forgetful) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	var sent, told struct{ UserID string }
	_ = json.Unmarshal(body, &sent)
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.URL.Path == "/status" && f.looks[sent.UserID] >= 20 {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"error":"no such journey"}`)
		return
	}
	rec := httptest.NewRecorder()
	f.Handler.ServeHTTP(rec, r)
	_ = json.Unmarshal(rec.Body.Bytes(), &told)
	if r.URL.Path == "/user" {
		f.looks[told.UserID]++
	}
	w.Header().Set("Content-Type", rec.Header().Get("Content-Type"))
	w.WriteHeader(rec.Code)
	_, _ = w.Write(rec.Body.Bytes())
}

// TestFewCallsSayLittle repeats calls of which the only /status is refused: that the
// operation is there was seen in the run that they are from.
func TestFewCallsSayLittle(t *testing.T) {
	oneAfterAnother(t)
	t.Parallel()
	server := httptest.NewServer(&forgetful{Handler: dispatchsidetest.NewVendor(dispatchsidetest.None), looks: map[string]int{}})
	t.Cleanup(server.Close)
	target := dispatchside.Target{URL: server.URL, Now: time.Now, Seed: 1, Width: 1}
	rep, err := dispatchside.Run(t.Context(), target)
	require.NoError(t, err)
	require.Equal(t, conformance.Fail, outcomeOf(rep, "STA-01"))
	target.Nonce = 2
	again, err := dispatchside.Repeat(t.Context(), target, conformance.NewRunFile(rep, ""), "STA-01")
	require.NoError(t, err)
	require.Equal(t, conformance.Fail, outcomeOf(again, "STA-01"))
	require.NotContains(t, having(again, conformance.Fail), "W-01")
}

// TestWhatAnAidHasShownIsRepeated repeats failures with the aid that showed them, and says which
// aid is missing otherwise.
func TestWhatAnAidHasShownIsRepeated(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		mutant, id string
		without    func(*dispatchside.Target)
		missing    conformance.Aid
		is         conformance.Outcome
	}{
		{"a parked car", "ENR-16", func(t *dispatchside.Target) { t.Advance = nil }, conformance.AidAdvance, conformance.Fail},
		{"a car that stands while it is en route", "ENR-32", func(t *dispatchside.Target) { t.MoveClock = nil }, conformance.AidClock, conformance.Warn},
		{"everybody is ENABLED", "USR-14", func(t *dispatchside.Target) { t.Blacklisted = "" }, conformance.AidFixtures, conformance.Fail},
	} {
		t.Run(row.id, func(t *testing.T) {
			t.Parallel()
			faulty := func() (http.Handler, dispatchside.Target) {
				ref, err := newReference(t.Context())
				require.NoError(t, err)
				at := slices.IndexFunc(wrongServers(), func(m matrix.Mutant) bool { return m.Name == row.mutant })
				require.GreaterOrEqual(t, at, 0)
				target := ref.target(5)
				target.Restart = nil
				return wrongServers()[at].Wrap(ref), target
			}
			handler, target := faulty()
			target.Only = []string{row.id}
			earlier := conformance.NewRunFile(check(t, handler, target), "")
			require.Equal(t, row.is, outcomeOf(&earlier.Report, row.id))

			handler, target = faulty() // whose clock has not moved
			server := httptest.NewServer(handler)
			t.Cleanup(server.Close)
			target.URL = server.URL
			again, err := dispatchside.Repeat(t.Context(), target, earlier, row.id)
			require.NoError(t, err)
			require.Equal(t, row.is, outcomeOf(again, row.id))
			row.without(&target)
			_, err = dispatchside.Repeat(t.Context(), target, earlier, row.id)
			var missing *dispatchside.MissingAidError
			require.ErrorAs(t, err, &missing)
			require.Equal(t, row.missing, missing.Aid)
		})
	}
}

// TestNothingIsLeftOfARepetitionThatEndsEarly has an aid fail, and the run stopped, after a booking.
func TestNothingIsLeftOfARepetitionThatEndsEarly(t *testing.T) {
	t.Parallel()
	earlier := conformance.NewRunFile(onReference(t, func(target *dispatchside.Target, _ context.CancelFunc) {
		target.Only = []string{"JRN-18"}
	}, dispatchside.Run), "")
	require.Equal(t, conformance.Pass, outcomeOf(&earlier.Report, "JRN-18"))
	again := func(ctx context.Context, target dispatchside.Target) (*conformance.Report, error) {
		return dispatchside.Repeat(ctx, target, earlier, "JRN-18")
	}

	failed := onReference(t, func(target *dispatchside.Target, _ context.CancelFunc) {
		target.SetClock = func(context.Context, time.Time) error { return errors.New("no such clock") }
	}, func(ctx context.Context, target dispatchside.Target) (*conformance.Report, error) {
		rep, err := again(ctx, target)
		require.ErrorContains(t, err, "the clock aid failed: no such clock")
		return rep, nil
	})
	stopped := onReference(t, func(target *dispatchside.Target, stop context.CancelFunc) {
		target.SetClock = func(context.Context, time.Time) error { stop(); return nil }
	}, again)
	require.True(t, stopped.Interrupted)
	require.False(t, failed.Interrupted)
	for _, rep := range []*conformance.Report{failed, stopped} {
		require.Empty(t, rep.Leftovers)
		require.True(t, slices.ContainsFunc(rep.Exchanges, func(x *conformance.Exchange) bool {
			return x.Intent == conformance.IntentCleanUp && x.Operation == "cancel" && x.Succeeded()
		}), "the journey that was booked before is cancelled")
	}
}

// TestTheClockIsMovedLast repeats what moves the server's clock after all that does not.
func TestTheClockIsMovedLast(t *testing.T) {
	t.Parallel()
	earlier := conformance.NewRunFile(onReference(t, func(target *dispatchside.Target, _ context.CancelFunc) {
		target.Only = []string{"JRN-18", "ENR-16", "CAN-01", "BOK-16"}
	}, dispatchside.Run), "")
	require.Equal(t, []string{"NO-1", "CAN-01", "BOK-16", "ENR-16", "JRN-18"},
		dispatchside.RepeatOrder(earlier, []string{"JRN-18", "ENR-16", "NO-1", "CAN-01", "BOK-16"}))
}

// onReference has something run against a reference of its own, to which prepare makes a change.
func onReference(t *testing.T, prepare func(*dispatchside.Target, context.CancelFunc), do func(context.Context, dispatchside.Target) (*conformance.Report, error)) *conformance.Report {
	t.Helper()
	ref, err := newReference(t.Context())
	require.NoError(t, err)
	server := httptest.NewServer(ref)
	t.Cleanup(server.Close)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	target := ref.target(5)
	target.URL = server.URL
	prepare(&target, stop)
	rep, err := do(ctx, target)
	require.NoError(t, err)
	return rep
}
