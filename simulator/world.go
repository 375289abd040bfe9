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
	"io"
	"log/slog"
	"sync"
	"time"

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

	mu       sync.Mutex // held for a turn
	left     func()     // ends it: [World.leave], which costs nothing to hand out again and again
	seed     uint64
	time     timeline
	now      moment // of the turn under way, or the last one
	queue    queue
	happens  func(event) // makes an event happen: [World.happen]
	fleet    *fleet
	jobs     jobs
	roads    Roads
	assigner Assigner
	assigning
	behaviour   Behaviour
	fares       fares
	shifts      []shiftTimes
	demand      demand
	places      []fixtures.Place
	town        *town.Town // nil: an open plane
	recorder    recorder
	subscribers []*subscriber
	counts      counts
	clients
	orders
	upkeep
	attention
}

var _ dispatch.Fleet = (*World)(nil)

// fares are what journeys cost.
type fares struct {
	*fare.Table

	airports []Spot // prices from and to them are agreed
}

// Service returns the dispatch system of this world.
func (w *World) Service() *dispatch.Service { return w.service }

// subscriber receives transitions.
type subscriber struct {
	to chan Transition
	fn func(Transition) // nil: they are sent
}
