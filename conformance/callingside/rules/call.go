package rules

import (
	"net/http"
	"slices"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// byOneCall are the ids of the checks that can be judged by a single call, whoever made it.
var byOneCall = []string{"P-01", "P-04", "P-05", "P-07", "P-08", "P-09", "P-10", "P-11", "P-12", "P-14", "P-78"}

// callRows are the checks of byOneCall with their judges.
var callRows = slices.DeleteFunc(assemble(), func(r row) bool { return !slices.Contains(byOneCall, r.ID) })

// JudgeCall applies the rules that need only one call, which may be of no operation. It reads
// only the call's own time. It is fast enough to run before the call is answered;
// [JudgeTraffic] later applies the rules about several calls. For a partly recorded call it
// applies the rules that need no body.
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

// judgeBodiless applies the rules that do not need the body of a call.
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
		s.Warn("P-01", "the body is longer than the third party accepts", "a body with the members of the interface", jsonvalue.Verbatim("HTTP 413"), x)
		s.Suggest("Send only the members of the interface, with short texts.")
	}
}
