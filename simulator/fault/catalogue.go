package fault

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/host"
)

// Group says what a fault is about.
type Group string

// The groups of faults.
const (
	Transport Group = "transport" // the connection and the bytes on it
	HTTP      Group = "http"      // the status, the headers, the form of the body
	Outcome   Group = "outcome"   // what was done and what is answered differ
	Semantic  Group = "semantic"  // well-formed answers that say what cannot be
	Fleet     Group = "supply"    // cars, drivers and passengers
)

// Groups lists the groups in the order of the catalogue.
func Groups() []Group { return []Group{Transport, HTTP, Outcome, Semantic, Fleet} }

// Fault is one thing that can go wrong, an entry of the catalogue.
type Fault struct {
	Name       string      `json:"name"` // what a rule's do.kind calls it
	Group      Group       `json:"group"`
	Ops        []Op        `json:"ops"` // the operations that it can happen to
	Parameters []Parameter `json:"parameters,omitempty"`
	Does       string      `json:"does"` // what the client meets

	// dispatch does what it was asked, whatever the client hears of it
	Done bool `json:"done"`

	// the check of the conformance suite that notices it; left out: none does
	NoticedBy string `json:"noticedBy,omitempty"`
	Unnoticed string `json:"unnoticed,omitempty"` // why none does

	act func(*exchange)
	on  Op // that the check's proof puts it on; "": every operation that it can happen to
}

// Parameter is what a fault takes besides its name, a member of a rule's do.
type Parameter struct {
	Name    string `json:"name"`
	Type    string `json:"type" schema:"enum: [integer, duration, boolean, string]"`
	Default any    `json:"default,omitempty"` // what is meant if it is left out
	Least   any    `json:"least,omitempty"`   // of a number or a duration
	Most    any    `json:"most,omitempty"`    // of those, or characters of a string
	OneOf   []any  `json:"oneOf,omitempty"`
	Means   string `json:"means"`
}

// Catalogue lists every fault, by group.
func Catalogue() []Fault {
	all := slices.Clone(catalogue().all)
	for i := range all {
		all[i].Ops = slices.Clone(all[i].Ops)
		all[i].Parameters = slices.Clone(all[i].Parameters)
	}
	return all
}

type index struct {
	all    []Fault
	byName map[string]*Fault
}

var catalogue = sync.OnceValue(func() *index {
	c := &index{all: slices.Concat(transportFaults(), httpFaults(), outcomeFaults(), semanticFaults(), supplyFaults())}
	c.byName = make(map[string]*Fault, len(c.all))
	for i := range c.all {
		f := &c.all[i]
		if f.Ops == nil {
			f.Ops = Ops()
		}
		if c.byName[f.Name] != nil {
			panic(fmt.Sprintf("fault: two are called %s", f.Name))
		}
		c.byName[f.Name] = f
	}
	return c
})

// takes returns the parameter of a name.
func (f *Fault) takes(name string) (Parameter, bool) {
	i := slices.IndexFunc(f.Parameters, func(p Parameter) bool { return p.Name == name })
	if i < 0 {
		return Parameter{}, false
	}
	return f.Parameters[i], true
}

// Example is a rule with this fault for a day, such as the check that notices it is
// proved by.
func (f *Fault) Example() Rule {
	return Rule{Match: Match{Op: f.on}, Window: Window{TTL: host.Duration(24 * time.Hour)}, Do: Do{Kind: f.Name}}
}

// bookings are the operations whose answer is a journey.
func bookings() []Op { return []Op{Book, Cancel, Status} }

// shows are the operations whose answer shows journeys.
func shows() []Op { return []Op{User, Book, Cancel, Status} }
