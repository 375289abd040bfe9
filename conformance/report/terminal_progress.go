package report

import "fmt"

// Progress writes on Status how far a run is, in place of what it wrote there
// before. The line goes away when something else is written.
func (t *Terminal) Progress(done, all int) {
	if t.Status == nil {
		return
	}
	t.erase()
	t.shown = true
	fmt.Fprintf(t.Status, "probe %d of %d", done, all)
}

// erase takes the line of the progress away.
func (t *Terminal) erase() {
	if t.shown {
		fmt.Fprint(t.Status, "\r\x1b[K")
	}
	t.shown = false
}
