package judging

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
)

// serving serves a sound server behind a function that may answer a request itself: it then returns true.
func serving(t *testing.T, takes func(http.ResponseWriter, *http.Request) bool) string {
	t.Helper()
	sound := dispatchsidetest.NewVendor(dispatchsidetest.None)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !takes(w, r) {
			sound.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestRepeatRunsAllFailedVerdicts repeats a list of failures, of which some cannot be repeated.
func TestRepeatRunsAllFailedVerdicts(t *testing.T) {
	s := newShell(t)
	bad := wrong(t, dispatchsidetest.Canceled)
	s.Ends(cli.ExitFindings, "check", bad, "--only", few, "--out", "bad.json", "--quiet")

	require.Regexp(t, `^\d+ failures? repeated: 0 gone, \d+ still there, 0 not shown\n$`, s.Ends(cli.ExitFindings, "repeat", "bad.json", "--quiet"))
	long, _, _ := s.Run("repeat", "bad.json", "--verbose")
	require.Contains(t, long, "FAIL  CAN-01")

	stubborn := serving(t, func(w http.ResponseWriter, r *http.Request) bool {
		refused := r.URL.Path == "/cancel"
		if refused {
			w.WriteHeader(http.StatusInternalServerError)
		}
		return refused
	})
	left, _, _ := s.Run("repeat", "bad.json", "--url", stubborn, "--quiet")
	require.Contains(t, left, "left over: ")

	editCalls(t, "bad.json", "CAN-01", func(x *conformance.Exchange) { x.Request.Cut = 5 })
	some, _, _ := s.Run("repeat", "bad.json")
	require.Regexp(t, `(?m)^CAN-01@cancel: call \d+ cannot be repeated: the run file lacks 5 bytes of its body$`, some)
	require.Regexp(t, `\n\d+ failures? repeated: 0 gone, \d+ still there, [1-9]\d* not shown\n$`, "\n"+some)

	editCalls(t, "bad.json", "CAN-01", func(x *conformance.Exchange) { x.Intent = conformance.IntentCleanUp })
	require.Contains(t, s.Ends(conformance.ExitBroken, "repeat", "bad.json"), "CAN-01@cancel: only calls that clean up lead to CAN-01@cancel, and those are not repeated\n")
}

// editCalls changes in a run file the calls that show a verdict.
func editCalls(t *testing.T, path, what string, edit func(*conformance.Exchange)) {
	t.Helper()
	run, err := readRun(path)
	require.NoError(t, err)
	calls, err := run.CallsToRepeat(what)
	require.NoError(t, err)
	for _, x := range calls {
		edit(x)
	}
	var text strings.Builder
	require.NoError(t, conformance.WriteJSON(&text, run))
	require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o600))
}

// TestInterruptedRepeatCancelsJourneys checks that a repetition that is interrupted after its first booking cancels its
// journeys and says how far it came.
func TestInterruptedRepeatCancelsJourneys(t *testing.T) {
	s := newShell(t)
	s.Run("check", wrong(t, dispatchsidetest.Canceled), "--only", few, "--out", "bad.json", "--quiet")
	ctx, interrupt := context.WithCancel(t.Context())
	var cancelled atomic.Int64
	server := serving(t, func(_ http.ResponseWriter, r *http.Request) bool {
		switch r.URL.Path {
		case "/book":
			interrupt()
		case "/cancel":
			cancelled.Add(1)
		}
		return false
	})
	var out clitest.Buffer
	require.Equal(t, cli.ExitInterrupted, s.Exec(ctx, cli.Outside{Stdout: &out, Stderr: &out}, "repeat", "bad.json", "--url", server))
	require.Regexp(t, `stopped at 1 of \d+ failures?; all journeys were cancelled`, out.String())
	require.NotContains(t, out.String(), "no journey was booked")
	require.NotContains(t, out.String(), "left over: ")
	require.Positive(t, cancelled.Load())
}
