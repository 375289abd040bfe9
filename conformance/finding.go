package conformance

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// Finding is one piece of evidence for a verdict.
type Finding struct {
	Outcome      Outcome `json:"outcome,omitempty"`
	Message      string  `json:"message"`                // one sentence
	Pointer      string  `json:"pointer,omitempty"`      // JSON Pointer into the last exchange's reply
	Expected     string  `json:"expected,omitempty"`     // in words
	Got          string  `json:"got,omitempty"`          // shortened, phone numbers masked
	Clause       string  `json:"clause,omitempty"`       // the clause of the interface that requires it
	Hint         string  `json:"hint,omitempty"`         // what to change
	Exchanges    []int   `json:"exchanges,omitempty"`    // ids of the calls that show it
	Observations []int   `json:"observations,omitempty"` // ids of the observations that show it
	Count        int     `json:"count,omitzero"`         // how many times it was found, when more than once
	Of           string  `json:"of,omitempty"`           // the check whose failure this finding is a sign of; "": none
	Reason       *Reason `json:"reason,omitempty"`       // why there is no verdict; nil: there is one
}

// FiledFinding is a finding filed under a check and an operation.
type FiledFinding struct {
	VerdictKey
	Finding

	// ByRefusal marks a pass for a refusal. It counts only if the server has also
	// accepted a call of the operation; otherwise a dead server would pass.
	ByRefusal bool
}

// Findings collects the findings of rules. Rules only append to it.
type Findings struct {
	FlawsOnly bool // passes are not filed

	checks map[string]*Check // the checks that may be judged, by id
	Filed  []FiledFinding
	passed map[VerdictKey]int // index of the first pass of each; later passes are only counted
}

// NewFindings returns an empty collection for the checks of a suite.
func NewFindings(checks map[string]*Check) Findings { return Findings{checks: checks} }

// Requirement returns the requirement of the check with an id.
func (s *Findings) Requirement(id string) string { return s.checks[id].Requirement }

// IndexChecks returns the checks by id.
func IndexChecks(all []Check) map[string]*Check {
	m := make(map[string]*Check, len(all))
	for i := range all {
		m[all[i].ID] = &all[i]
	}
	return m
}

// operationFor returns the operation of a verdict on check id that has a call of op as evidence: op, or the
// check's own operation if it has only one.
func (s *Findings) operationFor(id string, op Operation) Operation {
	ops := s.checks[id].Operations
	if len(ops) > 1 {
		return op
	}
	return ops[0]
}

// VerdictKey identifies a verdict by its check and its operation.
type VerdictKey struct {
	Check string
	Op    Operation
}

// add files a finding under a check, with the calls that show it. The finding's pointer refers to the reply
// of the last call.
func (s *Findings) add(id string, f Finding, xs ...*Exchange) {
	s.File(xs[len(xs)-1].Operation, id, f, xs...)
}

// File files a finding under a check and an operation, with the exchanges that show it, if any.
// Observations that show it must already be listed in f.
func (s *Findings) File(op Operation, id string, f Finding, xs ...*Exchange) {
	f.Message = Worded(f.Message)
	for _, x := range xs {
		f.Exchanges = append(f.Exchanges, x.ID)
	}
	s.Filed = append(s.Filed, FiledFinding{VerdictKey: VerdictKey{id, s.operationFor(id, op)}, Finding: f})
}

// Pass files that calls met a requirement. Of further passes of the same verdict only the number is kept;
// with FlawsOnly nothing is filed.
func (s *Findings) Pass(id string, xs ...*Exchange) {
	if s.FlawsOnly {
		return
	}
	key := VerdictKey{id, s.operationFor(id, xs[len(xs)-1].Operation)}
	if at, again := s.passed[key]; again {
		s.Filed[at].Count++
		return
	}
	if s.passed == nil {
		s.passed = map[VerdictKey]int{}
	}
	s.passed[key] = len(s.Filed)
	s.add(id, Finding{Outcome: Pass, Count: 1}, xs...)
}

// Refused files a pass for a server that refused a call, as the check wants: see [FiledFinding.ByRefusal].
func (s *Findings) Refused(id string, xs ...*Exchange) {
	if s.FlawsOnly {
		return
	}
	s.add(id, Finding{Outcome: Pass, Count: 1}, xs...)
	s.Filed[len(s.Filed)-1].ByRefusal = true
}

// Fail files a failed requirement, shown by value v.
func (s *Findings) Fail(id, message, expected string, v jsonvalue.Value, xs ...*Exchange) {
	s.add(id, Finding{Outcome: Fail, Message: message, Pointer: v.Pointer(), Expected: expected, Got: v.Show()}, xs...)
}

// Warn files behaviour that is allowed but likely to surprise.
func (s *Findings) Warn(id, message, expected string, v jsonvalue.Value, xs ...*Exchange) {
	s.add(id, Finding{Outcome: Warn, Message: message, Pointer: v.Pointer(), Expected: expected, Got: v.Show()}, xs...)
}

// Suggest sets the hint of the last filed finding, in place of the check's general
// hint; "" leaves the check's hint.
func (s *Findings) Suggest(hint string) { s.Filed[len(s.Filed)-1].Hint = hint }

// SignOf marks the last filed finding as a sign of the failure of another check.
func (s *Findings) SignOf(id string) { s.Filed[len(s.Filed)-1].Of = id }

