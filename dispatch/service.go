package dispatch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// Records is what the service needs of a store; [store.Store] has it.
type Records interface {
	// Apply runs one rule with its changes as a unit; the ticket waits for them
	// to be durable.
	Apply(func(*store.Tx) error) (store.Ticket, error)
	Journey(context.Context, taxi.JourneyID) (*store.Snapshot, error)
	User(context.Context, taxi.UserID) (*store.User, error)
	UserByPhone(context.Context, taxi.E164) (*store.User, error)
	Live(context.Context, taxi.UserID) []*store.Snapshot
	AllLive() []*store.Snapshot
	Prune(ctx context.Context, before store.Before) (int, error)
	Healthy() error
}

// Fleet is what the service asks of the cars. Its methods are called within a
// turn, so they need no lock against one another.
type Fleet interface {
	// Quote prices a journey and, for one to be dispatched now, says how long a
	// car would take to the pickup. Either may be nil: not known.
	Quote(now time.Time, j *store.Journey) (*taxi.Price, *taxi.ETA)
	// Track says where a journey's car is and how long it will be. Either may be
	// nil: not known.
	Track(now time.Time, j *store.Journey) (*taxi.Point, *taxi.ETA)
	// Pickup is how long a car would take to a typical passenger; nil: not known.
	Pickup(now time.Time) *taxi.ETA
	// FlagFall is what a journey that begins now costs at least; nil: not known.
	FlagFall(now time.Time) *taxi.Price
	// Changed is called for each change of a journey, in the order of the
	// changes, when nothing can undo them any more.
	Changed(Change)
}

// Change is one change of a journey. Its journeys are shared: Before is valid
// during the call, After until the journey changes again. Do not write to them.
type Change struct {
	At     time.Time
	Event  Event          // what happened; EventEdit for an edit that moved no status
	Before *store.Journey // nil for a new journey
	After  *store.Journey
}

// EventEdit is an edit that leaves the status as it was. It is no transition.
const EventEdit Event = "edit"

// Options configures a service. The zero value, with Now set, is an office
// without cars.
type Options struct {
	Policy *Policy // nil: DefaultPolicy

	// Now reads the clock; it may be nil where Enter is set.
	Now func() time.Time
	// Enter begins a turn: it returns the time of the turn and the function that
	// ends it. No other turn runs in between, so that a world can put commands
	// and its own events in one order. Nil: turns run at once, at the time of Now.
	Enter func() (now time.Time, leave func())

	// ClientNow reads the clock of the client where it differs from the service's
	// own, as in a world that runs faster than the wall; false: it does not at
	// present. A pickup time is then as far ahead here as it is there, and Date
	// goes on saying what was asked for. It is called at most once in a turn. Nil:
	// both go by one clock.
	ClientNow func(asked time.Time) (time.Time, bool)

	// Clock says how the service's clock runs, for /version; it is called within a
	// turn. Nil: nothing is said.
	Clock func() Clock

	// CheckData refuses plugin data of a booking that the fleet cannot make sense of;
	// nil: all of it is taken.
	CheckData func(json.RawMessage) *taxi.FieldError

	// Commands observes each command within its turn, after the changes it made.
	// It must be quick and must not call the service. Nil: no observer.
	Commands func(Command)

	// Suspended reports whether a journey waits for whoever runs the world, so that
	// [Service.Sweep] leaves it alone; it is called within a turn. Nil: none does.
	Suspended func(*store.Journey) bool

	// Reroute returns the drive on which an edit sends the journey's car. It is
	// stored together with the edit. The edit may still be undone, so Reroute must
	// change nothing. Nil, or a nil drive: the car goes on as before.
	Reroute func(before, after *store.Journey) *store.Drive

	Fleet  Fleet               // nil: no cars
	System taxi.ConfigResponse // what /config answers at first; no status: OK
	Places Gazetteer           // what /places lists
	Area   taxi.Point          // the middle of the area served, see Policy.AreaRadius
	Seed   uint64              // journey and user ids follow from it
	IDs    IDForm              // how those look
	Log    *slog.Logger        // nil: silent
}

// Service is the dispatch system: the five operations over its records. It is a
// [taxi.Dispatcher], safe for concurrent use.
type Service struct {
	records   Records
	policy    Policy
	enter     func() (time.Time, func())
	clientNow callersClock
	clock     func() Clock
	checkData func(json.RawMessage) *taxi.FieldError
	commands  func(Command)
	reroute   func(before, after *store.Journey) *store.Drive
	suspended func(*store.Journey) bool
	fleet     Fleet
	area      taxi.Point
	places    Gazetteer
	ids       ids
	log       *slog.Logger
	system    systemState
	phones    *phoneReader
	txns      sync.Pool // of *txn
	forgotten atomic.Pointer[store.Before]
}

