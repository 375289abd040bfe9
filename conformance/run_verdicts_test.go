package conformance_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/mutant"
)

// mutated returns a vendor's server with one fault.
func mutated(t *testing.T, name string) http.Handler {
	t.Helper()
	for _, m := range mutant.All() {
		if m.Name == name {
			return m.Wrap(vendor())
		}
	}
	t.Fatalf("no mutant %q", name)
	return nil
}

func TestWhatCannotBeShownIsNoSuccess(t *testing.T) {
	t.Parallel()
	report := check(t, mutated(t, "userId new at each call"), conformance.Target{Seed: 1})
	require.NotEmpty(t, report.Unshown)
	require.Equal(t, conformance.ExitFail, report.ExitCode())
	require.False(t, report.Tiers[0].Offered)
	if report.Summary.Levels[conformance.Must].Fail == 0 {
		require.Contains(t, report.Verdict(), "cannot be shown")
	}
}

// TestOddServersAreASuccess has every server that is odd and right end in a
// success, without any hook.
func TestOddServersAreASuccess(t *testing.T) {
	t.Parallel()
	for _, v := range mutant.Variants() {
		if v.Listen != nil || v.Lag != nil || v.Path != "" {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			report := check(t, v.Wrap(vendor()), conformance.Target{Seed: 1})
			require.Empty(t, report.Unshown)
			require.Equal(t, conformance.ExitPass, report.ExitCode(), report.Verdict())
		})
	}
}

// TestAServerThatDies has a server that is gone after some calls: that is said, and
// nothing is failed for it.
func TestAServerThatDies(t *testing.T) {
	t.Parallel()
	for _, last := range []int64{20, 150, 700} {
		t.Run(fmt.Sprint(last), func(t *testing.T) {
			t.Parallel()
			h := vendor()
			var calls atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if calls.Add(1) > last {
					panic(http.ErrAbortHandler)
				}
				h.ServeHTTP(w, r)
			}))
			t.Cleanup(server.Close)
			report, err := conformance.Run(t.Context(), conformance.Target{URL: server.URL, Now: time.Now, Seed: 1})
			require.NoError(t, err)
			require.Zero(t, report.Summary.Fail+report.Summary.Error)
			require.Equal(t, conformance.ExitFail, report.ExitCode())
			require.Len(t, report.Causes, 1)
			require.True(t, report.Causes[0].Ends)
			require.Regexp(t, `^the server stopped answering at call \d+, POST /\w+$`, report.Verdict())
			require.NotEmpty(t, report.Leftovers)
			var out strings.Builder
			(&conformance.Terminal{W: &out, Quiet: true}).Report(report)
			require.Less(t, strings.Count(out.String(), "\n"), 60, out.String())
		})
	}
}

// TestOneRefusalIsSaidOnce has /book want credentials that nobody has.
func TestOneRefusalIsSaidOnce(t *testing.T) {
	t.Parallel()
	h := vendor()
	report := check(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/book" {
			http.Error(w, `{"error":"who are you"}`, http.StatusUnauthorized)
			return
		}
		h.ServeHTTP(w, r)
	}), conformance.Target{Seed: 1})
	require.Len(t, report.Causes, 1)
	require.Equal(t, "/book was answered 401 Unauthorized every time", report.Causes[0].Message)
	require.Contains(t, report.Causes[0].Failed, "BOK-01@book")
	require.Zero(t, report.Summary.Error)
	var out strings.Builder
	(&conformance.Terminal{W: &out, Quiet: true}).Report(report)
	require.Contains(t, strings.SplitN(out.String(), "\n", 3)[1], "/book was answered 401")
	require.NotContains(t, out.String(), "FAIL  BOK-01")
	require.Contains(t, out.String(), "FAIL  must: W-01@book, BOK-01")
}

// TestAStoppedRunSaysSo stops a run with calls under way.
func TestAStoppedRunSaysSo(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancelCause(t.Context())
	s := &spy{Handler: vendor(), alive: map[string]bool{}, at: 60, stop: func() { stop(errors.New("enough")) }}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	report, err := conformance.Run(ctx, conformance.Target{URL: server.URL, Now: time.Now, Seed: 9})
	require.NoError(t, err)
	require.Zero(t, report.Summary.Fail+report.Summary.Error)
	require.Equal(t, conformance.ExitInterrupted, report.ExitCode())
	file := conformance.NewRunFile(report, "")
	for _, name := range []string{"run.json", "report.html", "junit.xml", "report.md", "badge.svg"} {
		require.True(t, strings.Contains(strings.ToLower(render(t, file, name)), map[bool]string{true: `"interrupted": true`, false: "stopped"}[name == "run.json"]), name) //nolint:testifylint // it is too long to print
	}
}
