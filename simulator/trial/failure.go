package trial

import (
	"fmt"
	"time"
)

// Failure is a rule that a run broke.
type Failure struct {
	Options Options // of the run
	Event   int     // after which it was found, counted from 1
	At      time.Time
	Rule    string // its name, such as "edge"
	Detail  string

	rides []int // rides that had begun
}

// Line returns the command that repeats the failure. It leaves out options that follow
// from the seed.
func (f *Failure) Line() string {
	o := f.Options
	o.Event = f.Event
	usual := Options{Seed: o.Seed, Faults: SeededFaults}
	return fmt.Sprintf("go test ./simulator/trial -run TestOneDay -day '%s'", o.recipe().beside(usual.recipe()).encoded())
}

// String describes in one line what was broken, when, and how.
func (f *Failure) String() string {
	return fmt.Sprintf("seed=%d event=%d at %s: %s: %s", f.Options.Seed, f.Event, f.At.Format(time.DateTime), f.Rule, f.Detail)
}
