package fault

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
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

// Fault is an entry of the catalogue.
type Fault struct {
	Name       string      `json:"name"` // value of a rule's do.kind
	Group      Group       `json:"group"`
	Ops        []Op        `json:"ops"` // the operations that it applies to
	Parameters []Parameter `json:"parameters,omitempty"`
	Proof                  // with the defaults of its parameters

	// other values of its parameters, and what the client then observes
	Examples []Example `json:"examples,omitempty"`

	act func(*exchange)
}

// Example is a fault with parameters.
type Example struct {
	Do Do `json:"do"` // with the parameters that are not the defaults
	Proof
}

// Proof describes a fault with certain parameters, and how it is detected.
type Proof struct {
	Does string `json:"does"` // what the client observes

	// dispatch executes the request, whatever the client receives
	Done bool `json:"done"`

	// the check of the conformance suite that detects it; left out: none does
	NoticedBy string `json:"noticedBy,omitempty"`
	Unnoticed string `json:"unnoticed,omitempty"` // why no check detects it

	Op Op `json:"op,omitempty"` // the one operation that it is meant for; left out: those of the fault

	was string // the name that an earlier program stored for it; "": none
	on  Op     // the operation used to prove the check; "": all operations
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

	// the other parameter without which it has no effect, as NAME or NAME=VALUE, and the one
	// with which it has none; "": there is none
	with, without string
}

// Catalogue lists all faults, by group.
func Catalogue() []Fault {
	all := slices.Clone(catalogue().all)
	for i := range all {
		all[i].Ops = slices.Clone(all[i].Ops)
		all[i].Parameters = slices.Clone(all[i].Parameters)
		all[i].Examples = slices.Clone(all[i].Examples)
	}
	return all
}

type index struct {
	all    []Fault
	byName map[string]*Fault
	before map[string]Example // by the names that earlier programs stored
}

var catalogue = sync.OnceValue(func() *index {
	c := &index{all: slices.Concat(transportFaults(), httpFaults(), outcomeFaults(), semanticFaults(), fleetFaults())}
	c.byName = make(map[string]*Fault, len(c.all))
	c.before = make(map[string]Example)
	for i := range c.all {
		f := &c.all[i]
		if f.Ops == nil {
			f.Ops = Ops()
		}
		if c.byName[f.Name] != nil {
			panic(fmt.Sprintf("fault: two are called %s", f.Name))
		}
		c.byName[f.Name] = f
		for j := range f.Examples {
			f.Examples[j].Do.Kind = f.Name
		}
		for _, x := range f.All() {
			if x.was != "" {
				c.before[x.was] = x
			}
		}
	}
	return c
})

// All returns the fault with the defaults of its parameters, and its examples.
func (f *Fault) All() []Example {
	return append([]Example{{Do{Kind: f.Name}, f.Proof}}, f.Examples...)
}

// Renamed returns the present fault for a name from an earlier version; false: there was none of that name.
func Renamed(name string) (Example, bool) {
	x, known := catalogue().before[name]
	return x, known
}

// String returns the example as arguments of 'cabrank fault add'.
func (x Example) String() string {
	if x.Op == "" {
		return x.Do.String()
	}
	return x.Do.String() + " --op " + string(x.Op)
}

// String returns the fault as an argument of 'cabrank fault add', such as
// "close reset=true", without the parameters that have their defaults.
func (d Do) String() string {
	words := []string{d.Kind}
	v := reflect.ValueOf(d)
	for i := 1; i < v.NumField(); i++ {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if v.Field(i).IsZero() || catalogue().isDefault(d.Kind, name, v.Field(i)) {
			continue
		}
		word := fmt.Sprintf("%s=%v", name, v.Field(i))
		if d, is := v.Field(i).Interface().(host.Duration); is {
			word = name + "=" + time.Duration(d).String()
		}
		if strings.ContainsAny(word, " \"'<>[]{}") {
			word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func (c *index) isDefault(kind, name string, v reflect.Value) bool {
	f := c.byName[kind]
	if f == nil {
		return false
	}
	p, _ := f.parameter(name)
	return p.isDefault(v)
}

func (p Parameter) isDefault(v reflect.Value) bool {
	return p.Default != nil && reflect.ValueOf(p.Default).Convert(v.Type()).Equal(v)
}

// parameter returns the parameter with a name; false: there is none.
func (f *Fault) parameter(name string) (Parameter, bool) {
	i := slices.IndexFunc(f.Parameters, func(p Parameter) bool { return p.Name == name })
	if i < 0 {
		return Parameter{}, false
	}
	return f.Parameters[i], true
}

// Rule returns a rule that applies the example for a day, which tests use to prove its check.
func (x Example) Rule() Rule {
	return Rule{Match: Match{Op: cmp.Or(x.Op, x.on)}, Window: Window{TTL: host.Duration(24 * time.Hour)}, Do: x.Do}
}

// formOf returns the parameter Form with the possible values, the first of which is the
// default.
func formOf(means string, values ...string) Parameter { return choice("form", means, values...) }

// only returns a parameter that has no effect without the parameter with, or together with the
// parameter without; "": there is no such condition.
func (p Parameter) only(with, without string) Parameter {
	p.with, p.without = with, without
	return p
}

func choice(name, means string, values ...string) Parameter {
	p := Parameter{Name: name, Type: "string", Default: values[0], Means: means}
	for _, v := range values {
		p.OneOf = append(p.OneOf, v)
	}
	return p
}

// shows returns the operations whose responses contain journeys.
func shows() []Op { return []Op{User, Book, Cancel, Status} }
