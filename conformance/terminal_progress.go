package conformance

import "fmt"

// Story writes how far a run is, over what it wrote of it before: on Status, a
// line that goes when there is something to say.
func (t *Terminal) Story(told, all int) {
	if t.Status == nil {
		return
	}
	t.erase()
	t.shown = true
	fmt.Fprintf(t.Status, "story %d of %d", told, all)
}

// erase takes the line of the progress away.
func (t *Terminal) erase() {
	if t.shown {
		fmt.Fprint(t.Status, "\r\x1b[K")
	}
	t.shown = false
}
