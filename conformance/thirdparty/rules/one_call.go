package rules

import "github.com/cabrank/cabrank/conformance"

// FindingsOfCall applies the rules that need no other calls to one call. What it leaves
// out, [FindingsOf] finds in the history of which the call is one.
func FindingsOfCall(recorded *conformance.Exchange) []conformance.FiledFinding {
	own := *recorded
	own.Read()
	history := []*conformance.Exchange{&own}
	r := newTracker(byID, history)
	if own.Unread() {
		r.setUnreadAside(history)
		return r.Filed
	}
	if own.Intent != conformance.IntentPartly {
		r.judgeByItself(&own)
	}
	return r.Filed
}