// Observe records what the server does where the interface leaves a choice.
func (s *Findings) Observe(id, message string, xs ...*Exchange) {
	s.add(id, Finding{Outcome: Seen, Message: message}, xs...)
}

// Unverified files the reason why a check has no verdict.
func (s *Findings) Unverified(id string, kind ReasonKind, text string, xs ...*Exchange) {
	why := Because(kind, "%s", text)
	s.add(id, Finding{Outcome: NotVerified, Message: why.String(), Reason: &why}, xs...)
}

// Want files a pass if ok, and otherwise a failure with a sentence about the value. It returns ok.
func (s *Findings) Want(id string, ok bool, v jsonvalue.Value, expected string, xs ...*Exchange) bool {
	last := xs[len(xs)-1]
	switch {
	case ok:
		s.Pass(id, xs...)
	case !v.Present() && last.Succeeded() && !last.Reply().IsObject():
		s.Fail(id, v.Pointer()+" cannot be read: "+last.WhyNoObject(), expected, Answer(last), xs...)
	default:
		s.Fail(id, Describe(v, expected), expected, v, xs...)
	}
	return ok
}

// kinds are the JSON types with which the text of an expected value may begin.
var kinds = []string{"object", "array", "string", "number", "boolean"}

// Describe says in a sentence how a value differs from what was expected.
func Describe(v jsonvalue.Value, expected string) string {
	at := v.Pointer()
	if at == "" {
		at = "the reply"
	}
	switch {
	case !v.Present():
		return at + " is missing"
	case v.IsNull():
		return at + " is null"
	case v.IsText() && !v.HasText():
		return at + " is empty"
	case slices.Contains(kinds, firstWord(expected)) && v.Kind() != firstWord(expected):
		return at + " is " + Article(v.Kind())
	}
	if word := shortWord(v); word != "" {
		return at + " is " + word
	}
	return at + vaguely
}

// vaguely says that a value is wrong, but not how.
const vaguely = " is not the expected value"

// shortWord returns a number, a boolean or a single word as text for a sentence; "" for
// other values. It excludes texts with digits, since these name people and things and
// would make one fault look like many.
func shortWord(v jsonvalue.Value) string {
	const longest = 24
	text := v.Show()
	word := strings.Trim(text, `"`)
	switch {
	case len(word) > longest || v.IsObject() || v.IsArray():
		return ""
	case v.IsText() && strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && r != '_' && r != '-' }):
		return ""
	}
	return text
}

// firstWord returns the first word of an expected value such as "a string, not empty", without the article.
func firstWord(expected string) string {
	word, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(expected, "a "), "an "), " ")
	return strings.TrimSuffix(word, ",")
}

// Answer returns the whole HTTP answer as a value for a finding.
func Answer(x *Exchange) jsonvalue.Value {
	text := "no answer: " + x.Err
	if x.Response != nil {
		text = fmt.Sprintf("HTTP %d %s", x.Code(), strings.Join(strings.Fields(string(x.Response.Body)), " "))
	}
	return jsonvalue.Verbatim(strings.TrimSpace(text))
}

// Gist describes the finding in one line, with the actual and the expected value.
func (f Finding) Gist() string {
	const widestGot, widest, code = 60, 190, len("HTTP 200")
	text := f.Message
	f.Got, f.Expected = aroundDifference(f.Got, f.Expected)
	got := jsonvalue.Clip(f.Got, widestGot)
	if strings.HasPrefix(got, "HTTP 2") {
		got = got[:min(len(got), code)] // the body is not part of the fault
	}
	place, vague := strings.CutSuffix(text, vaguely)
	switch {
	case got == "" || got == nothing || strings.Contains(text, f.Got) || strings.HasSuffix(text, " is missing"):
	case vague:
		text = place + " is " + got
	default:
		text += ": got " + got
	}
	if f.Expected != "" {
		text += ", want " + f.Expected
	}
	return jsonvalue.Clip(text, widest)
}

// aroundDifference removes a long common prefix from two quoted texts, so that they are not
// cut short before they differ.
func aroundDifference(got, expected string) (string, string) {
	const long, before = 40, 12 // bytes
	was, quoted := strings.CutPrefix(got, `"`)
	head, want, found := strings.Cut(expected, `"`)
	if !quoted || !found {
		return got, expected
	}
	at := 0
	for at < min(len(was), len(want)) && was[at] == want[at] {
		at++
	}
	if at < long || at == len(was) && at == len(want) {
		return got, expected
	}
	from := at - before
	for from > 0 && !utf8.RuneStart(was[from]) {
		from--
	}
	return `"…` + was[from:], head + `"…` + want[from:]
}

// nothing is the text that reports show for an absent value.
var nothing = jsonvalue.Value{}.Show()

// Observation is evidence other than a call, such as what a caller heard on the
// telephone.
type Observation struct {
	ID    int             `json:"id"`              // from 1
	Probe ProbeName       `json:"probe,omitempty"` // the probe during which it was made
	At    time.Time       `json:"at"`
	Kind  ObservationKind `json:"kind,omitempty"` // "" in run files of older versions, which have the text only
	Text  string          `json:"text"`           // what was observed
	Call  int             `json:"call,omitempty"` // the call that caused it; 0: not known
}

// ObservationKind is the kind of an observation. Each suite defines its own.
type ObservationKind string

// String returns the text, with the id by which findings refer to it.
func (o Observation) String() string {
	return fmt.Sprintf("%d: %s", o.ID, strings.TrimSpace(string(o.Kind)+" "+o.Text))
}
