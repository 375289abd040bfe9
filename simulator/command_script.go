package simulator

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// Limits of a script.
const (
	MaxScript      = 32                  // steps
	maxScriptAfter = 90 * 24 * time.Hour // between two steps: as far as a booking may be ahead
)

// kinds counts the alternatives that a step sets; exactly one is valid.
func (s *ScriptStep) kinds() int {
	count := 0
	for _, wanted := range []bool{s.To != "", s.Drop, s.Hold} {
		if wanted {
			count++
		}
	}
	return count
}

// order returns the step as an order for a journey.
func (s *ScriptStep) order(id taxi.JourneyID) *TransitionOrder {
	if s.Drop {
		return &TransitionOrder{Journey: id, To: taxi.Waiting, Event: dispatch.EventDrop}
	}
	return &TransitionOrder{Journey: id, To: s.To, Event: s.Event, Force: s.Force}
}

// ScriptOrder sets what the driver of a journey does. Until the last step, nothing else
// about the journey changes by itself; after it, the journey continues normally. A step
// that is not possible when it is due ends the script.
type ScriptOrder struct {
	Journey taxi.JourneyID `json:"-"`
	Steps   []ScriptStep   `json:"steps" schema:"maxItems: 32"` // empty: end the current script
}

// Script executes a [ScriptOrder]. It replaces the current script. A script that the
// table of transitions does not allow is refused.
func (w *World) Script(ctx context.Context, o ScriptOrder) (JourneyView, error) {
	return w.orderJourney(ctx, o.Journey, o.carryOut)
}

func (o *ScriptOrder) carryOut(ctx context.Context, w *operator) (store.Ticket, error) {
	n, err := w.live(ctx, o.Journey)
	if err != nil {
		return store.Ticket{}, err
	}
	if err := checkScript(o.Steps, w.jobs.all[n].journey.Status); err != nil {
		return store.Ticket{}, err
	}
	w.endScript(n, "")
	w.beginScript(n, o.Steps)
	return store.Ticket{}, nil
}

// beginScript starts the script of a job, unless it has no steps.
func (w *operator) beginScript(n int32, steps []ScriptStep) {
	if len(steps) == 0 {
		return
	}
	a := w.setAside(n)
	w.slide(n)
	a.script = slices.Clone(steps)
	w.deferEvents(n)
	w.planScript(n)
}

// checkScript refuses steps that cannot follow one another, starting with the journey's
// status.
func checkScript(steps []ScriptStep, at taxi.Status) error {
	if len(steps) > MaxScript {
		return refuse(RefusedInvalid, "/steps", "%d steps, and at most %d are taken", len(steps), MaxScript)
	}
	for i := range steps {
		s := &steps[i]
		field := fmt.Sprintf("/steps/%d", i)
		switch {
		case s.after() < 0 || s.after() > maxScriptAfter:
			return refuse(RefusedInvalid, field+"/after", "is %v, want 0s to %v", s.after(), maxScriptAfter)
		case s.kinds() != 1:
			return refuse(RefusedInvalid, field, "want one of to, drop and hold")
		case s.To == "" && (s.Force || s.Event != ""):
			return refuse(RefusedInvalid, field, "only a step to a status has event or force")
		case s.Hold && i < len(steps)-1:
			return refuse(RefusedInvalid, field, "nothing comes after a hold")
		case s.Hold:
			continue
		case !s.Drop && !s.To.Known():
			return refuse(RefusedInvalid, field+"/to", "%q is none of %v", s.To, taxi.Statuses())
		}
		step := s.order("")
		if !step.Force && !possible(at, step) || step.To == at {
			r := refuse(RefusedInvalid, field, "%s does not become %s here: %s", at, step.To, inWords(at, waysFrom(at)))
			r.Status, r.Legal = at, waysFrom(at)
			return r
		}
		at = step.To
	}
	return nil
}

// possible reports whether the table has a transition from a status, whatever its
// condition.
func possible(from taxi.Status, o *TransitionOrder) bool {
	for _, way := range waysFrom(from) {
		if way.To == o.To && (o.Event == "" || way.Event == o.Event) {
			return true
		}
	}
	return false
}

