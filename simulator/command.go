package simulator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// order executes a command of the world's operator, within a turn of its own. The ticket
// waits for the disk. If it returns a [Refusal], nothing has changed. Changes of journeys
// and users are stored in the records. Settings for the future (a hold, a script, a
// car off duty) are not, unless there is a [Keeper].
type order func(ctx context.Context, w *operator) (store.Ticket, error)

// RefusalKind is the reason why an order was refused.
type RefusalKind string

// The kinds of refusals.
const (
	RefusedUnknown  RefusalKind = "not-found" // there is no such journey, vehicle or user
	RefusedConflict RefusalKind = "conflict"  // the current state does not allow it
	RefusedInvalid  RefusalKind = "invalid"   // it is never valid
)

// Subject is the kind of object that an order is about.
type Subject string

// The subjects.
const (
	OfJourney Subject = "journey"
	OfVehicle Subject = "vehicle"
	OfUser    Subject = "user"
)

// Refusal is the error of an order that was not executed. Nothing was changed.
type Refusal struct {
	Kind   RefusalKind
	Of     Subject // the kind of object that does not exist; "" for other kinds
	Field  string  // JSON Pointer to the invalid member of the order; "" for the whole order
	Detail string
	Status taxi.Status // status of the journey; "" if the order is not about a journey
	Legal  []Way       // the transitions that this journey allows
}

// Error implements error.
func (r *Refusal) Error() string { return r.Detail }

func refuse(kind RefusalKind, field, format string, args ...any) *Refusal {
	return &Refusal{Kind: kind, Field: field, Detail: fmt.Sprintf(format, args...)}
}

// unknown returns the refusal of an order about something that does not exist.
func unknown(of Subject, field, format string, args ...any) *Refusal {
	r := refuse(RefusedUnknown, field, format, args...)
	r.Of = of
	return r
}

// Way is a possible transition to another status. See [dispatch.Transitions].
type Way struct {
	To    taxi.Status    `json:"to"`
	Event dispatch.Event `json:"event"`
	When  string         `json:"when,omitempty"` // the condition, in words
}

// waysFrom lists the transitions from a status.
func waysFrom(s taxi.Status) []Way {
	var ways []Way
	for _, t := range dispatch.Ways(s) {
		ways = append(ways, Way{t.To, t.Event, t.When})
	}
	return ways
}

// inWords lists transitions as text.
func inWords(from taxi.Status, ways []Way) string {
	if len(ways) == 0 {
		return fmt.Sprintf("nothing follows %s", from)
	}
	var to []string
	for _, way := range ways {
		to = append(to, fmt.Sprintf("%s by %s", way.To, way.Event))
	}
	return fmt.Sprintf("from %s it goes to %s", from, strings.Join(to, ", "))
}

// executeOrder executes an order in a turn and waits for the disk. look is called in the same turn,
// unless it is nil or the order is refused.
func (w *World) executeOrder(ctx context.Context, o order, look func()) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	made, kept, err := w.turnOf(context.WithoutCancel(ctx), o, look)
	if err != nil {
		return err
	}
	return errors.Join(made.Wait(ctx), kept.Wait(ctx))
}

// turnOf runs the turn of an order. The tickets wait for its changes, and for the orders
// for later.
func (w *World) turnOf(ctx context.Context, o order, look func()) (made, kept store.Ticket, err error) {
	_, leave := w.Enter()
	defer leave()
	if made, err = o(ctx, w.operator); err != nil {
		return made, kept, err
	}
	w.keeping.touch()
	err = w.keeping.orders()
	kept = w.keeping.latest()
	if look != nil {
		look()
	}
	return made, kept, err
}

// standing returns a journey and the number of its job, which is none if the journey has ended.
func (w *operator) standing(ctx context.Context, id taxi.JourneyID) (*store.Journey, int32, error) {
	snap, err := w.service.Find(ctx, id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, none, unknown(OfJourney, "", "there is no journey %q", id)
	case err != nil:
		return nil, none, err
	}
	if n, ok := w.jobs.of(snap.Journey); ok {
		return w.jobs.all[n].journey, n, nil
	}
	return snap.Journey, none, nil
}

// live returns the job of a journey, or a [Refusal] if the journey has ended.
func (w *operator) live(ctx context.Context, id taxi.JourneyID) (int32, error) {
	j, n, err := w.standing(ctx, id)
	if err == nil && n == none {
		r := refuse(RefusedConflict, "", "journey %s is over, at %s", id, j.Status)
		r.Status = j.Status
		err = r
	}
	return n, err
}

// JourneyView is a journey with the details that the world's operator sees.
type JourneyView struct {
	taxi.Journey // as /status returns it

	UserID        taxi.UserID     `json:"userId"`
	VehicleID     string          `json:"vehicleId,omitempty"` // the assigned car
	Category      string          `json:"vehicleCategory,omitempty"`
	BookingData   json.RawMessage `json:"bookingData,omitempty"`   // data of /book
	CreatedAt     time.Time       `json:"createdAt"`               // by the world's clock
	UpdatedAt     time.Time       `json:"updatedAt"`               // by the world's clock
	Held          bool            `json:"held"`                    // it does not change by itself
	Script        []ScriptStep    `json:"script,omitempty"`        // the remaining steps of its script
	ScriptStopped string          `json:"scriptStopped,omitempty"` // why its script ended early
	Ways          []Way           `json:"ways"`                    // possible transitions
}

// Journey returns the current state of a journey; a [Refusal] if it does not exist.
func (w *World) Journey(ctx context.Context, id taxi.JourneyID) (JourneyView, error) {
	_, leave := w.Enter()
	defer leave()
	j, n, err := w.operator.standing(ctx, id)
	if err != nil {
		return JourneyView{}, err
	}
	return w.operator.view(j, n), nil
}

// JourneyViews returns the current state of listed journeys, all at one time.
func (w *World) JourneyViews(listed []*store.Snapshot) (now time.Time, views []JourneyView) {
	now, leave := w.Enter()
	defer leave()
	views = make([]JourneyView, len(listed))
	for i, snap := range listed {
		j, n := snap.Journey, int32(none)
		if live, ok := w.jobs.of(snap.Journey); ok {
			j, n = w.jobs.all[live].journey, live
		}
		views[i] = w.operator.view(j, n)
	}
	return now, views
}

// view returns a journey as the operator sees it, within a turn.
func (w *operator) view(j *store.Journey, n int32) JourneyView {
	v := JourneyView{
		Journey: w.service.View(w.now.time(), j), UserID: j.UserID, VehicleID: j.VehicleID, Category: j.Category,
		BookingData: j.PluginData, CreatedAt: j.CreatedAt, UpdatedAt: j.UpdatedAt, Ways: waysFrom(j.Status),
	}
	if v.Ways == nil {
		v.Ways = []Way{}
	}
	if n == none {
		return v
	}
	job := &w.jobs.all[n]
	v.ScriptStopped = job.scriptStopped
	if a := job.aside; a != nil {
		v.Held, v.Script = a.held, append([]ScriptStep(nil), a.script...)
	}
	return v
}

// orderJourney executes an order about a journey, and returns the journey's new state.
func (w *World) orderJourney(ctx context.Context, id taxi.JourneyID, o order) (v JourneyView, err error) {
	var seen error
	err = w.executeOrder(ctx, o, func() {
		var j *store.Journey
		var n int32
		if j, n, seen = w.operator.standing(context.WithoutCancel(ctx), id); seen == nil {
			v = w.operator.view(j, n)
		}
	})
	return v, errors.Join(err, seen)
}
