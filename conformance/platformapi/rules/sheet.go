package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// row is a check and the rule that judges it.
type row struct {
	conformance.Check
	judge func(*sheet, conformance.Check)
}

// sheet is the input and the output of rules.
type sheet struct {
	conformance.Findings
	all []*conformance.Exchange
}

// Judge applies every rule to a history. It is pure, and changes no call.
func Judge(history []*conformance.Exchange, _ []conformance.Observation) []conformance.FiledFinding {
	s := &sheet{Findings: conformance.NewFindings(byID)}
	for _, x := range history {
		x.Read()
		if !x.Unread() && x.Intent != conformance.IntentPartly && x.Code() != 429 {
			s.all = append(s.all, x)
		}
	}
	for _, r := range rows {
		r.judge(s, r.Check)
	}
	s.JudgeUnread(Catalogue(), history)
	return s.Filed
}

// of returns the calls of an operation with an intent.
func (s *sheet) of(op conformance.Operation, intent conformance.Intent) []*conformance.Exchange {
	var found []*conformance.Exchange
	for _, x := range s.all {
		if x.Operation == op && x.Intent == intent {
			found = append(found, x)
		}
	}
	return found
}

// served returns the ordinary calls of an operation that were served.
func (s *sheet) served(op conformance.Operation) []*conformance.Exchange {
	return slices.DeleteFunc(s.of(op, conformance.IntentPlain), func(x *conformance.Exchange) bool { return !x.Succeeded() })
}

// eachServed judges every ordinary call that was served.
func eachServed(ops []conformance.Operation, judge func(*sheet, string, *conformance.Exchange)) func(*sheet, conformance.Check) {
	return func(s *sheet, c conformance.Check) {
		for _, op := range ops {
			for _, x := range s.served(op) {
				judge(s, c.ID, x)
			}
		}
	}
}

// member requires a member of the reply to have a type.
func member(op conformance.Operation, name string, kind valueType) func(*sheet, conformance.Check) {
	return eachServed([]conformance.Operation{op}, func(s *sheet, id string, x *conformance.Exchange) {
		s.wantType(id, x.Reply().At(name), kind, x)
	})
}

// valueType is a type that a value must have.
type valueType struct {
	words string
	is    func(jsonvalue.Value) bool
}

// The types. Ids and names must not be empty.
var (
	text      = valueType{"string", jsonvalue.Value.IsText}
	something = valueType{"string, not empty", jsonvalue.Value.HasText}
	integer   = valueType{"integer", isWhole}
	lasting   = valueType{"number above 0, whole", func(v jsonvalue.Value) bool { return isWhole(v) && v.Number() > 0 }}
	truth     = valueType{"boolean", func(v jsonvalue.Value) bool { return v.Kind() == "boolean" }}
	list      = valueType{"array", jsonvalue.Value.IsArray}
)

func isWhole(v jsonvalue.Value) bool { return v.IsNumber() && !strings.ContainsAny(v.Scalar(), ".eE") }

// wantType files a pass if a value is of a type, and a failure otherwise. It reports whether the check passed.
func (s *sheet) wantType(id string, v jsonvalue.Value, kind valueType, xs ...*conformance.Exchange) bool {
	return s.Want(id, kind.is(v), v, kind.words, xs...)
}

// refusal requires every call with one of the intents to be refused. The control is a served ordinary
// call of the operation; otherwise a dead server would pass.
func refusal(intents ...conformance.Intent) func(*sheet, conformance.Check) {
	return func(s *sheet, c conformance.Check) {
		for _, op := range c.Operations {
			for _, intent := range intents {
				for _, x := range s.of(op, intent) {
					s.wantRefused(c.ID, x)
				}
			}
		}
	}
}

func (s *sheet) wantRefused(id string, x *conformance.Exchange) {
	const expected = "an answer of the 4xx kind"
	switch {
	case !s.open(x.Operation):
		s.Unverified(id, conformance.NotServed, "no ordinary call of "+string(x.Operation)+" was served, so a refusal is no evidence", x)
	case x.RefusedCleanly():
		s.Refused(id, x)
	case x.Succeeded():
		s.Fail(id, tried(x)+" was served", expected, conformance.Answer(x), x)
	default:
		s.Fail(id, fmt.Sprintf("%s was neither served nor refused (%d)", tried(x), x.Code()), expected, conformance.Answer(x), x)
	}
}

// open reports whether an operation has served a valid call. If nothing more could be
// created, an update counts instead.
func (s *sheet) open(op conformance.Operation) bool {
	for _, k := range Kinds() {
		if op == k.Create && len(s.accepted(k.Update)) > 0 {
			return true
		}
	}
	return len(s.served(op)) > 0 || len(s.accepted(op)) > 0
}

// accepted returns the served valid calls of an operation.
func (s *sheet) accepted(op conformance.Operation) []*conformance.Exchange {
	return slices.DeleteFunc(slices.Clone(s.all), func(x *conformance.Exchange) bool {
		return x.Operation != op || !x.Sound || !x.Succeeded()
	})
}

// observation records the answers to the calls with an intent.
func observation(intent conformance.Intent, what string) func(*sheet, conformance.Check) {
	return func(s *sheet, c conformance.Check) {
		for _, op := range c.Operations {
			for _, x := range s.of(op, intent) {
				s.Observe(c.ID, fmt.Sprintf("%s: %d", what, x.Code()), x)
			}
		}
	}
}

// lastPart returns the last part of a call's path: the id.
func lastPart(x *conformance.Exchange) string {
	address, _, _ := strings.Cut(x.Request.URL, "?")
	return address[strings.LastIndex(address, "/")+1:]
}
