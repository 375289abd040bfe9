package serving

import (
	"strings"
	"testing"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/ledger"
)

// TestLedger counts what a request takes on its way through what serve composes: as it is by
// default, and with everything off that can be off.
func TestLedger(t *testing.T) {
	ledger.Countable(t)
	var rows []ledger.Row
	for _, setting := range []struct {
		name string
		args []string
	}{{"", nil}, {", with nothing beside the operations", bare}} {
		c := compose(t, append([]string{"--seed", "1"}, setting.args...)...)
		for _, op := range []struct {
			name    string
			request func() (string, []byte)
		}{{"a /status that comes again", c.status}, {"a /book", c.book}} {
			cost, what := c.costOf(t, op.request), op.name+setting.name
			rows = append(rows,
				ledger.Row{What: what, Count: cost.allocations, Unit: "allocations"},
				ledger.Row{What: what, Count: cost.bytes, Unit: "bytes allocated"},
				ledger.Row{What: what, Count: float64(len(cost.decoders)), Unit: decoded(cost.decoders)},
			)
		}
	}
	ledger.Compare(t, "cmd/cabrank/serving", rows...)
}

// decoded names the packages in the row, so that another one is another row.
func decoded(packages []string) string {
	if len(packages) == 0 {
		return "times that the body is decoded"
	}
	return "times that the body is decoded, by " + strings.Join(packages, ", ")
}
