package conformance

// Line is one line of a call as the passenger would hear or say it.
type Line struct {
	Who  string // "passenger", "platform", or "" for what nobody says
	Text string
	Call int    // the call that it follows from; 0: none
	Note string // what a richer reply would have added
}
