package fault_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/fault"
)

// TestTheREADMEHasTheTable holds the table of the README against the one in code.
func TestTheREADMEHasTheTable(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	require.NoError(t, err)
	require.Contains(t, string(text), magicTable(), "put this into the README:\n%s", magicTable())
}

// magicTable is the table as Markdown. Numbers that stand for faults of the catalogue,
// one after another, share a row.
func magicTable() string {
	var b strings.Builder
	b.WriteString("| last digits | what happens |\n| --- | --- |\n")
	var run []fault.Magic
	flush := func() {
		if len(run) == 0 {
			return
		}
		var names []string
		for _, m := range run {
			names = append(names, "`"+m.Fault+"`")
		}
		fmt.Fprintf(&b, "| %03d–%03d | in this order: %s |\n", run[0].From, run[len(run)-1].To, strings.Join(names, ", "))
		run = nil
	}
	for _, m := range fault.MagicNumbers() {
		if m.From >= 700 {
			if len(run) > 0 && run[len(run)-1].To+1 != m.From {
				flush()
			}
			run = append(run, m)
			continue
		}
		flush()
		digits := fmt.Sprintf("%03d", m.From)
		if m.To > m.From {
			digits += fmt.Sprintf("–%03d", m.To)
		}
		fmt.Fprintf(&b, "| %s | %s |\n", digits, m.Means)
	}
	flush()
	return b.String()
}
