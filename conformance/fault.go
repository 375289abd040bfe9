package conformance

import (
	"slices"
	"strings"
)

// Fault is a kind of fault that a suite knows, since it shows in more than one check.
// A failed verdict has it that is on one of its checks, or points at one of its
// members.
type Fault struct {
	Checks  []string             // by id, what tells most first
	Members []string             // names of members of a reply
	Follows []string             // checks, by id, that fail because of it when one of the others does
	When    func(*Exchange) bool // the fault shows in verdicts whose last call is such a one; nil: in any
	Cure    string               // what to change; "": as the verdict says that tells most

	// Says says what is wrong, in a sentence made of what was seen, and which call
	// decides. Where it says "", the fault is another that shows in the same checks: the
	// verdict that tells most says it, and what to change. nil: that verdict says it, and
	// the cure holds.
	Says func(Sight) (string, *Exchange)

	// Seen finds the call that shows the fault itself, whatever failed; nil: none does.
	// Refusals of the operations in Breaks then come of it.
	Seen   func(calls []*Exchange) *Exchange
	Breaks []Operation
}

// Sight is what shows a fault: the verdicts that fail of it, what tells most first, and
// the calls of the run.
type Sight struct {
	Failed []Result
	Broken []Operation // operations that are always refused because of it
	calls  map[int]*Exchange
	show   func(*Exchange) *Exchange
}

// Call returns a call as it is fit to be shown, nil if there is none of that number.
func (s Sight) Call(id int) *Exchange {
	x := s.calls[id]
	if x == nil {
		return nil
	}
	x = s.show(x)
	x.Read()
	return x
}

// Calls returns the calls that show the fault, those of what tells most first.
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

// checks reports a verdict on one of the fault's checks.
func (f Fault) checks(r Result) bool { return slices.Contains(f.Checks, r.ID) }

// points reports a verdict that points at one of the fault's members.
func (f Fault) points(r Result) bool {
	return slices.Contains(f.Members, memberOf(r.Findings[0].Pointer))
}

// rank orders the verdicts that have a fault: what tells most first.
func (f Fault) rank(r Result) int {
	if i := slices.Index(f.Checks, r.ID); i >= 0 {
		return i
	}
	return len(f.Checks)
}

// memberOf returns the name of the member that a pointer leads to; of an item of a list
// that of the list.
func memberOf(pointer string) string {
	steps := strings.Split(pointer, "/")
	for i := len(steps) - 1; i > 0; i-- {
		if steps[i] != "" && strings.Trim(steps[i], "0123456789") != "" {
			return steps[i]
		}
	}
	return ""
}
