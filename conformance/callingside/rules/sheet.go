package rules

import (
	"iter"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// A row is a check and the function that judges it.
type row struct {
	conformance.Check
	judge func(*sheet, conformance.Check)
}

// A sheet is what rules read and write: the calls and requests of a run, and the findings.
type sheet struct {
	conformance.Findings
	checks   map[string]*conformance.Check
	all      []*conformance.Exchange // every call of an operation
	requests []*request
	ignored  map[string]bool  // switches that are ignored even without /config, which is not a fault of overriding
	controls map[control]bool // facts that were spoken or offered where allowed: the positive controls
}

// Judge applies every rule to a history and to the observations of the caller's side, and returns
// the findings.
func Judge(history []*conformance.Exchange, observations []conformance.Observation) []conformance.FiledFinding {
	s := &sheet{Findings: conformance.NewFindings(byID), checks: byID, controls: map[control]bool{}, ignored: map[string]bool{}}
	for _, x := range history {
		x.Read()
		if !x.Unread() && x.Intent != conformance.IntentPartly {
			s.all = append(s.all, x)
		}
	}
	s.requests = requests(s.all, observations)
	s.findControls()
	for _, r := range rows {
		r.judge(s, r.Check)
	}
	s.JudgeUnread(catalogue, history)
	return s.Filed
}

// of iterates over the calls of an operation to the right address.
func (s *sheet) of(op conformance.Operation) iter.Seq[*conformance.Exchange] {
	return func(yield func(*conformance.Exchange) bool) {
		for _, x := range s.all {
			if x.Operation == op && x.Intent != IntentStray && x.Intent != IntentRedirected && !yield(x) {
				return
			}
		}
	}
}

// passed records a pass for a request, with its last call of the check's operation.
func (s *sheet) passed(id string, r *request) {
	s.filed(id, conformance.Finding{Outcome: conformance.Pass, Count: 1}, r)
}

// failed records a failure for a request.
func (s *sheet) failed(id string, r *request, message, expected, got string) {
	s.filed(id, conformance.Finding{Outcome: conformance.Fail, Message: message, Expected: expected, Got: jsonvalue.Verbatim(got).Show()}, r)
}

// warned records a warning for a request: behaviour that is allowed but likely to surprise.
func (s *sheet) warned(id string, r *request, message, expected, got string) {
	s.filed(id, conformance.Finding{Outcome: conformance.Warn, Message: message, Expected: expected, Got: jsonvalue.Verbatim(got).Show()}, r)
}

// unclear records the reason why a request gives no verdict on a check.
func (s *sheet) unclear(id string, r *request, kind conformance.ReasonKind, text string) {
	why := conformance.Because(kind, "%s", text)
	s.filed(id, conformance.Finding{Outcome: conformance.NotVerified, Message: why.String(), Reason: &why}, r)
}

func (s *sheet) filed(id string, f conformance.Finding, r *request) {
	if r.told > 0 {
		f.Observations = []int{r.told}
	}
	op := s.checks[id].Operations[0]
	if calls := r.of(op); len(calls) > 0 {
		s.File(op, id, f, calls[len(calls)-1])
		return
	}
	if n := len(r.calls); n > 0 {
		s.File(op, id, f, r.calls[n-1])
		return
	}
	s.File(op, id, f)
}

// each calls judge with every request of the check's scenes that the platform carried out. For
// requests that failed or are not supported, it records the reason.
func (s *sheet) each(id string, judge func(*request)) {
	for _, r := range s.requests {
		if r.is(id) && s.playable(id, r) {
			judge(r)
		}
	}
}

// supported iterates over the requests of the check's scenes that the platform supports.
func (s *sheet) supported(id string) iter.Seq[*request] {
	return func(yield func(*request) bool) {
		for _, r := range s.requests {
			if r.is(id) && !r.unsupported && !yield(r) {
				return
			}
		}
	}
}

// playable reports whether a request was carried out; if not, it records the reason for the check.
func (s *sheet) playable(id string, r *request) bool {
	switch {
	case r.unsupported:
		s.unclear(id, r, conformance.NotApplicable, "the platform does not support this request (501)")
	case r.failed != "":
		s.unclear(id, r, conformance.NotServed, "the platform failed at the request: "+r.failed)
	default:
		return true
	}
	return false
}
