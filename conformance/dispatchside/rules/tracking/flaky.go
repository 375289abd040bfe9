package tracking

import (
	"fmt"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

// flakyCall is a call that failed, and its repetition, which succeeded.
type flakyCall struct{ first, again *conformance.Exchange }

// setFlakyAside returns the calls that failed and then succeeded when repeated. It marks each
// failed call as partly recorded, since its effect is unknown.
func setFlakyAside(history []*conformance.Exchange) []flakyCall {
	calls := map[int]*conformance.Exchange{}
	var all []flakyCall
	for _, x := range history {
		calls[x.ID] = x
		first := calls[x.Again]
		if first == nil || x.Failed() {
			continue
		}
		first.RecordedPartly()
		all = append(all, flakyCall{first, x})
	}
	return all
}

// fewFlaky is how many calls of an operation may fail once without a failure of the check.
const fewFlaky = 2

// judgeFlaky records findings on calls that failed once. An operation with many of them fails W-01.
// Calls during which the suite's own machine was paused do not count.
func judgeFlaky(all []flakyCall, history []*conformance.Exchange, s *conformance.Findings) {
	for _, op := range rules.Operations() {
		var found []flakyCall
		for _, f := range all {
			if f.first.Operation == op && !f.first.Stalled {
				found = append(found, f)
			}
		}
		made := len(of(op, history))
		if len(found) > fewFlaky && 100*len(found) > made {
			f := found[0]
			message := fmt.Sprintf("%d of %d calls of %s failed and were served when repeated", len(found), made, op.Path())
			s.Fail("W-01", message, "every call answered", conformance.Answer(f.first), f.again, f.first)
			continue
		}
		for _, f := range found {
			fileFlaky(f, s)
		}
	}
}

func fileFlaky(f flakyCall, s *conformance.Findings) {
	message := fmt.Sprintf("a call of %s %s, and was answered %d when repeated", f.first.Operation.Path(), failing(f.first), f.again.Code())
	s.File(f.first.Operation, "W-01", conformance.Finding{
		Outcome: conformance.Flaky, Message: message, Expected: "an answer each time", Got: conformance.Answer(f.first).Show(),
		Hint: "Look in the server's log at the time of the first call; the second call is identical.",
	}, f.again, f.first)
}

// failing returns a phrase on how a call failed.
func failing(x *conformance.Exchange) string {
	if x.Response == nil {
		return "got no answer"
	}
	return fmt.Sprintf("was answered %d", x.Code())
}
