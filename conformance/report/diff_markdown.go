package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/cabrank/cabrank/conformance"
)

// WriteDiffMarkdown writes the changes between two runs as a table for a pull request,
// regressions first, of at most 4 KB.
func WriteDiffMarkdown(w io.Writer, d conformance.Difference) error {
	const reserve = 60 // bytes for the line that counts what is left out
	mark := "✅"
	if d.Worse() {
		mark = "❌"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s %s\n\n", mark, title(d.Total()))
	if len(d.Changes) == 0 {
		b.WriteString("No verdict has changed.\n")
	} else {
		b.WriteString("| | check | level | operation | before | after | what was found |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	}
	for i, c := range d.Changes {
		line := fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s |\n",
			c.Kind, unmarked(c.ID), unmarked(string(c.Level)), unmarked(string(c.Operation)), unmarked(string(c.Before)), unmarked(string(c.After)), unmarked(clipped(c.Message)))
		if b.Len()+len(line)+reserve > mostMarkdown {
			fmt.Fprintf(&b, "\nand %s\n", conformance.Count(len(d.Changes)-i, "more change"))
			break
		}
		b.WriteString(line)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write Markdown: %w", err)
	}
	return nil
}
