package simulator

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// Keeper stores what a world has only in memory, so that the next world with its records
// continues with it. The world calls it within its turns, so it must be quick and must not
// call the world. The tickets wait for the disk: an order, and a clock that is moved by
// hand, return after that. A script that a booking has taken is stored after the booking,
// at the latest in the next commit, which the booking does not wait for.
type Keeper interface {
	// KeepOrders stores the orders for later, as JSON for [Options].Standing. It is called
	// in each turn that has changed them.
	KeepOrders(text []byte) (store.Ticket, error)
	// KeepTime stores the time of a clock that was moved by hand, for [Options].Start.
	KeepTime(now time.Time) (store.Ticket, error)
}

// keeping is what a world with a [Keeper] knows of it.
type keeping struct {
	keeper Keeper
	due    bool           // the orders may have changed since they were stored
	last   []byte         // the orders as last stored
	jobs   map[int32]bool // numbers of the jobs that orders may have changed
	time   moment         // of the clock, as last stored
	ticket store.Ticket   // of the latest call of the keeper
}

// noOrders is the JSON of no orders.
const noOrders = "{}"

// newKeeping returns nil if nobody keeps the orders.
func newKeeping(o *Options) *keeping {
	if o.Keep == nil {
		return nil
	}
	k := &keeping{keeper: o.Keep, due: true, last: []byte(noOrders), jobs: map[int32]bool{}}
	if len(o.Standing) > 0 {
		k.last = o.Standing
	}
	return k
}

// touch notes that the orders may have changed.
func (w *World) touch() {
	if w.keeping != nil {
		w.keeping.due = true
	}
}

// touchJob notes that an order may have changed a job.
func (w *World) touchJob(n int32) {
	if w.keeping != nil {
		w.keeping.due, w.keeping.jobs[n] = true, true
	}
}

// touchChanged notes that a journey has changed: orders about it may have ended.
func (w *World) touchChanged(n int32) {
	if w.keeping != nil && w.keeping.jobs[n] {
		w.keeping.due = true
	}
}

// keepOrders stores the orders for later if they have changed, within a turn. After an
// error the next turn tries again.
func (w *World) keepOrders() error {
	k := w.keeping
	if k == nil || !k.due {
		return nil
	}
	text, err := json.Marshal(w.ordersForLater())
	if err != nil {
		return fmt.Errorf("keep the orders for later: %w", err)
	}
	if bytes.Equal(text, k.last) {
		k.due = false
		return nil
	}
	ticket, err := k.keeper.KeepOrders(text)
	if err != nil {
		return fmt.Errorf("keep the orders for later: %w", err)
	}
	k.ticket, k.last, k.due = ticket, text, false
	return nil
}

// keepChanges is keepOrders where nobody waits. The log tells when the store cannot take
// them, since it refuses all other changes, too.
func (w *World) keepChanges() {
	if w.keeping != nil && w.keeping.due {
		_ = w.keepOrders()
	}
}

// keptTicket returns the ticket of what was last stored, within a turn.
func (w *World) keptTicket() store.Ticket {
	if w.keeping == nil {
		return store.Ticket{}
	}
	return w.keeping.ticket
}

// keepTime stores the time of a clock that was moved by hand, and waits for the disk.
func (w *World) keepTime(ctx context.Context) error {
	if w.keeping == nil {
		return nil
	}
	ticket, err := w.keepMoment()
	if err == nil {
		err = ticket.Wait(ctx)
	}
	if err != nil {
		return fmt.Errorf("keep the clock's time: %w", err)
	}
	return nil
}

func (w *World) keepMoment() (store.Ticket, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	k := w.keeping
	if k.time == w.now {
		return k.ticket, nil
	}
	ticket, err := k.keeper.KeepTime(w.now.time())
	if err == nil {
		k.ticket, k.time = ticket, w.now
	}
	return ticket, err
}

// standingOrders is the JSON of the orders for later. What time alone changes in the world
// does not change it: a duration that grows during a hold is relative to the hold.
type standingOrders struct {
	Journeys []keptJob         `json:"journeys,omitempty"`
	Scripts  []NextScriptOrder `json:"scripts,omitempty"`
	Supplies []Supply          `json:"supplies,omitempty"`
	Cars     []keptCar         `json:"cars,omitempty"`
}

// keptJob is what orders have changed about a journey.
type keptJob struct {
	Journey  taxi.JourneyID `json:"journey"`
	Revision int32          `json:"revision"` // of the journey when this was stored
	Stopped  string         `json:"scriptStopped,omitempty"`
	Aside    *keptAside     `json:"aside,omitempty"`
	Drive    *keptDrive     `json:"drive,omitempty"` // nil: the journey's own
}

// keptAside is an [aside]. Durations count from [aside].since.
type keptAside struct {
	Held    bool         `json:"held,omitempty"`
	Lapses  bool         `json:"lapses,omitempty"`
	Script  []ScriptStep `json:"script,omitempty"`
	Next    time.Time    `json:"next,omitzero"`   // when the next step is due; held: see NextIn
	NextIn  Span         `json:"nextIn,omitzero"` // the same, as a duration
	Due     Span         `json:"due,omitzero"`
	SetOff  Span         `json:"setOff,omitzero"`
	Tries   uint32       `json:"tries,omitempty"`
	Decided bool         `json:"decided,omitempty"`
	NoShow  bool         `json:"noShow,omitempty"`
	Parked  []keptEvent  `json:"parked,omitempty"` // in the order in which they will happen, without the script's
}

// keptEvent is an event that waits.
type keptEvent struct {
	Kind string `json:"kind"`
	In   Span   `json:"in"`
	Born bool   `json:"born,omitempty"` // valid until the journey ends
}

// keptDrive is a drive of a journey's car that differs from the stored one.
type keptDrive struct {
	From    taxi.Point   `json:"from"`
	To      taxi.Point   `json:"to"`
	Departs time.Time    `json:"departs,omitzero"` // held: see Driven
	Driven  Span         `json:"driven,omitzero"`  // how far the car had come
	Meter   *store.Meter `json:"meter,omitempty"`  // with a passenger on board
}

// keptCar is a car that orders have put on or off duty, or that has broken down.
type keptCar struct {
	Vehicle  string    `json:"vehicle"`
	OffDuty  bool      `json:"offDuty,omitempty"`
	Repaired time.Time `json:"repaired,omitzero"` // end of the repair
	OnUntil  time.Time `json:"onUntil,omitzero"`  // on duty although the driver's shift is over; the next shift begins then
}

// ordersForLater returns the orders for later.
func (w *World) ordersForLater() *standingOrders {
	s := &standingOrders{Scripts: w.nextScripts}
	for _, supply := range w.supplies {
		if !supply.over(w.now) {
			s.Supplies = append(s.Supplies, supply)
		}
	}
	for _, n := range w.touchedJobs() {
		if kept, ok := w.keptJob(n); ok {
			s.Journeys = append(s.Journeys, kept)
		} else {
			delete(w.keeping.jobs, n)
		}
	}
	for n := range int32(len(w.fleet.byID)) {
		if kept := w.keptCar(n); kept != (keptCar{Vehicle: kept.Vehicle}) {
			s.Cars = append(s.Cars, kept)
		}
	}
	return s
}
