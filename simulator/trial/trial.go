// Package trial tests a dispatch system by whole days of a town, with many faults.
//
// A run is a small town with a seed: cars, people who do not do as agreed, and a
// voice platform that books, edits, cancels and follows journeys through the HTTP
// handler. Answers are lost after the booking was made, so the platform asks again.
// Requests come twice, late and broken. The disk is full for a while. The process
// ends between two events and starts again with what was durable. After every event
// and every call the run checks its rules.
//
// A run follows from its seed alone, so a failure can be repeated: [Failure.Line] is
// the command for it, and [Shrink] finds a smaller run that breaks the same rule.
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
	defaultCars  = 12
	defaultRides = 150
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
	Faults    Faults // what goes wrong besides the people's behaviour; may be [SeededFaults]

	Only  []int // the rides that are asked for, by number; nil: all
	Event int   // after which to stop, one more at the most; 0: at the end

	Scratch string    // a folder for databases: some runs then keep their bookings in SQLite; "": none does
	Record  io.Writer // receives the recordings of the run's worlds, one after another; nil: nothing

	// Contract checks each answer beyond what the run itself checks; nil: no check.
	Contract func(path string, status int, body []byte) error
	// Handler and Records wrap the handler and the records, to show that the run
	// finds what is wrong with them; nil: no wrapper.
	Handler func(http.Handler) http.Handler
	Records func(simulator.Records) simulator.Records
}

// Outcome is the result of a run.
type Outcome struct {
	Events   int // of the world and calls of the platform, each followed by a check
	Calls    int // that reached the service
	Journeys int // booked
	Crashes  int
	Coverage Coverage
	Failure  *Failure // nil: no rule was broken
}

// Run makes a run, to its end or to the first broken rule. An error means that the run
// itself failed: ctx ended, or no database could be opened.
func Run(ctx context.Context, o Options) (Outcome, error) {
	d, err := newDay(ctx, o.withDefaults())
	if err != nil {
		return Outcome{}, fmt.Errorf("trial with seed %d: %w", o.Seed, err)
	}
	err = d.run()
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
