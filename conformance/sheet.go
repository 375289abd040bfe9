package conformance

import (
	"fmt"
	"slices"
	"strings"
)

// Finding is one piece of evidence.
type Finding struct {
	Outcome      Outcome `json:"outcome"`
	Message      string  `json:"message"`                // one sentence
	Pointer      string  `json:"pointer,omitempty"`      // JSON Pointer into the last exchange's reply
	Expected     string  `json:"expected,omitempty"`     // in words
	Got          string  `json:"got,omitempty"`          // shortened, phone numbers masked
	Clause       string  `json:"clause,omitempty"`       // where the requirement stands
	Hint         string  `json:"hint,omitempty"`         // what to change
	Exchanges    []int   `json:"exchanges,omitempty"`    // ids of the calls that show it
	Observations []int   `json:"observations,omitempty"` // ids of the observations that show it
	Count        int     `json:"count,omitempty"`        // how many times it was found, when more than once
	Reason       *Reason `json:"reason,omitempty"`       // why there is no verdict; nil: there is one
}

// filedFinding is what a rule says of one check on one piece of evidence.
type filedFinding struct {
	verdictKey
	Finding

	// byRefusal marks a pass that was earned by refusing something. It counts only
	// if the server has also served the operation, or a dead server would pass.
	byRefusal bool
}

// findings collects what rules find. Rules only ever add to it.
type findings struct {
	checks map[string]*Check // that may be judged, by id
	filed  []filedFinding
	passed map[verdictKey]int // where the first pass of each is; the others are counted
}

// newFindings returns a sheet for the checks of a suite.
func newFindings(checks map[string]*Check) findings { return findings{checks: checks} }

// indexChecks finds checks by their id.
func indexChecks(all []Check) map[string]*Check {
	m := make(map[string]*Check, len(all))
	for i := range all {
		m[all[i].ID] = &all[i]
	}
	return m
}

// operationFor returns the operation that a verdict on check id is filed under
// when the evidence is a call of op.
func (s *findings) operationFor(id string, op Operation) Operation {
	ops := s.checks[id].Operations
	if len(ops) > 1 {
		return op
	}
	return ops[0]
}

// verdictKey is what verdicts are counted by.
type verdictKey struct {
	check string
	op    Operation
}

// add files a finding under a check, with the calls that show it. The finding points
// into the last of them.
func (s *findings) add(id string, f Finding, xs ...*Exchange) {
	s.file(xs[len(xs)-1].Operation, id, f, xs...)
}

// file files a finding on an operation, with the exchanges that show it, if any
// do. What observations show it, the finding says itself.
func (s *findings) file(op Operation, id string, f Finding, xs ...*Exchange) {
	f.Message = wording(f.Message)
	for _, x := range xs {
		f.Exchanges = append(f.Exchanges, x.ID)
	}
	s.filed = append(s.filed, filedFinding{verdictKey: verdictKey{id, s.operationFor(id, op)}, Finding: f})
}

// pass files a pass.
func (s *findings) pass(id string, xs ...*Exchange) {
	key := verdictKey{id, s.operationFor(id, xs[len(xs)-1].Operation)}
	if at, again := s.passed[key]; again {
		s.filed[at].Count++
		return
	}
	if s.passed == nil {
		s.passed = map[verdictKey]int{}
	}
	s.passed[key] = len(s.filed)
	s.add(id, Finding{Outcome: Pass, Count: 1}, xs...)
}

// refused files a pass that was earned by refusing a call.
func (s *findings) refused(id string, xs ...*Exchange) {
	s.add(id, Finding{Outcome: Pass, Count: 1}, xs...)
	s.filed[len(s.filed)-1].byRefusal = true
}

// fail files a broken requirement, shown by value v.
func (s *findings) fail(id, message, expected string, v value, xs ...*Exchange) {
	s.add(id, Finding{Outcome: Fail, Message: message, Pointer: v.pointer(), Expected: expected, Got: v.show()}, xs...)
}

// warn files something legal that is likely to surprise.
func (s *findings) warn(id, message, expected string, v value, xs ...*Exchange) {
	s.add(id, Finding{Outcome: Warn, Message: message, Pointer: v.pointer(), Expected: expected, Got: v.show()}, xs...)
}

// observe records what the server does where the interface leaves room.
func (s *findings) observe(id, message string, xs ...*Exchange) {
	s.add(id, Finding{Outcome: Seen, Message: message}, xs...)
}

// unverified says why there is no verdict.
func (s *findings) unverified(id string, kind ReasonKind, text string, xs ...*Exchange) {
	why := because(kind, "%s", text)
	s.add(id, Finding{Outcome: NotVerified, Message: why.String(), Reason: &why}, xs...)
}

// want passes if ok, and otherwise fails with a sentence made of the value.
func (s *findings) want(id string, ok bool, v value, expected string, xs ...*Exchange) bool {
	last := xs[len(xs)-1]
	switch {
	case ok:
		s.pass(id, xs...)
	case !v.present() && last.succeeded() && !last.Reply().isObject():
		s.fail(id, v.pointer()+" cannot be read: "+last.whyNoObject(), expected, answer(last), xs...)
	default:
		s.fail(id, describe(v, expected), expected, v, xs...)
	}
	return ok
}

// kinds are the types of JSON, with which an expectation may begin.
var kinds = []string{"object", "array", "string", "number", "boolean"}

// describe says in a sentence how a value differs from what was expected.
func describe(v value, expected string) string {
	at := v.pointer()
	if at == "" {
		at = "the reply"
	}
	switch {
	case !v.present():
		return at + " is missing"
	case v.isNull():
		return at + " is null"
	case v.isText() && !v.hasText():
		return at + " is empty"
	case slices.Contains(kinds, firstWord(expected)) && v.kind() != firstWord(expected):
		return at + " is " + article(v.kind())
	}
	return at + " is not as required"
}

// article puts "a" or "an" before a JSON type.
func article(kind string) string {
	if strings.ContainsAny(kind[:1], "aeiou") {
		return "an " + kind
	}
	return "a " + kind
}

// firstWord returns the type that an expectation such as "string, not empty"
// begins with.
func firstWord(expected string) string {
	word, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(expected, "a "), "an "), " ")
	return strings.TrimSuffix(word, ",")
}

// answer is the whole HTTP answer, as a value to show.
func answer(x *Exchange) value {
	text := "no answer: " + x.Err
	if x.Response != nil {
		text = fmt.Sprintf("HTTP %d %s", x.code(), strings.Join(strings.Fields(string(x.Response.Body)), " "))
	}
	return verbatim(strings.TrimSpace(text))
}