var _ taxi.Dispatcher = (*Service)(nil)

// New returns a dispatch system over its records.
func New(records Records, opts Options) *Service {
	s := &Service{
		records:   records,
		policy:    DefaultPolicy(),
		enter:     opts.Enter,
		clientNow: opts.ClientNow,
		clock:     opts.Clock,
		checkData: opts.CheckData,
		commands:  opts.Commands,
		reroute:   opts.Reroute,
		suspended: opts.Suspended,
		fleet:     opts.Fleet,
		area:      opts.Area,
		places:    Gazetteer{opts.Places.Town, append([]Place{}, opts.Places.Places...)},
		ids:       newIDs(opts.Seed, opts.IDs),
		log:       opts.Log,
	}
	if opts.Policy != nil {
		s.policy = *opts.Policy
	}
	if s.enter == nil {
		s.enter = func() (time.Time, func()) { return opts.Now(), func() {} }
	}
	if s.fleet == nil {
		s.fleet = noFleet{}
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.forgotten.Store(&store.Before{})
	s.system.set(opts.System)
	s.phones = newPhoneReader(s.policy.DefaultRegion)
	return s
}

// Policy returns the rules this service runs with.
func (s *Service) Policy() *Policy { return &s.policy }

// ErrVoid means that an event does not apply any more: its journey was cancelled,
// edited or accepted by another driver in the meantime. That is no error of
// anybody.
var ErrVoid = errors.New("event is void")

// Step is one event for one journey, as the fleet reports it.
type Step struct {
	Journey taxi.JourneyID
	Event   Event
	Offered int32                  // the revision that was offered; for EventAccept
	Forced  bool                   // no guard is asked
	To      taxi.Status            // for [EventForce]: the status to be put into
	Set     func(j *store.Journey) // fills in what only the fleet knows: a driver, a final price; nil: nothing
}

// Advance moves a journey one row along the table of [Transitions], at now. It
// must be called within a turn. It does not wait for the disk, since a restarted
// world can repeat what was lost. An event without a row, or whose guard does
// not hold, is [ErrVoid].
func (s *Service) Advance(now time.Time, step Step) (*store.Journey, error) {
	tx := s.txn()
	defer tx.release()
	tx.now, tx.step, tx.rule = now, step, (*txn).advance
	if _, err := s.records.Apply(tx.run); err != nil {
		return nil, fmt.Errorf("%s journey %s: %w", step.Event, step.Journey, err)
	}
	return tx.after, nil
}

// move takes j along the row of the table for step: it changes the status, has
// the row's effects, stores j and reports the change.
func (s *Service) move(tx *txn, now time.Time, j *store.Journey, step Step) error {
	row, ok := s.rowFor(now, j, step)
	if !ok {
		return fmt.Errorf("at %s: %w", j.Status, ErrVoid)
	}
	before, err := tx.Peek(j.JourneyID)
	if err != nil {
		return err
	}
	s.follow(now, j, row)
	if step.Set != nil {
		step.Set(j)
	}
	s.put(tx, now, j, before, step.Event)
	return nil
}

// follow gives j the status of a row, and has the row's effects.
func (s *Service) follow(now time.Time, j *store.Journey, row Transition) {
	enterStatus(j, row.To)
	for _, e := range row.Effects {
		e.apply(s, now, j)
	}
}

// put stores a changed journey, which must not be written to afterwards.
func (s *Service) put(tx *txn, now time.Time, j, before *store.Journey, ev Event) {
	j.UpdatedAt = now
	tx.PutJourney(j)
	tx.changes = append(tx.changes, Change{At: now, Event: ev, Before: before, After: j})
}

// noFleet is a dispatch office without cars.
type noFleet struct{}

func (noFleet) Quote(time.Time, *store.Journey) (*taxi.Price, *taxi.ETA) { return nil, nil }
func (noFleet) Track(time.Time, *store.Journey) (*taxi.Point, *taxi.ETA) { return nil, nil }
func (noFleet) Pickup(time.Time) *taxi.ETA                               { return nil }
func (noFleet) FlagFall(time.Time) *taxi.Price                           { return nil }
func (noFleet) Changed(Change)                                           {}

// Clock is how the clock of a world runs.
type Clock struct {
	Speed int `json:"speed"`           // seconds in one of the wall's; 0: it is moved by hand
	Lives int `json:"lives,omitempty"` // the speed that the machine manages; 0: that of Speed
}
