package dispatchtest

import (
	"testing"

	"github.com/cabrank/cabrank/simulator/fault"
)

// Faults is the list of rules of package fault for calls of the platform under test, initially
// empty. If the test fails, each rule and each request that it hit are logged. The rules also
// apply to [Fake.Book].
type Faults struct {
	t   testing.TB
	set *fault.Set
}

// Add puts a rule behind those that there are, and returns it with its id and what it left
// out. The test fails if no rule can be as r is, or if there is one of its id.
func (f *Faults) Add(r fault.Rule) fault.Listed {
	f.t.Helper()
	added, err := f.set.Add(r)
	if err != nil {
		f.t.Fatalf("dispatchtest: the rule: %v", err)
	}
	return added
}

// List returns the rules in the order in which they are tried, including ended ones, with the
// number of requests that each has hit.
func (f *Faults) List() []fault.Listed { return f.set.List() }

// Remove removes a rule. The test fails if there is none with that id.
func (f *Faults) Remove(id string) {
	f.t.Helper()
	if err := f.set.Remove(id); err != nil {
		f.t.Fatalf("dispatchtest: %v", err)
	}
}

// Clear removes all rules; ids start again from the first.
func (f *Faults) Clear() { f.set.Clear() }
