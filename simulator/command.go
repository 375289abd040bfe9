package simulator

import (
	"bytes"
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

// order is a command of whoever runs the world. Each is one turn. The recording has it as
// JSON under its name, so that a replay gives it again. What an order says for later (a hold,
// a script, a supply, a car off duty) is not in the records: a world that is made again over
// them does not know it. What it did to journeys and users is.
type order interface {
	name() string
	// carryOut obeys, within a turn. What it refuses is a [Refusal] and has changed nothing.
	carryOut(ctx context.Context, w *World) (outcome, error)
}

// outcome is what came of an order.
type outcome struct {
	journey taxi.JourneyID
	user    taxi.UserID
	ticket  store.Ticket // waits for the disk
}

// newOrder makes an empty order of a name, to be read into; nil: there is none.
func newOrder(name string) order {
	for _, o := range []order{
		new(TransitionOrder), new(holdOrder), new(releaseOrder), new(ReassignOrder), new(ScriptOrder), new(NextScriptOrder), new(forgetScriptsOrder),
		new(dutyOrder), new(positionOrder), new(BreakdownOrder), new(Supply), new(endSupplyOrder), new(putUserOrder), new(forgetUserOrder),
	} {
		if o.name() == name {
			return o
		}
	}
	return nil
}

// readOrder reads an order from a recording.
func readOrder(name string, text json.RawMessage) (order, error) {
	o := newOrder(name)
	if o == nil {
		return nil, errors.New("it is not known here")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return o, d.Decode(o)
}

// RefusalKind says why an order was refused.
type RefusalKind string

// Why orders are refused.
const (
	RefusedUnknown  RefusalKind = "not-found" // there is no such journey, vehicle or user
	RefusedConflict RefusalKind = "conflict"  // it does not fit how things stand now
	RefusedInvalid  RefusalKind = "invalid"   // it could never be obeyed
)

// Subject is what an order is about.
type Subject string

// What orders are about.
const (
	OfJourney Subject = "journey"
	OfVehicle Subject = "vehicle"
	OfUser    Subject = "user"
)

// Refusal is the error of an order that was not obeyed. Nothing was changed.
type Refusal struct {
	Kind   RefusalKind
	Of     Subject // what it is that is unknown; "" for another kind
	Field  string  // JSON Pointer to what is wrong in the order; "" where it is the whole
	Detail string
	Status taxi.Status // of the journey that the order was about; "" if it was about none
	Legal  []Way       // where that journey could go instead
}

// Error implements error.
func (r *Refusal) Error() string { return r.Detail }

func refuse(kind RefusalKind, field, format string, args ...any) *Refusal {
	return &Refusal{Kind: kind, Field: field, Detail: fmt.Sprintf(format, args...)}
}

// unknown refuses an order about something that there is not.
func unknown(of Subject, field, format string, args ...any) *Refusal {
	r := refuse(RefusedUnknown, field, format, args...)
	r.Of = of
	return r
}

// Way is a step that a journey may take to another status. See [dispatch.Transitions].
type Way struct {
	To    taxi.Status    `json:"to"`
	Event dispatch.Event `json:"event"`
	When  string         `json:"when,omitempty"` // the condition, in words
}

// waysFrom lists the steps out of a status.
func waysFrom(s taxi.Status) []Way {
	var ways []Way
	for _, t := range dispatch.Ways(s) {
		ways = append(ways, Way{t.To, t.Event, t.When})
	}
	return ways
}

// inWords lists ways for a person to read.
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

// obey gives an order its turn and waits for the disk. What is to be seen in the same turn
// is looked at by look, unless that is nil or the order is refused.
func (w *World) obey(ctx context.Context, o order, look func()) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	out, err := w.turnOf(context.WithoutCancel(ctx), o, look)
	if err != nil {
		return err
	}
	return out.ticket.Wait(ctx)
}

// turnOf is the turn of an order.
func (w *World) turnOf(ctx context.Context, o order, look func()) (outcome, error) {
	_, leave := w.Enter()
	defer leave()
	out, err := o.carryOut(ctx, w)
	w.recordOrder(o, out, err)
	if err == nil && look != nil {
		look()
	}
	return out, err
}

// recordOrder writes an order into the recording. One that was refused is written too:
// what it asked of the store counts.
func (w *World) recordOrder(o order, out outcome, err error) {
	if w.recorder.silent() {
		return
	}
	line := commandLine{At: w.now, Op: o.name(), Request: request(o), Journey: out.journey, User: out.user}
	if err != nil {
		line.Journey, line.User, line.Refused = "", "", codeOf(err)
	}
	w.recorder.command(line)
}

// codeOf is what a recording calls an error of an order.
func codeOf(err error) taxi.Code {
	if r, ok := errors.AsType[*Refusal](err); ok {
		return taxi.Code(r.Kind)
	}
	if errors.Is(err, store.ErrUnavailable) {
		return taxi.CodeStorageUnavailable
	}
	return taxi.CodeInternal
}

// repeat gives a recorded order again. A refusal is an outcome and no error here.
func (w *World) repeat(ctx context.Context, o order) error {
	err := w.obey(ctx, o, nil)
	if err == nil || codeOf(err) != taxi.CodeInternal {
		return nil
	}
	return fmt.Errorf("%s: %w", o.name(), err)
}

// standing is a journey as it stands, and the number of its job; none if it has ended.
func (w *World) standing(ctx context.Context, id taxi.JourneyID) (*store.Journey, int32, error) {
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

// live is standing for an order that only a journey under way or booked ahead can obey.
func (w *World) live(ctx context.Context, id taxi.JourneyID) (int32, error) {
	j, n, err := w.standing(ctx, id)
	if err == nil && n == none {
		r := refuse(RefusedConflict, "", "journey %s is over, at %s", id, j.Status)
		r.Status = j.Status
		err = r
	}
	return n, err
}

// JourneyView is a journey as those see it who run the world.
type JourneyView struct {
	taxi.Journey // as /status answers

	UserID        taxi.UserID     `json:"userId"`
	VehicleID     string          `json:"vehicleId,omitempty"` // the car that has it
	Category      string          `json:"vehicleCategory,omitempty"`
	BookingData   json.RawMessage `json:"bookingData,omitempty"`   // data of /book
	CreatedAt     time.Time       `json:"createdAt"`               // by the world's clock
	UpdatedAt     time.Time       `json:"updatedAt"`               // by the world's clock
	Held          bool            `json:"held"`                    // nothing of it moves by itself
	Script        []ScriptStep    `json:"script,omitempty"`        // what is still to come of its script
	ScriptStopped string          `json:"scriptStopped,omitempty"` // why its script ended early
	Ways          []Way           `json:"ways"`                    // where it may go from here
}

// Journey returns a journey as it stands; a [Refusal] if there is none.
func (w *World) Journey(ctx context.Context, id taxi.JourneyID) (JourneyView, error) {
	_, leave := w.Enter()
	defer leave()
	j, n, err := w.standing(ctx, id)
	if err != nil {
		return JourneyView{}, err
	}
	return w.view(j, n), nil
}

// JourneyViews returns journeys that were listed as they stand now, all at one moment.
func (w *World) JourneyViews(listed []*store.Snapshot) (now time.Time, views []JourneyView) {
	now, leave := w.Enter()
	defer leave()
	views = make([]JourneyView, len(listed))
	for i, snap := range listed {
		j, n := snap.Journey, int32(none)
		if live, ok := w.jobs.of(snap.Journey); ok {
			j, n = w.jobs.all[live].journey, live
		}
		views[i] = w.view(j, n)
	}
	return now, views
}

// view makes the view of a journey, within a turn.
func (w *World) view(j *store.Journey, n int32) JourneyView {
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

// orderJourney obeys an order about a journey, and returns how that stands after it.
func (w *World) orderJourney(ctx context.Context, id taxi.JourneyID, o order) (v JourneyView, err error) {
	var seen error
	err = w.obey(ctx, o, func() {
		var j *store.Journey
		var n int32
		if j, n, seen = w.standing(context.WithoutCancel(ctx), id); seen == nil {
			v = w.view(j, n)
		}
	})
	return v, errors.Join(err, seen)
}
