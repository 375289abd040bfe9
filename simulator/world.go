// Package simulator gives a dispatch system a town full of cars, with a clock of its
// own.
//
// A [World] is a virtual clock, a seed, a queue of events, a fleet, and a
// [dispatch.Service] over a store. Bookings enter through the service; the world
// finds a driver, drives to the door, waits for the passenger and drops them
// off, so that the five operations answer what a dispatch office with cars would
// answer.
//
// Nothing ticks. An event happens at its moment and plans the next; where a car
// is in between follows from its route. Every command and every event is a turn,
// and turns happen one at a time, so the same seed and the same commands at the
// same moments give the same world, to the byte of its recording. The clock runs
// with the wall, up to [MaxSpeed] times as fast, or is moved by hand.
package simulator

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/fare"
	"github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/store"
)

// Records is what a world needs of a store; [store.Store] has it.
type Records interface {
	dispatch.Records
	// LatestUpdate is when a journey was last changed, by the clock of the world
	// that changed it; zero when there is none.
	LatestUpdate(context.Context) time.Time
	// Users is everybody who is known.
	Users(context.Context) ([]*store.User, error)
}

// Options is what a world may be given; the zero value is a calm town whose
// clock is moved by hand.
type Options struct {
	Seed  uint64           // everything that is left to chance follows from it
	Start time.Time        // the clock at first; zero: the wall's time, or [Epoch] without a wall
	Wall  func() time.Time // nil: the clock is moved by hand only
	Speed int              // how much faster than the wall the clock runs, up to [MaxSpeed]; 0: it stands still

	// Callers says whose clock callers mean when they name a time. See [Clock.SetCallers].
	Callers Callers `json:"-"`

	Cars      int              // how many there are; 0: 40, or as many as there are Crews
	Crews     []Crew           // who they are, the first Cars of them; nil: those of [Crews]
	Town      *town.Town       `json:"-"` // its streets, places and ranks; nil: an open plane
	Places    []fixtures.Place // what is known in town; nil: the Town's, else the fixtures'. From and to an airport prices are agreed
	Roads     Roads            // nil: the Town's [Streets], else straight lines around Centre
	Centre    taxi.Point       // where the town is when there are neither Roads nor a Town; zero: in the North Sea
	Behaviour Behaviour        // how people behave; zero: calm
	Shifts    []Shift          // when drivers work; nil: by the [Roster] if the behaviour has shifts, else always
	Assigner  Assigner         // who is asked first; nil: [Soonest]
	Demand    Demand           // how much the residents book; zero: not at all
	Tariffs   *fare.Tariffs    // nil: [fare.Council]

	Policy *dispatch.Policy    // nil: [dispatch.DefaultPolicy]
	System taxi.ConfigResponse // what /config answers; see [dispatch.Options]
	IDs    dispatch.IDForm     `json:",omitempty"` // how new ids look

	Sweep  string          // cron line, in UTC, of when missed timers are looked for; "": every minute
	Record io.Writer       // receives a JSON line for each change and each command, see [ReadRecording]; nil: nothing
	Recipe json.RawMessage // how the maker of this world would make it again, for the recording's header
	Log    *slog.Logger    // nil: silent

	repetition *repetition // of another run; nil: this is the first
}

// Epoch is when a world without a wall clock begins by default.
var Epoch = time.Date(2026, time.June, 1, 8, 0, 0, 0, time.UTC)

// World is a town with its clock, cars and bookings. Its methods are safe for
// concurrent use, except those of [dispatch.Fleet], which its service calls.
type World struct {
	service *dispatch.Service
	records Records
	log     *slog.Logger

	mu          sync.Mutex // held for a turn
	left        func()     // ends it: [World.leave], which costs nothing to hand out again and again
	seed        uint64
	time        timeline
	now         moment // of the turn under way, or the last one
	seq         uint64 // of the last event planned
	queue       queue
	fleet       *fleet
	jobs        jobs
	batch       []event     // jobs to be assigned together
	openings    []OpenJob   // space for them
	cars        []Candidate // … and their candidates
	found       []int32     // … and of those the numbers
	roads       Roads
	assigner    Assigner
	behaviour   Behaviour
	fares       *fare.Table
	shifts      []shiftTimes
	demand      *demand
	airports    []Spot
	places      []fixtures.Place
	town        *town.Town // nil: an open plane
	sweepAt     cron.Schedule
	swept       int // jobs that the sweep under way has looked at
	pruneAt     cron.Schedule
	recorder    recorder
	clientNow   func() time.Time // the client's clock; nil: this world's
	callers     Callers          // whose clock clients mean
	clientShown moment           // what that clock showed when it was last asked in this turn
	writes      uint64           // changes that the store was asked to make, while there is a recording
	refused     map[uint64]bool  // those of them to refuse, since the run being repeated was refused them
	subscribers []*subscriber
	commanded   *commanded // the step of an order that is being obeyed; nil: there is none
	supplies    []Supply
	nextScripts []NextScriptOrder // for bookings to come, the first first

	residentBooks bool // the booking under way is one of [Options].Demand
	counts        counts

	stale       chan struct{} // something is forgotten and not deleted
	pace        pace
	attended    bool          // Run attends to the events
	asleepUntil moment        // what Run waits for
	wake        chan struct{} // wakes Run
}

