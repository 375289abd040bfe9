package rules

import "github.com/cabrank/cabrank/conformance"

// JudgeCall finds what is wrong with one call by the rules that need no others. What it leaves
// out, [Judge] finds in the history of which the call is one.
func JudgeCall(recorded *conformance.Exchange) []conformance.FiledFinding {
	own := *recorded
	own.Read()
	history := []*conformance.Exchange{&own}
	r := newTracker(byID, history)
	r.FlawsOnly = true
	if own.Unread() {
		r.setUnreadAside(history)
		return r.Filed
	}
	if own.Intent != conformance.IntentPartly {
		r.judgeByItself(&own)
	}
	return r.Filed
}
