package thirdparty_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/matrix"
	"github.com/cabrank/cabrank/conformance/report"
	"github.com/cabrank/cabrank/conformance/thirdparty"
	"github.com/cabrank/cabrank/conformance/thirdparty/mutants"
	"github.com/stretchr/testify/require"
)

// oneFault runs the suite against a server with one fault.
func oneFault(t *testing.T, name string) *conformance.Report {
	t.Helper()
	all := mutants.All()
	at := slices.IndexFunc(all, func(m matrix.Mutant) bool { return m.Name == name })
	require.NotEqual(t, -1, at, name)
	return check(t, all[at].Wrap(vendor()), thirdparty.Target{Seed: 1})
}

// TestOneFaultIsToldBriefly bounds what a reader is given of one fault.
func TestOneFaultIsToldBriefly(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ fault, first string }{
		{"CANCELED", "CAN-01"},
		{"journeyId numeric", "BOK-04"},
		{"edit books again", "BOK-19"},
		{"cancel says ok, stays live", "JRN-0"},
		{"edit gives new id", "BOK-15"},
	} {
		t.Run(row.fault, func(t *testing.T) {
			t.Parallel()
			rep := oneFault(t, row.fault)
			var out strings.Builder
			(&report.Terminal{W: &out}).Report(rep)
			require.LessOrEqual(t, strings.Count(out.String(), "\n"), 25, out.String())
			require.Contains(t, strings.SplitN(out.String(), "\n", 3)[1], row.first, out.String())
			require.NotContains(t, out.String(), "pass  BOK", "what passed is told with -v")
			var whole strings.Builder
			(&report.Terminal{W: &whole, Verbose: true}).Report(rep)
			require.Contains(t, whole.String(), "pass  ")
		})
	}
}

// TestARequestShowsWhatDecidesFirst reads the evidence of an edit.
func TestARequestShowsWhatDecidesFirst(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	(&report.Terminal{W: &out}).Report(oneFault(t, "edit gives new id"))
	require.Regexp(t, `call +\d+  POST /book \{"journeyId":"`, out.String())
	require.Contains(t, out.String(), "\ncannot: book, follow and cancel a taxi\n")
}
