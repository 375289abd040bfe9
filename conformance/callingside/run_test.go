package callingside_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/mutants"
)

// judged runs the suite against a platform with some switches.
func judged(t *testing.T, only []string, switches ...mutants.Switch) *conformance.Report {
	t.Helper()
	var report *conformance.Report
	synctest.Test(t, func(t *testing.T) {
		var err error
		report, err = mutants.Try(t.Context(), virtual(), only, switches...)
		require.NoError(t, err)
	})
	return report
}

// problems lists the verdicts that are neither pass nor seen, with their findings.
func problems(report *conformance.Report) string {
	var text strings.Builder
	for _, c := range report.Checks {
		if c.Outcome != conformance.Pass && c.Outcome != conformance.Seen {
			fmt.Fprintf(&text, "\n%s@%s %s", c.ID, c.Operation, c.Outcome)
			for _, f := range c.Findings {
				fmt.Fprintf(&text, "\n    %s | %s | %s", f.Message, f.Expected, f.Got)
			}
		}
	}
	return text.String()
}

// TestCorrectPlatformPasses checks that every check passes or is observed for a correct platform. Only P-70,
// about a caller who hangs up, may be left unverified.
func TestCorrectPlatformPasses(t *testing.T) {
	t.Parallel()
	report := judged(t, nil)
	require.Equal(t, conformance.ExitPass, report.ExitCode(), "%v%s", report.Reasons(), problems(report))
	for _, c := range report.Checks {
		require.True(t, c.Outcome == conformance.Pass || c.Outcome == conformance.Seen || c.ID == "P-70", problems(report))
	}
}
