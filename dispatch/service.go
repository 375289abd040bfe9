package dispatch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// Records is the part of a store that the service needs; [store.Store] implements it.
type Records interface {
	// Apply runs one rule with its changes as a transaction; the ticket waits until they are
	// durable.
	Apply(func(*store.Tx) error) (store.Ticket, error)
	Journey(context.Context, taxi.JourneyID) (*store.Snapshot, error)
	User(context.Context, taxi.UserID) (*store.User, error)
	UserByPhone(context.Context, taxi.E164) (*store.User, error)
	Live(context.Context, taxi.UserID) []*store.Snapshot
	AllLive() []*store.Snapshot
	Prune(ctx context.Context, before store.Before) (int, error)
	Healthy() error
}

// Fleet gives the service information about cars. Its methods are called within a turn, so
// they need no lock against each other.
type Fleet interface {
	// Quote returns the price of a journey and, for immediate dispatch, the time until a car
	// reaches the pickup. Either may be nil: not known.
	Quote(now time.Time, j *store.Journey) (*taxi.Price, *taxi.ETA)
	// Track returns the location and the ETA of a journey's car. Either may be nil: not
	// known.
	Track(now time.Time, j *store.Journey) (*taxi.Point, *taxi.ETA)
	// Pickup returns how long a car needs to a typical passenger; nil: not known.
	Pickup(now time.Time) *taxi.ETA
	// FlagFall returns the minimum price of a journey that starts now; nil: not known.
	FlagFall(now time.Time) *taxi.Price
	// Changed is called for each change of a journey, in order, after the change can no
	// longer be undone.
	Changed(Change)
}

// Change is one change of a journey. Its journeys are shared: Before is valid
// during the call, After until the journey changes again. Do not write to them.
type Change struct {
	At     time.Time
	Event  Event          // the event; EventEdit for an edit without a change of status
	Before *store.Journey // nil for a new journey
	After  *store.Journey
}

// EventEdit is an edit that does not change the status. It is not a transition.
const EventEdit Event = "edit"

// Options configures a service. The zero value, with Now set, is an office
// without cars.
type Options struct {
	Policy *Policy // nil: DefaultPolicy

	// Now reads the clock; it may be nil where Enter is set.
	Now func() time.Time
	// Enter starts a turn: it returns the time of the turn and the function that ends it. No
	// other turn runs in between, so that a world can order commands and its own events.
	// Nil: turns run at once, at the time of Now.
	Enter func() (now time.Time, leave func())

	// ClientNow returns the client's time if it differs from the service's, as in a world
	// that runs faster than real time; false: it does not differ at present. The journey's
	// pickup is then as far ahead on the service's clock as the requested one is on the
	// client's, and Date still shows the requested time. It is called at most once in a
	// turn. Nil: both use the same clock.
	ClientNow func(asked time.Time) (time.Time, bool)

	// Clock describes the service's clock for /version; it is called within a turn. Nil:
	// /version has no clock.
	Clock func() Clock

	// Suspended reports whether a journey waits for the operator, so that [Service.Sweep]
	// skips it; it is called within a turn. Nil: none does.
	Suspended func(*store.Journey) bool

	// Reroute returns the new drive of the journey's car after an edit. It is stored together
	// with the edit. The edit may still be undone, so Reroute must change nothing. Nil, or a
	// nil drive: the drive does not change.
	Reroute func(before, after *store.Journey) *store.Drive

	Fleet  Fleet               // nil: no cars
	System taxi.ConfigResponse // initial answer of /config; no status: OK
	Places Gazetteer           // answer of /places
	Area   taxi.Point          // centre of the service area, see Policy.AreaRadius
	Seed   uint64              // seed of journey and user ids
	IDs    IDForm              // form of the ids
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

// Policy returns the service's policy.
func (s *Service) Policy() *Policy { return &s.policy }

// ErrVoid means that an event no longer applies: its journey was cancelled, edited or
// accepted by another driver in the meantime. This is expected.
var ErrVoid = errors.New("event is void")

// Step is one event for one journey, as the fleet reports it.
type Step struct {
	Journey taxi.JourneyID
	Event   Event
	Offered int32                  // the revision that was offered; for EventAccept
	Forced  bool                   // guards are ignored
	To      taxi.Status            // for [EventForce]: the new status
	Set     func(j *store.Journey) // sets fields that only the fleet knows: a driver, a final price; nil: none
}

// Advance applies one row of [Transitions] to a journey at now. It must be called within a
// turn. It does not wait for the disk, since a restarted world can repeat lost steps. It
// returns [ErrVoid] for an event without a row, or if the guard does not hold.
func (s *Service) Advance(now time.Time, step Step) (*store.Journey, error) {
	tx := s.txn()
	defer tx.release()
	tx.now, tx.step, tx.rule = now, step, (*txn).advance
	if _, err := s.records.Apply(tx.run); err != nil {
		return nil, fmt.Errorf("%s journey %s: %w", step.Event, step.Journey, err)
	}
	return tx.after, nil
}

// move applies the row for step to j: it changes the status, applies the effects, stores j
// and reports the change.
func (tx *txn) move(now time.Time, j *store.Journey, step Step) error {
	s := tx.service
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
	tx.put(now, j, before, step.Event)
	return nil
}

// follow sets the status of a row in j and applies the row's effects.
func (s *Service) follow(now time.Time, j *store.Journey, row Transition) {
	enterStatus(j, row.To)
	for _, e := range row.Effects {
		e.apply(s, now, j)
	}
}

// put stores a changed journey, which must not be written to afterwards.
func (tx *txn) put(now time.Time, j, before *store.Journey, ev Event) {
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

// Clock describes the clock of a world.
type Clock struct {
	Speed int `json:"speed"`           // seconds per second of real time; 0: it is advanced by hand
	Lives int `json:"lives,omitempty"` // the speed that the machine reaches; 0: that of Speed
}
