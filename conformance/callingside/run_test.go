package callingside_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/mutants"
)

// judged runs the suite against a platform with some switches.
func judged(t *testing.T, only []string, switches ...mutants.Switch) *conformance.Report {
	t.Helper()
	report, err := judge(t.Context(), only, switches...)
	require.NoError(t, err)
	return report
}

func judge(ctx context.Context, only []string, switches ...mutants.Switch) (*conformance.Report, error) {
	return mutants.Try(ctx, quick(), only, switches...)
}

// judgedAtOnce runs the whole suite against several platforms at the same time: most of a run
// is spent waiting.
func judgedAtOnce(t *testing.T, platforms [][]mutants.Switch) []*conformance.Report {
	t.Helper()
	reports := make([]*conformance.Report, len(platforms))
	all, ctx := errgroup.WithContext(t.Context())
	for i, switches := range platforms {
		all.Go(func() (err error) {
			reports[i], err = judge(ctx, nil, switches...)
			return err
		})
	}
	require.NoError(t, all.Wait())
	return reports
}

// problems lists what is not green.
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

// TestARightPlatformIsRight has nothing failed, warned of or, but for the caller who
// hangs up, left unverified.
func TestARightPlatformIsRight(t *testing.T) {
	t.Parallel()
	began := time.Now()
	report := judged(t, nil)
	t.Log(time.Since(began), report.Summary.Executed, len(report.Exchanges))
	require.Equal(t, conformance.ExitPass, report.ExitCode(), "%v%s", report.Reasons(), problems(report))
	for _, c := range report.Checks {
		require.True(t, c.Outcome == conformance.Pass || c.Outcome == conformance.Seen || c.ID == "P-70", problems(report))
	}
}