// planScript plans the next step of a job's script.
func (w *operator) planScript(n int32) {
	j := &w.jobs.all[n]
	j.aside.next = w.now.add(j.aside.script[0].after())
	w.plan(event{at: j.aside.next, stamp: j.born, kind: evScript, job: n, car: none})
}

// playScript performs the next step of a script.
func (w *operator) playScript(e event) {
	j := &w.jobs.all[e.job]
	if j.aside == nil || len(j.aside.script) == 0 {
		return
	}
	w.keeping.touchJob(e.job)
	step := j.aside.script[0]
	if j.aside.script = j.aside.script[1:]; len(j.aside.script) > 0 {
		w.planScript(e.job)
	} else {
		w.restoreEvents(e.job)
	}
	if step.Hold {
		w.suspend(e.job)
		return
	}
	o := step.order(j.journey.JourneyID)
	ev, err := w.transitionEvent(j.journey, o)
	if err == nil {
		err = w.take(j.journey, e.job, ev, o)
	}
	if err != nil {
		w.log.Info("a script ends before its end", slog.String("journey", string(o.Journey)), slog.Any("reason", err))
		w.endScript(e.job, err.Error())
	}
}

// endScript removes the rest of a job's script, and stores why; "": it ended normally.
// Unless the job is held, it progresses by itself again.
func (w *operator) endScript(n int32, why string) {
	j := &w.jobs.all[n]
	j.scriptStopped = why
	w.keeping.touchJob(n)
	if j.aside == nil || len(j.aside.script) == 0 {
		return
	}
	j.aside.script = nil
	voids := func(e *event) bool { return e.kind == evScript && e.stamp != 0 && e.job == n }
	w.queue.take(voids)
	left := j.aside.parked[:0]
	for _, e := range j.aside.parked {
		if !voids(&e) {
			left = append(left, e)
		}
	}
	j.aside.parked = left
	if !j.aside.held {
		w.restoreEvents(n)
	}
}

// MaxNextScripts limits how many scripts may wait for a booking.
const MaxNextScripts = 500

// ScriptNext executes a [NextScriptOrder]. It returns how many scripts wait for a
// booking.
func (w *World) ScriptNext(ctx context.Context, o NextScriptOrder) (waiting int, err error) {
	err = w.executeOrder(ctx, o.carryOut, func() { waiting = len(w.nextScripts) })
	return waiting, err
}

func (o *NextScriptOrder) carryOut(_ context.Context, w *operator) (store.Ticket, error) {
	if err := checkScript(o.Steps, taxi.Waiting); err != nil && checkScript(o.Steps, taxi.Held) != nil {
		return store.Ticket{}, err
	}
	if len(w.nextScripts) >= MaxNextScripts {
		return store.Ticket{}, refuse(RefusedConflict, "", "%d scripts wait for a booking, which is the most", len(w.nextScripts))
	}
	next := *o
	next.Phone = o.Phone.Digits()
	w.nextScripts = append(w.nextScripts, next)
	return store.Ticket{}, nil
}

// ForgetScripts removes the scripts that wait for a booking.
func (w *World) ForgetScripts(ctx context.Context) error {
	return w.executeOrder(ctx, func(context.Context, *operator) (store.Ticket, error) {
		w.nextScripts = nil
		return store.Ticket{}, nil
	}, nil)
}

// giveScript gives a new journey the first waiting script that matches.
func (w *operator) giveScript(n int32) {
	if len(w.nextScripts) == 0 || w.residentBooks {
		return
	}
	j := &w.jobs.all[n]
	for i := range w.nextScripts {
		next := w.nextScripts[i]
		if next.Phone != "" && next.Phone != j.journey.Passenger.PhoneNumber.Digits() {
			continue
		}
		w.nextScripts = append(w.nextScripts[:i:i], w.nextScripts[i+1:]...)
		w.keeping.touchJob(n)
		if err := checkScript(next.Steps, j.journey.Status); err != nil {
			j.scriptStopped = refusalText(err)
			return
		}
		w.beginScript(n, next.Steps)
		return
	}
}

// refusalText returns the text of an error, with the invalid member of a refusal.
func refusalText(err error) string {
	if r, ok := errors.AsType[*Refusal](err); ok && r.Field != "" {
		return fmt.Sprintf("%s: %s", r.Field, r.Detail)
	}
	return err.Error()
}
