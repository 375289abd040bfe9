package report

import (
	"fmt"
	"time"

	"github.com/cabrank/cabrank/conformance"
)

// Progress writes the progress of a run to Status, replacing the line before. Any other output
// erases the line.
func (t *Terminal) Progress(p conformance.Progress) {
	if t.Status == nil {
		return
	}
	t.erase()
	t.shown = true
	fmt.Fprintf(t.Status, "%s %d of %d", p.Stage, p.Done, p.All)
	if p.Left >= 3*time.Second {
		fmt.Fprintf(t.Status, ", about %s left", p.Left.Round(time.Second))
	}
}

// erase erases the progress line.
func (t *Terminal) erase() {
	if t.shown {
		fmt.Fprint(t.Status, "\r\x1b[K")
	}
	t.shown = false
}
