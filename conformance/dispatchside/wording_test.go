package dispatchside_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
	"github.com/cabrank/cabrank/conformance/matrix"
)

// TestNoVerdictDependsOnWords checks that the verdicts stay the same if every sentence about a verdict is
// replaced when it is made. It is not parallel, since all runs share the words.
func TestNoVerdictDependsOnWords(t *testing.T) { //nolint:paralleltest // see above
	if testing.Short() {
		t.Skip("twelve whole runs, one after another")
	}
	refusing := func(path string, code int) http.Handler {
		return except(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "0")
			http.Error(w, `{"error":"no"}`, code)
		})
	}
	for name, server := range map[string]func() http.Handler{
		"a right server without aids": func() http.Handler { return dispatchsidetest.NewVendor(dispatchsidetest.None) },
		"ids that change": func() http.Handler {
			return matrix.Named(wrongServers(), "userId new at each call").Wrap(dispatchsidetest.NewVendor(dispatchsidetest.None))
		},
		"no bookings":      func() http.Handler { return refusing("/book", http.StatusUnauthorized) },
		"nothing but rest": func() http.Handler { return refusing("/book", http.StatusTooManyRequests) },
	} {
		if !whole() && !matrix.InSample(name, 4) {
			continue
		}
		var plain *conformance.Report
		for _, wording := range []func(string) string{
			func(text string) string { return text },
			func(string) string { return "x" },
			strings.ToUpper,
		}[:map[bool]int{true: 3, false: 2}[whole()]] {
			restore := conformance.SetWording(wording)
			report := check(t, server(), dispatchside.Target{Seed: 1})
			if plain == nil {
				plain = report
			}
			again := dispatchside.Suite.Verdicts(conformance.NewRunFile(plain, "").History())
			restore()
			require.Equal(t, gist(plain), gist(report), name)
			require.Equal(t, verdictsOf(dispatchside.Suite.Verdicts(conformance.NewRunFile(plain, "").History())), verdictsOf(again), name)
		}
		require.NotContains(t, gist(plain), "error", name)
	}
}

// gist returns everything in a report that does not depend on words: verdicts, kinds of reason, causes and the exit code.
func gist(r *conformance.Report) string {
	var b strings.Builder
	b.WriteString(verdictsOf(r.Checks))
	for _, c := range r.Causes {
		fmt.Fprintln(&b, "cause", c.Operation, c.Ends, c.Failed)
	}
	for _, g := range r.Unshown {
		fmt.Fprintln(&b, "unshown", g.ID, g.Operation, g.Reason)
	}
	for _, tier := range r.Tiers {
		fmt.Fprintln(&b, "tier", tier.Name, tier.Answer)
	}
	fmt.Fprintln(&b, "exit code", r.ExitCode())
	return b.String()
}

// verdictsOf lists verdicts with the kinds of their reasons.
func verdictsOf(results []conformance.Result) string {
	var b strings.Builder
	for _, c := range results {
		fmt.Fprint(&b, c.ID, "@", c.Operation, " ", c.Outcome)
		if c.Outcome == conformance.NotVerified {
			fmt.Fprint(&b, " ", c.Findings[0].Reason.Kind, " ", c.Findings[0].Reason.Aid, " ", c.Findings[0].Reason.Probe)
		}
		fmt.Fprintln(&b)
	}
	return b.String()
}
