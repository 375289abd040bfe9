// Package trial tries a dispatch system out, a town's whole day at a time, while
// everything goes wrong that can.
//
// A run is a small town with a seed: cars, people who do not do as they said, and
// a voice platform that books, edits, cancels and follows journeys through the
// HTTP handler. Answers get lost after the booking was made, so the platform asks
// again; requests come twice, late and broken; the disk fills up; the process
// dies between two events and comes back with what was durable. After every event
// and every call the rules of the house are held against what can be seen, see
// [Rules].
//
// Nothing in a run is left to chance but what follows from its seed, so a broken
// rule can be shown again: [Failure.Line] is the command that does it, and
// [Shrink] finds a smaller run that breaks the same rule.
package trial

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/cabrank/cabrank/simulator"
)

// The size of a day, unless [Options] says otherwise: small enough for a thousand
// days in two minutes, large enough for a queue at the rank at six o'clock.
const (
	usualCars  = 12
	usualRides = 150
)

// Options is what a run is made from; the zero value is one day of the first town
// without faults. What may be [Seeded] follows from the seed unless it is chosen.
type Options struct {
	Seed  uint64
	Days  int // how long it goes on; 0: one day
	Cars  int // 0: 12
	Rides int // that callers want each day; 0: 150

	Town      string // none, or the metres that its streets reach, from 2000 to 8000; "": [Seeded]
	Assigner  string // nearest, eta, batch, rank or clear; "": [Seeded]
	Demand    string // what its people book besides: none, quiet, town, or how many an hour; "": [Seeded]
	Behaviour string // calm, typical or stormy; "": [Seeded]
	Faults    Faults // what goes wrong beside the people; may be [SeededFaults]

	Only  []int // the rides that are asked for, by number; nil: all
	Event int   // after which to stop, one more at the most; 0: at the end

	Scratch string    // a folder for databases: some runs then keep their bookings in SQLite; "": none does
	Record  io.Writer // receives the recordings of the run's worlds, see [ReadRecording]; nil: nothing

	// Contract judges each answer beyond what the run itself knows; nil: nobody does.
	Contract func(path string, status int, body []byte) error
	// Handler and Records stand between the run and what it tries out, to show
	// that a fault there is found; nil: nothing does.
	Handler func(http.Handler) http.Handler
	Records func(simulator.Records) simulator.Records
}

// Outcome is what a run came to.
type Outcome struct {
	Events   int // of the world and calls of the platform, each followed by a check
	Calls    int // that reached the service
	Journeys int // booked
	Crashes  int
	Coverage Coverage
	Failure  *Failure // nil: no rule was broken
}

// Run lets a run happen, to its end or to the first broken rule. The error is of
// the run itself: ctx ended, or no database could be opened.
func Run(ctx context.Context, o Options) (Outcome, error) {
	d, err := newDay(ctx, o.withDefaults())
	if err != nil {
		return Outcome{}, fmt.Errorf("trial with seed %d: %w", o.Seed, err)
	}
	err = d.pass()
	if closing := d.disk.close(); err == nil {
		err = closing
	}
	if err != nil {
		return d.outcome, fmt.Errorf("trial with seed %d: %w", o.Seed, err)
	}
	return d.outcome, nil
}

// began is when every run begins: a Monday, an hour before the first rides.
var began = time.Date(2026, time.June, 1, 4, 0, 0, 0, time.UTC)
