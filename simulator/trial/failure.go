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

// Line is the command that shows the failure again.
func (f *Failure) Line() string {
	o := f.Options
	line := []string{"cabrank simulate", "--seed", strconv.FormatUint(o.Seed, 10)}
	set := func(flag, value, usual string) {
		if value != usual {
			line = append(line, flag, value)
		}
	}
	set("--days", strconv.Itoa(o.Days), "1")
	set("--cars", strconv.Itoa(o.Cars), strconv.Itoa(usualCars))
	set("--rides", strconv.Itoa(o.Rides), strconv.Itoa(usualRides))
	set("--behaviour", o.Behaviour, usualBehaviour)
	set("--faults", o.Faults.String(), AllFaults.String())
	if o.Only != nil {
		set("--only", joined(o.Only), "")
	}
	return strings.Join(append(line, "--event", strconv.Itoa(f.Event)), " ")
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
