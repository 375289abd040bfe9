// Package simulator gives a dispatch system a town full of cars, with a clock of its
// own.
//
// A [World] is a virtual clock, a seed, a queue of events, a fleet, and a
// [dispatch.Service] with its store. Bookings come from the service; the world finds a
// driver, drives to the door, waits for the passenger and drops them off, so that the
// five operations return what a dispatch office with real cars would return.
//
// There is no ticker. An event happens at its time and plans the next one; the position
// of a car in between is computed from its route. Every command and every event is a
// turn, and turns happen one at a time, so the same seed and the same commands at the
// same times give the same world and the same changes. The clock follows the
// wall clock, up to [MaxSpeed] times as fast, or is moved by hand.
package simulator

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/assign"
	"github.com/cabrank/cabrank/simulator/crew"
	"github.com/cabrank/cabrank/simulator/demand"
	"github.com/cabrank/cabrank/simulator/fare"
	"github.com/cabrank/cabrank/simulator/road"
	"github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/store"
)

// Records are the methods that a world needs of a store; [store.Store] has them.
type Records interface {
	dispatch.Records
	// LatestUpdate returns when a journey was last changed, by the clock of the world
	// that changed it; zero if there are no journeys.
	LatestUpdate(context.Context) time.Time
	// Users returns all users.
	Users(context.Context) ([]*store.User, error)
}

// Options configures a world; the zero value is a calm town whose clock is moved by hand.
type Options struct {
	Seed  uint64           // everything random depends on it
	Start time.Time        // initial time of the clock; zero: the wall clock's, or [Epoch] without a wall clock
	Wall  func() time.Time // nil: the clock is moved by hand only
	Speed int              // how much faster than the wall the clock runs, up to [MaxSpeed]; 0: it stands still

	// Callers is the clock that callers use when they name a time. See
	// [Clock.SetCallers].
	Callers Callers

	Cars      int              // number of cars; 0: 40, or the number of Crews
	Crews     []crew.Crew      // the cars and drivers; the first Cars of them are used; nil: those of [crew.First]
	Town      *town.Town       // its streets, places and ranks; nil: an open plane
	Places    []fixtures.Place // known places; nil: the Town's, or else the fixtures'. Prices to and from an airport are fixed
	Roads     road.Roads       // nil: the Town's [road.Streets], else straight lines around Centre
	Centre    taxi.Point       // centre of the town if there are neither Roads nor a Town; zero: in the North Sea
	Behaviour Behaviour        // how people behave; zero: calm
	Shifts    []crew.Shift     // when drivers work; nil: the [crew.Roster] if the behaviour has shifts, otherwise always
	Assigner  assign.Assigner  // selects the driver to ask; nil: [assign.Soonest]
	Demand    demand.Demand    // how much the residents book; zero: not at all
	Tariffs   *fare.Tariffs    // nil: [fare.Council]

	Policy *dispatch.Policy    // nil: [dispatch.DefaultPolicy]
	System taxi.ConfigResponse // the response of /config; see [dispatch.Options]
	IDs    dispatch.IDForm     // the form of new ids

	Sweep string       // cron line, in UTC, for the sweep for missed timers; "": every minute
	Log   *slog.Logger // nil: silent

	// Keep stores orders for later, and the time of a clock that is moved by hand; nil: a
	// world with the same records does not have them.
	Keep     Keeper
	Standing json.RawMessage // orders for later of an earlier world with these records, which this one continues; nil: none
}

// Epoch is the default start of a world without a wall clock.
var Epoch = time.Date(2026, time.June, 1, 8, 0, 0, 0, time.UTC)

// World is a town with its clock, cars and bookings. Its methods are safe for
// concurrent use.
type World struct {
	*core

	mu   sync.Mutex // held during a turn
	left func()     // [World.leave], allocated only once
	attention
}

// core is the state of a world, which its parts share: the clock and the queue of events,
// the cars, and the jobs, which are the journeys under way. It is used within turns.
type core struct {
	service *dispatch.Service
	records Records
	log     *slog.Logger

	seed          uint64
	time          timeline
	now           moment // time of the current turn, or of the last one
	queue         queue
	happens       func(event) // [core.happen], allocated only once
	fleet         *fleet
	jobs          jobs
	roads         road.Roads
	assigner      assign.Assigner
	behaviour     Behaviour
	fares         fares
	shifts        []crew.Times
	residents     *demand.Residents // nil: nobody books
	residentBooks bool              // the current booking is a resident's
	places        []fixtures.Place
	town          *town.Town // nil: an open plane
	counts        counts
	assigning
	clients
	orders
	keeping *keeping // nil: nobody keeps the orders for later
	upkeep

	seq         uint64 // of the last change of a journey
	subscribers []*subscriber

	desk     *desk
	offers   *offers
	rides    *rides
	operator *operator
	roster   *roster
	restart  *restart
}

// assigning holds the jobs that are assigned together, and reusable buffers.
type assigning struct {
	batch    []event
	openings []assign.OpenJob
	cars     []road.Candidate // of the openings
	found    []int32          // the numbers of candidates
}

// The parts of a world.
type (
	// desk is the fleet as the service sees it: what follows from a change of a journey,
	// what a journey costs, and where its car is.
	desk struct{ *core }
	// offers finds a driver for a job.
	offers struct{ *core }
	// rides takes a car with a job from door to door, and its passenger.
	rides struct{ *core }
	// operator executes the orders about journeys and cars.
	operator struct{ *core }
	// roster has the drivers begin and end their shifts, and rest.
	roster struct{ *core }
	// restart continues the journeys and the orders of an earlier world.
	restart struct{ *core }
)

var _ dispatch.Fleet = (*desk)(nil)

// fares determines the prices of journeys.
type fares struct {
	*fare.Table

	airports []road.Spot // prices to and from them are fixed
}

// Service returns the dispatch system of this world.
func (w *World) Service() *dispatch.Service { return w.service }

// subscriber receives transitions.
type subscriber struct {
	to chan Transition
	fn func(Transition) // nil: transitions are sent to the channel
}
