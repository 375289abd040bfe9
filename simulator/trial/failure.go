package trial

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Failure is a rule that a run broke.
type Failure struct {
	Options Options // of the run
	Event   int     // after which it was found, counted from 1
	At      time.Time
	Rule    string // its name in [Rules]
	Detail  string

	rides []int // that had been asked for
}

// Line is the command that shows the failure again. What follows from the seed is
// not repeated.
func (f *Failure) Line() string {
	line := []string{"cabrank simulate", "--seed", strconv.FormatUint(f.Options.Seed, 10)}
	usual := Options{Seed: f.Options.Seed, Faults: SeededFaults}.flags()
	for i, flag := range f.Options.flags() {
		if flag != usual[i] {
			line = append(line, "--"+flag.Name, flag.Value)
		}
	}
	return strings.Join(append(line, "--event", strconv.Itoa(f.Event)), " ")
}

// flag is an option as 'cabrank simulate' takes it.
type flag struct{ Name, Value string }

// flags lists what a run is made from, always in one order, but for its seed and
// where it stops.
func (o Options) flags() []flag {
	o = o.withDefaults()
	only := ""
	if o.Only != nil {
		only = joined(o.Only)
	}
	return []flag{
		{"days", strconv.Itoa(o.Days)},
		{"cars", strconv.Itoa(o.Cars)},
		{"rides", strconv.Itoa(o.Rides)},
		{"town", o.Town},
		{"assign", o.Assigner},
		{"demand", o.Demand},
		{"behaviour", o.Behaviour},
		{"faults", o.Faults.String()},
		{"only", only},
	}
}

// String says in one line what was broken, when, and how.
func (f *Failure) String() string {
	return fmt.Sprintf("seed=%d event=%d at %s: %s: %s", f.Options.Seed, f.Event, f.At.Format(time.DateTime), f.Rule, f.Detail)
}

// joined lists numbers as --only takes them.
func joined(numbers []int) string {
	if len(numbers) == 0 {
		return "none"
	}
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ",")
}
