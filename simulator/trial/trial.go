// Package trial tests a dispatch system by whole days of a town, with many faults.
//
// A run is a small town with a seed: cars, people who do not act as agreed, and a voice
// platform that books, edits, cancels and follows journeys through the HTTP handler.
// Responses are lost after the booking was made, so the platform repeats requests.
// Requests arrive twice, late and broken. The disk is full for a while. The process ends
// between two events and starts again with what was durable. After every event and every
// call the run checks its rules.
//
// A run follows from its seed alone, so a failure can be repeated: [Failure.Line] is
// the command for it, and [Shrink] finds a smaller run that breaks the same rule.
package trial

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/cabrank/cabrank/simulator"
)

// The default size of a day: small enough for a thousand days in two minutes, large
// enough for a queue at the rank at six o'clock.
const (
	defaultCars  = 12
	defaultRides = 150
)

// Options configures a run; the zero value is one day of the first town without faults.
// Options that may be [Seeded] follow from the seed unless they are set.
type Options struct {
	Seed  uint64
	Days  int // duration; 0: one day
	Cars  int // 0: 12
	Rides int // rides per day; 0: 150

	Town      string // none or otterbridge; "": [Seeded]
	Assigner  string // nearest, eta, batch, rank or clear; "": [Seeded]
	Demand    string // bookings of its residents: none, quiet, town, or a number per hour; "": [Seeded]
	Behaviour string // calm, typical or stormy; "": [Seeded]
	Faults    Faults // faults besides the people's behaviour; may be [SeededFaults]

	Only  []int // numbers of the rides to run; nil: all
	Event int   // event after which to stop, or at most one later; 0: run to the end

	Scratch string // a folder for databases: some runs then store their bookings in SQLite; "": none does

	// Contract checks each response in addition to the run's own checks; may be nil.
	Contract func(path string, status int, body []byte) error
	// Handler and Records wrap the handler and the records, to prove that the run detects
	// their errors; may be nil.
	Handler func(http.Handler) http.Handler
	Records func(simulator.Records) simulator.Records
}

// Outcome is the result of a run.
type Outcome struct {
	Events   int // events of the world and requests of the platform, each followed by a check
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
