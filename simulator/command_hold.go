package simulator

import (
	"context"
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// Hold stops a journey and its car: nothing about it changes by itself until
// [World.Release]. Orders still change it. Holding a held journey does nothing.
func (w *World) Hold(ctx context.Context, id taxi.JourneyID) (JourneyView, error) {
	return w.orderJourney(ctx, id, func(ctx context.Context, _ *operator) (store.Ticket, error) {
		n, err := w.operator.live(ctx, id)
		if err == nil {
			w.operator.suspend(n)
			w.jobs.all[n].aside.lapses = false
		}
		return store.Ticket{}, err
	})
}

// Release ends the hold of a journey. Its planned events happen later by the duration of
// the hold, except the release of a booking and its pickup time, which keep their times.
// Releasing a journey that is not held does nothing.
func (w *World) Release(ctx context.Context, id taxi.JourneyID) (JourneyView, error) {
	return w.orderJourney(ctx, id, func(ctx context.Context, _ *operator) (store.Ticket, error) {
		n, err := w.operator.live(ctx, id)
		if err != nil {
			return store.Ticket{}, err
		}
		if a := w.jobs.all[n].aside; a != nil && a.held {
			w.operator.unhold(n)
		}
		return store.Ticket{}, nil
	})
}

// unhold ends the hold of a job.
func (w *operator) unhold(n int32) {
	w.slide(n)
	j := &w.jobs.all[n]
	j.aside.held, j.aside.lapses = false, false
	if j.car != none {
		w.fleet.cars[j.car].frozen = 0
	}
	w.restoreEvents(n)
}

// suspend puts a job on hold.
func (w *operator) suspend(n int32) {
	a := w.setAside(n)
	if a.held {
		return
	}
	w.slide(n)
	a.held = true
	w.freeze(&w.jobs.all[n])
	w.deferEvents(n)
}

// freeze stops the car of a held job where it is.
func (w *operator) freeze(j *job) {
	if j.aside != nil && j.aside.held && j.car != none {
		w.fleet.cars[j.car].frozen = w.now
	}
}

// setAside stops a job from progressing by itself, and returns the state of that.
func (w *operator) setAside(n int32) *aside {
	j := &w.jobs.all[n]
	if j.aside == nil {
		j.aside = &aside{since: w.now}
	}
	w.keeping.touchJob(n)
	return j.aside
}

// deferEvents removes the job's events that must wait from the queue, and the job from the
// current batch.
func (w *operator) deferEvents(n int32) {
	a := w.jobs.all[n].aside
	a.parked = append(a.parked, w.queue.take(func(e *event) bool {
		return e.stamp != 0 && e.job == n && a.parks(e.kind) && w.jobs.current(e)
	})...)
	w.batch = slices.DeleteFunc(w.batch, func(e event) bool {
		waits := e.job == n && w.jobs.current(&e)
		if waits {
			e.at = w.now
			a.parked = append(a.parked, e)
		}
		return waits
	})
}

// restoreEvents puts parked events back into the queue, unless they must still wait. A job without
// a reason to wait progresses by itself again.
func (w *operator) restoreEvents(n int32) {
	j := &w.jobs.all[n]
	a := j.aside
	w.keeping.touchJob(n)
	w.slide(n)
	parked := a.parked
	a.parked = nil
	slices.SortFunc(parked, byTime)
	byItself := !a.held && len(a.script) == 0
	if byItself {
		j.aside = nil
	}
	for _, e := range parked {
		if w.jobs.current(&e) {
			w.plan(e)
		}
	}
	if !byItself {
		return
	}
	switch j.journey.Status { // these times depend on the pickup time
	case taxi.Held:
		w.desk.replan(j)
		w.desk.hold(n)
	case taxi.Accepted:
		w.desk.replan(j)
		w.rides.accepted(n)
	}
}

// dueAt returns when a job's car is expected at its destination.
func (w *operator) dueAt(j *job) moment {
	a := j.aside
	if a == nil {
		return j.due
	}
	waits := w.now - a.since
	to := taxi.Arrived
	if j.journey.Status == taxi.POB {
		to = taxi.Complete
	}
	at := a.next
	if a.held {
		at += waits
	}
	for i, s := range a.script {
		if i > 0 {
			at = at.add(s.after())
		}
		if s.To == to {
			return at
		}
	}
	return j.due + waits
}

// suspended reports whether a journey waits for an order, for [dispatch.Options].Suspended.
func (w *operator) suspended(j *store.Journey) bool {
	n, ok := w.jobs.of(j)
	return ok && w.jobs.all[n].aside != nil
}
