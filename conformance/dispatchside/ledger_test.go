package dispatchside_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/ledger"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/journal"
)

// TestLedger counts what the reference's own run takes: its calls, and the work of judging
// them.
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