var _ dispatch.Fleet = (*World)(nil)

// New makes a world over its records. Journeys that are under way in them go on
// from where they were; the clock then starts no earlier than the last change.
func New(ctx context.Context, records Records, o Options) (*World, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	w := &World{
		records:   records,
		log:       o.Log,
		seed:      o.Seed,
		fleet:     newFleet(o.Seed, o.Crews, o.Roads, ranksOf(o.Town)),
		jobs:      jobs{bySerial: make(map[uint64]int32)},
		roads:     o.Roads,
		assigner:  o.Assigner,
		behaviour: o.Behaviour,
		airports:  airports(o.Places),
		places:    o.Places,
		town:      o.Town,
		recorder:  recorder{out: o.Record, log: o.Log},
		wake:      make(chan struct{}, 1),
		stale:     make(chan struct{}, 1),
	}
	if w.sweepAt, w.pruneAt, err = schedules(o.Sweep); err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	if w.fares, err = fare.New(*o.Tariffs); err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	if w.assigner.Pool() == PoolClearing {
		low, high := extent(o.Roads)
		w.fleet.clearing = newGrid(low, high, len(o.Crews))
	}
	w.now = momentOf(o.Start)
	if last := records.LatestUpdate(ctx); !last.IsZero() {
		w.now = max(w.now, momentOf(last))
	}
	w.left = w.leave
	w.time = timeline{wall: o.Wall, speed: int64(o.Speed)}
	w.time.move(w.now)
	serving := dispatch.Options{
		Policy:  o.Policy,
		Enter:   w.Enter,
		Clock:   func() dispatch.Clock { return dispatch.Clock{Speed: int(w.time.speed), Lives: w.pace.lives} },
		Reroute: w.reroute,

		Suspended: w.suspended,
		CheckData: checkSimulate,
		Fleet:     w,
		System:    o.System,
		Area:      o.Roads.Centre().Point(),
		Places:    gazetteer(&o),
		Seed:      o.Seed,
		IDs:       o.IDs,
		Log:       o.Log,
	}
	if err := w.beginRecording(ctx, &o, &serving); err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	w.service = dispatch.New(w.records, serving)
	w.resume()
	if err := w.begin(&o); err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	return w, nil
}

// begin plans the events that repeat for as long as the world runs.
func (w *World) begin(o *Options) error {
	if err := w.planShifts(o.Shifts); err != nil {
		return err
	}
	if err := w.planDemand(o); err != nil {
		return err
	}
	w.plan(event{at: momentOf(w.sweepAt.Next(w.now.time())), kind: evSweep})
	w.plan(event{at: momentOf(w.pruneAt.Next(w.now.time())), kind: evForget})
	return nil
}

// Service returns the dispatch system of this world.
func (w *World) Service() *dispatch.Service { return w.service }

// Enter begins a turn: it waits for the turn under way, lets everything happen
// that is due, and returns the time and the function that ends the turn. A world
// that cannot keep up with its clock is not held up further: Run catches up, and
// the turn is at the moment that it has come to.
func (w *World) Enter() (now time.Time, leave func()) {
	w.mu.Lock()
	if !w.attended || !w.pace.behind() {
		w.catchUp()
	}
	return w.now.time(), w.left
}

// leave ends a turn, and wakes Run if an event is due before Run would wake.
func (w *World) leave() {
	if next, ok := w.queue.next(); ok && next < w.asleepUntil {
		w.wakeRun()
	}
	w.mu.Unlock()
}

// wakeRun wakes Run, to look at the queue again.
func (w *World) wakeRun() {
	select {
	case w.wake <- struct{}{}:
	default: // it is about to wake
	}
}

// happenBy makes the next event happen, at its own moment, if that is not after until.
func (w *World) happenBy(until moment) bool {
	at, ok := w.queue.next()
	if !ok || at > until {
		return false
	}
	w.now = max(w.now, at)
	w.counts.events++
	w.happen(w.queue.pop())
	return true
}
