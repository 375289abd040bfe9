package dispatchside_test

import (
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

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/ledger"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
	"github.com/cabrank/cabrank/conformance/journal"
	"github.com/cabrank/cabrank/conformance/matrix"
)

// forgetful forgets the journeys of a user who was looked up twenty times.
type forgetful struct {
	http.Handler
	mu    sync.Mutex
	looks map[string]int // by userId
}

func (f *forgetful) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body := readAll(r)
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

// TestRepeatDoesNotReportOperationsAsMissing repeats calls whose only /status is refused, and checks that W-01
// does not fail: the earlier run has shown that the operation exists.
func TestRepeatDoesNotReportOperationsAsMissing(t *testing.T) {
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

// TestAFailureCanBeRepeated checks that the probe of a failure can be repeated: it fails on the same server
// and passes on one that was corrected, with the aid that it needs, if any; without that aid the error names
// it. WHOLE=1 tries every row, as the gate does; otherwise those without an aid are a sample.
func TestAFailureCanBeRepeated(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		mutant, id string
		without    func(*dispatchside.Target) // nil: it takes no aid
		missing    conformance.Aid
		is         conformance.Outcome
	}{
		{"CANCELED", "CAN-01", nil, "", conformance.Fail},
		{"edited pickup not applied", "BOK-16", nil, "", conformance.Fail},
		{"credentials on /book only", "SEC-05", nil, "", conformance.Fail}, // which counts only with the control after it
		{"a parked car", "ENR-16", func(t *dispatchside.Target) { t.Advance = nil }, conformance.AidAdvance, conformance.Fail},
		{"a car that stands while it is en route", "ENR-32", func(t *dispatchside.Target) { t.MoveClock = nil }, conformance.AidClock, conformance.Warn},
		{"everybody is ENABLED", "USR-14", func(t *dispatchside.Target) { t.Blacklisted = "" }, conformance.AidFixtures, conformance.Fail},
	} {
		if row.without == nil && !whole() && !matrix.InSample(row.id, 5) {
			continue
		}
		t.Run(row.id, func(t *testing.T) {
			t.Parallel()
			served := func(faulty bool) (http.Handler, dispatchside.Target) { // by a clock that has not moved
				ref, err := newReference(t.Context())
				require.NoError(t, err)
				target := ref.target(5)
				if target.Restart = nil; row.without != nil {
					target.Only = []string{row.id}
				}
				if faulty {
					return matrix.Named(wrongServers(), row.mutant).Wrap(ref), target
				}
				return ref, target
			}
			handler, target := served(true)
			earlier := conformance.NewRunFile(check(t, handler, target), "")
			require.Equal(t, row.is, outcomeOf(&earlier.Report, row.id))
			for _, again := range []struct {
				faulty bool
				want   conformance.Outcome
			}{{true, row.is}, {false, conformance.Pass}} {
				handler, target = served(again.faulty)
				server := httptest.NewServer(handler)
				t.Cleanup(server.Close)
				target.URL, target.Seed = server.URL, 6
				report, err := dispatchside.Repeat(t.Context(), target, earlier, row.id)
				require.NoError(t, err)
				require.Equal(t, again.want, outcomeOf(report, row.id))
				require.Less(t, len(report.Exchanges), 60)
				if again.want == conformance.Pass {
					require.Empty(t, report.Leftovers)
				}
			}
			report, err := dispatchside.Repeat(t.Context(), target, earlier, "3")
			require.NoError(t, err)
			require.GreaterOrEqual(t, len(report.Exchanges), 3)
			report.Follow(earlier, "3")
			require.Contains(t, report.Repeated.String(), "the calls up to 3 were repeated; their worst result is: ")
			_, err = dispatchside.Repeat(t.Context(), target, earlier, "NONE-1")
			require.ErrorContains(t, err, "no verdict")
			_, err = dispatchside.Repeat(t.Context(), target, earlier, "99999")
			require.ErrorContains(t, err, "no call 99999")
			if row.without != nil {
				row.without(&target)
				_, err = dispatchside.Repeat(t.Context(), target, earlier, row.id)
				var missing *dispatchside.MissingAidError
				require.ErrorAs(t, err, &missing)
				require.Equal(t, row.missing, missing.Aid)
			}
		})
	}
}

// TestUnfinishedRepetitionCancelsItsBooking checks that a repetition cancels its booking if an aid fails, or
// the run is stopped, after it.
func TestUnfinishedRepetitionCancelsItsBooking(t *testing.T) {
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

// TestRepeatOrderPutsClockMovesLast checks that RepeatOrder puts verdicts whose calls move the server's clock last.
func TestRepeatOrderPutsClockMovesLast(t *testing.T) {
	t.Parallel()
	earlier := conformance.NewRunFile(onReference(t, func(target *dispatchside.Target, _ context.CancelFunc) {
		target.Only = []string{"JRN-18", "ENR-16", "CAN-01", "BOK-16"}
	}, dispatchside.Run), "")
	require.Equal(t, []string{"NO-1", "CAN-01", "BOK-16", "ENR-16", "JRN-18"},
		dispatchside.RepeatOrder(earlier, []string{"JRN-18", "ENR-16", "NO-1", "CAN-01", "BOK-16"}))
}

// onReference makes a run against a new reference, whose target prepare may change.
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

// TestLedger compares the cost of a run of the reference with the ledger: its calls, and the work of judging each.
func TestLedger(t *testing.T) {
	ledger.Countable(t)
	ref, err := newReference(t.Context())
	require.NoError(t, err)
	rep := check(t, ref, ref.target(7))
	var history []conformance.Exchange
	for _, x := range rep.Exchanges {
		history = append(history, *x)
	}
	calls := float64(len(history))
	judged := ledger.Work("a call that is judged by every check", 3, func() {
		journal.ReportOn(&dispatchside.Suite, "http://127.0.0.1", history)
	})
	for i := range judged {
		judged[i].Count /= calls
	}
	ledger.Compare(t, "conformance/dispatchside", append(judged, ledger.Row{What: "a whole run", Count: calls, Unit: "calls"})...)
}
