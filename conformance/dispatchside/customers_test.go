package dispatchside_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/report"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// TestAServerThatKnowsItsCustomersOnly is right, and cannot be shown to be without
// their numbers. With them nothing is said of callers whom it does not know.
func TestAServerThatKnowsItsCustomersOnly(t *testing.T) {
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
		v := startVendor(t, "awkward.mjs", "KNOWN=442079460001,442079460002")
		rep := judgeVendor(t, v, dispatchside.Target{Phones: row.phones})
		require.Zero(t, v.stop(t), "journeys left")
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
