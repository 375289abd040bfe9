package fault

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/host"
)

// Group is a group of faults.
type Group string

// The groups of faults.
const (
	Transport Group = "transport" // the connection and its bytes
	HTTP      Group = "http"      // status, headers and form of the body
	Outcome   Group = "outcome"   // the response does not match what was done
	Semantic  Group = "semantic"  // well-formed responses with impossible content
	Fleet     Group = "fleet"     // cars, drivers and passengers
)

// Groups lists the groups in the order of the catalogue.
func Groups() []Group { return []Group{Transport, HTTP, Outcome, Semantic, Fleet} }

// Fault is an entry of the catalogue.
type Fault struct {
	Name       string      `json:"name"` // value of a rule's do.kind
	Group      Group       `json:"group"`
	Ops        []Op        `json:"ops"` // the operations that it applies to
	Parameters []Parameter `json:"parameters,omitempty"`
	Does       string      `json:"does"` // what the client observes

	// dispatch executes the request, whatever the client receives
	Done bool `json:"done"`

	// the check of the conformance suite that detects it; left out: none does
	NoticedBy string `json:"noticedBy,omitempty"`
	Unnoticed string `json:"unnoticed,omitempty"` // why no check detects it

	act func(*exchange)
	on  Op // the operation used to prove the check; "": all operations
}

// Parameter is a parameter of a fault, a member of a rule's do.
type Parameter struct {
	Name    string `json:"name"`
	Type    string `json:"type" schema:"enum: [integer, duration, boolean, string]"`
	Default any    `json:"default,omitempty"` // its value if it is left out
	Least   any    `json:"least,omitempty"`   // minimum of a number or a duration
	Most    any    `json:"most,omitempty"`    // maximum, or the longest string in characters
	OneOf   []any  `json:"oneOf,omitempty"`
	Means   string `json:"means"`
}

// Catalogue lists all faults, by group.
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
	c := &index{all: slices.Concat(transportFaults(), httpFaults(), outcomeFaults(), semanticFaults(), fleetFaults())}
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

// takes returns the parameter with a name.
func (f *Fault) takes(name string) (Parameter, bool) {
	i := slices.IndexFunc(f.Parameters, func(p Parameter) bool { return p.Name == name })
	if i < 0 {
		return Parameter{}, false
	}
	return f.Parameters[i], true
}

// Example returns a rule with this fault that lasts a day, as used to prove its check.
func (f *Fault) Example() Rule {
	return Rule{Match: Match{Op: f.on}, Window: Window{TTL: host.Duration(24 * time.Hour)}, Do: Do{Kind: f.Name}}
}

// bookings are the operations whose response is a journey.
func bookings() []Op { return []Op{Book, Cancel, Status} }

// shows are the operations whose response contains journeys.
func shows() []Op { return []Op{User, Book, Cancel, Status} }
