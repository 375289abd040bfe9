package conformance

// Line is one line of a [Transcript].
type Line struct {
	Who  string // in a word; "": nobody says it, it happens
	User bool   // it is whom the judged system serves that says it
	Text string
	Call int    // the call that it follows from; 0: none
	Note string // what a richer reply would have added
}
