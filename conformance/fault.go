package conformance

import (
	"slices"
	"strings"
)

// Fault is a kind of fault that shows in more than one check. A failed verdict has the
// fault if it is on one of the fault's checks, or points at one of its members.
type Fault struct {
	Checks  []string             // by id, the most informative first
	Members []string             // names of members of a reply
	Follows []string             // ids of checks that fail because of it when one of Checks does
	When    func(*Exchange) bool // whether the fault shows in a verdict with that last call; nil: always
	Cure    string               // what to change; "": the hint of the most informative verdict

	// Says returns a sentence that says what is wrong, quoting the evidence, and the deciding
	// call. "" means that another fault shows in the same checks: the most informative verdict
	// then gives the sentence and the cure. If Says is nil, that verdict gives the sentence,
	// and Cure applies.
	Says func(Sight) (string, *Exchange)

	// Seen finds the call that shows the fault itself, even if no check failed; nil: none does.
	// The fault then explains refusals of the operations in Breaks.
	Seen   func(calls []*Exchange) *Exchange
	Breaks []Operation
}

// Sight is the evidence for a fault: the verdicts that fail because of it, the most
// informative first, and the calls of the run.
type Sight struct {
	Failed []Result
	Broken []Operation // operations that are always refused because of it
	calls  map[int]*Exchange
	show   func(*Exchange) *Exchange
}

// Call returns the call with an id, with secrets hidden; nil if there is none.
func (s Sight) Call(id int) *Exchange {
	x := s.calls[id]
	if x == nil {
		return nil
	}
	x = s.show(x)
	x.Read()
	return x
}

// Calls returns the calls that show the fault, those of the most informative verdict first.
func (s Sight) Calls() []*Exchange {
	var all []*Exchange
	seen := map[int]bool{}
	for _, r := range s.Failed {
		for _, id := range r.Findings[0].Exchanges {
			if x := s.Call(id); x != nil && !seen[id] {
				seen[id] = true
				all = append(all, x)
			}
		}
	}
	return all
}

// checks reports whether a verdict is on one of the fault's checks.
func (f Fault) checks(r Result) bool { return slices.Contains(f.Checks, r.ID) }

// points reports whether a verdict's first finding points at one of the fault's members.
func (f Fault) points(r Result) bool {
	return slices.Contains(f.Members, memberOf(r.Findings[0].Pointer))
}

// rank returns the position of a verdict's check among the fault's checks, the most informative first;
// verdicts on other checks come last.
func (f Fault) rank(r Result) int {
	if i := slices.Index(f.Checks, r.ID); i >= 0 {
		return i
	}
	return len(f.Checks)
}

// memberOf returns the name of the member that a JSON Pointer leads to; for an item of a list, the name of
// the list; "": none.
func memberOf(pointer string) string {
	steps := strings.Split(pointer, "/")
	for i := len(steps) - 1; i > 0; i-- {
		if steps[i] != "" && strings.Trim(steps[i], "0123456789") != "" {
			return steps[i]
		}
	}
	return ""
}
