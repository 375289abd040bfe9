package conformance

// Line is one line of a [Transcript].
type Line struct {
	Who  string // the speaker, in a word; "": an event, not speech
	User bool   // the speaker is the user of the judged system
	Text string
	Call int    // the call that caused it; 0: none
	Note string // what a more complete reply would have added
}
