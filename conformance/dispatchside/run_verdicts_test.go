package dispatchside_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
	"github.com/cabrank/cabrank/conformance/matrix"
	"github.com/cabrank/cabrank/conformance/report"
)

func TestUnshownRequirementsFailTheRun(t *testing.T) {
	oneAfterAnother(t)
	t.Parallel()
	report := check(t, matrix.Named(wrongServers(), "userId new at each call").Wrap(dispatchsidetest.NewVendor(dispatchsidetest.None)), dispatchside.Target{Seed: 1})
	require.NotEmpty(t, report.Unshown)
	require.Equal(t, conformance.ExitFail, report.ExitCode())
	require.NotEqual(t, conformance.TierYes, report.Tiers[0].Answer)
	if report.Summary.Levels[conformance.Must].Fail == 0 {
		require.Contains(t, report.Verdict(), "cannot be shown")
	}
}

// TestOddServersAreASuccess checks that servers that are unusual but right pass without any aid. WHOLE=1 tries
// all of them, as the gate does; otherwise it is a sample.
func TestOddServersAreASuccess(t *testing.T) {
	t.Parallel()
	for _, v := range oddServers() {
		if v.Listen != nil || v.Lag != nil || v.Path != "" || !whole() && !matrix.InSample(v.Name, 12) {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			report := check(t, v.Wrap(dispatchsidetest.NewVendor(dispatchsidetest.None)), dispatchside.Target{Seed: 1})
			require.Empty(t, report.Unshown)
			require.Equal(t, conformance.ExitPass, report.ExitCode(), report.Verdict())
		})
	}
}

// TestServerThatDiesFailsNoCheck checks that a run whose server stops answering after some calls gives that as its only
// cause, and that no check fails because of it.
func TestServerThatDiesFailsNoCheck(t *testing.T) {
	t.Parallel()
	for _, last := range []int64{20, 150, 700} {
		t.Run(fmt.Sprint(last), func(t *testing.T) {
			t.Parallel()
			h := dispatchsidetest.NewVendor(dispatchsidetest.None)
			var calls atomic.Int64
			rep := check(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if calls.Add(1) > last {
					panic(http.ErrAbortHandler)
				}
				h.ServeHTTP(w, r)
			}), dispatchside.Target{Seed: 1})
			require.Zero(t, rep.Summary.Fail+rep.Summary.Error)
			require.Equal(t, conformance.ExitFail, rep.ExitCode())
			require.Len(t, rep.Causes, 1)
			require.True(t, rep.Causes[0].Ends)
			require.Regexp(t, `^the server stopped answering at call \d+, POST /\w+$`, rep.Verdict())
			require.NotEmpty(t, rep.Leftovers)
			var out strings.Builder
			(&report.Terminal{W: &out, Quiet: true}).Report(rep)
			require.Less(t, strings.Count(out.String(), "\n"), 60, out.String())
		})
	}
}

// TestOneRefusalIsSaidOnce checks that a /book that is always answered 401 is reported once, as the cause of
// all that fails with it.
func TestOneRefusalIsSaidOnce(t *testing.T) {
	t.Parallel()
	rep := check(t, except("/book", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":"who are you"}`, http.StatusUnauthorized)
	}), dispatchside.Target{Seed: 1})
	require.Len(t, rep.Causes, 1)
	require.Equal(t, "/book was answered 401 Unauthorized every time", rep.Causes[0].Message)
	require.Contains(t, rep.Causes[0].Failed, "BOK-01@book")
	require.Zero(t, rep.Summary.Error)
	var out strings.Builder
	(&report.Terminal{W: &out, Quiet: true}).Report(rep)
	require.Contains(t, strings.SplitN(out.String(), "\n", 3)[1], "/book was answered 401")
	require.NotContains(t, out.String(), "FAIL  BOK-01")
	require.Contains(t, out.String(), "(with BOK-01, ")
	require.Regexp(t, `reach +also fails [A-Z]+-\d+.*; hides [A-Z]+-\d+`, out.String())
}

// TestOmittedOptionalMemberKeepsVerdictGreen checks that the page is green if the server omits an optional
// member, but not if an aid would have shown the member.
func TestOmittedOptionalMemberKeepsVerdictGreen(t *testing.T) {
	t.Parallel()
	ref, err := newReference(t.Context())
	require.NoError(t, err)
	run := conformance.NewRunFile(check(t, ref, ref.target(7)), "")
	colour := func() string {
		run.Score(conformance.Scoring{}, run.Started)
		return colourOf(t, run)
	}
	require.Equal(t, "pass", colour())
	for i := range run.Checks {
		if c := &run.Checks[i]; c.ID == "CFG-05" {
			why := conformance.Because(conformance.NotSeen, "data in a /config reply")
			c.Outcome, c.Findings = conformance.NotVerified, []conformance.Finding{{Outcome: conformance.NotVerified, Reason: &why}}
			require.Equal(t, "pass", colour())
			require.Equal(t, "every MUST of the interface is met; 1 is about an optional member that was omitted", run.Verdict())
			why.Aid = conformance.AidAdvance
			require.Equal(t, "warn", colour())
			require.Equal(t, "every MUST that could be tested is met; 1 could not be tested", run.Verdict())
		}
	}
}
