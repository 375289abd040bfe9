package rules

import (
	"slices"

	"github.com/cabrank/cabrank/conformance"
)

// byOneCall are the checks that one call shows by itself, whoever made it.
var byOneCall = []string{"P-01", "P-04", "P-05", "P-07", "P-08", "P-09", "P-10", "P-11", "P-12", "P-14"}

// callRows are their rows.
var callRows = slices.DeleteFunc(assemble(), func(r row) bool { return !slices.Contains(byOneCall, r.ID) })

// JudgeCall applies the rules that need no other call than the one that is judged, which
// may be of no operation. It reads no clock but the call's own. It is quick enough to be
// asked before the call is answered; what spans calls, [JudgeTraffic] judges later.
func JudgeCall(x *conformance.Exchange) []conformance.FiledFinding {
	own := *x
	if own.Operation == "" {
		own.Intent = IntentStray
	}
	own.Read()
	if own.Unread() || own.Intent == conformance.IntentPartly {
		return nil
	}
	s := &sheet{Findings: conformance.NewFindings(byID), checks: byID, all: []*conformance.Exchange{&own}}
	for _, r := range callRows {
		r.judge(s, r.Check)
	}
	return s.Filed
}
