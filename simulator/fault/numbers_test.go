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

// TestThePageHasTheTable compares the table of docs/numbers.md with the one in code.
func TestThePageHasTheTable(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "cmd", "cabrank", "docs", "numbers.md"))
	require.NoError(t, err)
	require.Contains(t, string(text), magicTable(), "put this into docs/numbers.md:\n%s", magicTable())
}

// magicTable is the table as Markdown.
func magicTable() string {
	var b strings.Builder
	b.WriteString("| last digits | what happens | fault |\n| --- | --- | --- |\n")
	for _, m := range fault.MagicNumbers() {
		digits := fmt.Sprintf("%03d", m.From)
		if m.To > m.From {
			digits += fmt.Sprintf("–%03d", m.To)
		}
		name := ""
		if m.Fault != "" {
			name = "`" + m.Fault + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", digits, m.Means, name)
	}
	return b.String()
}
