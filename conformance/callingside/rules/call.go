package rules

import (
	"net/http"
	"slices"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// byOneCall are the checks that one call shows by itself, whoever made it.
var byOneCall = []string{"P-01", "P-04", "P-05", "P-07", "P-08", "P-09", "P-10", "P-11", "P-12", "P-14", "P-78"}

// callRows are their rows.
var callRows = slices.DeleteFunc(assemble(), func(r row) bool { return !slices.Contains(byOneCall, r.ID) })

// JudgeCall finds what is wrong by the rules that need no other call than the one that is
// judged, which may be of no operation. It reads no clock but the call's own. It is quick enough to be
// asked before the call is answered; what spans calls, [JudgeTraffic] judges later. Of a
// call that is known in part it judges what needs no body.
func JudgeCall(x *conformance.Exchange) []conformance.FiledFinding {
	own := *x
	if own.Operation == "" {
		own.Intent = IntentStray
	}
	own.Read()
	s := &sheet{Findings: conformance.NewFindings(byID), checks: byID, all: []*conformance.Exchange{&own}}
	s.FlawsOnly = true
	if own.Unread() || own.Intent == conformance.IntentPartly {
		s.judgeBodiless(&own)
		return s.Filed
	}
	for _, r := range callRows {
		r.judge(s, r.Check)
	}
	s.judgeTooLong(&own)
	return s.Filed
}

// judgeBodiless looks at what a call shows whatever its body is.
func (s *sheet) judgeBodiless(x *conformance.Exchange) {
	if flaw, expected, got := placeFlaw(x); flaw != "" {
		s.Fail("P-01", flaw, expected, jsonvalue.Verbatim(got), x)
		return
	}
	s.judgeTooLong(x)
}

// judgeTooLong warns of a body that was refused for its length.
func (s *sheet) judgeTooLong(x *conformance.Exchange) {
	if x.Code() == http.StatusRequestEntityTooLarge {
		s.Warn("P-01", "the body is longer than the third party takes", "a body that holds what the interface asks for", jsonvalue.Verbatim("HTTP 413"), x)
		s.Suggest("Send the members of the interface, and short texts in them.")
	}
}
