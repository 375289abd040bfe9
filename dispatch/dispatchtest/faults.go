package dispatchtest

import (
	"testing"

	"github.com/cabrank/cabrank/simulator/fault"
)

// Faults is what goes wrong with the calls of the platform under test: rules of package
// fault, none of which there is at first. If the test fails, each of them and each request
// that it met are logged. [Fake.Book] is a caller like others, and rules meet it too.
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

// List returns the rules in the order in which they are tried, those that have ended among
// them, with how many requests each has hit.
func (f *Faults) List() []fault.Listed { return f.set.List() }

// Remove ends a rule and forgets it. The test fails if there is none of that id.
func (f *Faults) Remove(id string) {
	f.t.Helper()
	if err := f.set.Remove(id); err != nil {
		f.t.Fatalf("dispatchtest: %v", err)
	}
}

// Clear forgets all rules; ids are given from the first again.
func (f *Faults) Clear() { f.set.Clear() }
