package simulator

import (
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// decide settles, once for each journey, what its passenger will do: come or
// not, or lose patience.
func (w *World) decide(n int32) {
	j := &w.jobs.all[n]
	if j.decided {
		return
	}
	j.decided = true
	draw := newStream(w.seed, drawFate, j.key, 0)
	j.noShow = draw.chance(w.behaviour.NoShow) || j.whim == whimNoShow
	if draw.chance(w.behaviour.Cancel) {
		const patience = 6 * time.Minute // on the average
		w.plan(event{at: w.now.add(draw.exponential(patience)), stamp: j.born, kind: evQuit, job: n, car: none})
	}
}

// quit cancels a journey whose passenger will not wait any longer, unless the
// car is there by now.
func (w *World) quit(e event) {
	switch w.jobs.all[e.job].journey.Status {
	case taxi.Held, taxi.Waiting, taxi.Accepted, taxi.EnRoute:
		w.step(e, dispatch.EventCancel, nil)
	}
}

// meet plans what happens at the door. Nobody boards before the pickup time. The
// driver rings somebody who keeps him waiting: he stays for one who answers and
// is on the way, and leaves as soon as he may when nobody does.
func (w *World) meet(n int32) {
	j := &w.jobs.all[n]
	ready := max(w.now, momentOf(j.journey.Date.Time))
	leave := momentOf(w.service.Policy().NoShowAt(j.journey))
	boards := min(w.boards(j, ready), leave.add(latest))
	if contact := ready.add(contactAfter); j.noShow || contact < boards {
		w.schedule(contact, evContact, n, j.car)
	}
	if j.noShow {
		w.schedule(leave, evNoShow, n, j.car)
	} else {
		w.schedule(boards, evBoard, n, j.car)
	}
}

// boards is when the passenger will be in the car.
func (w *World) boards(j *job, ready moment) moment {
	draw := newStream(w.seed, drawBoarding, j.key, j.tries)
	out := w.now.add(min(draw.exponential(boardingMean), boardingMost))
	if late := w.behaviour.Lateness; late > 0 {
		return max(out, ready.add(draw.skewed(late)))
	}
	return max(out, ready)
}

// board takes the passenger on board and sets off.
func (w *World) board(e event) {
	j := &w.jobs.all[e.job]
	w.step(e, dispatch.EventBoard, func(r *store.Journey) {
		since := max(momentOf(r.ArrivedAt), momentOf(r.Date.Time))
		j.meter.start(w.fares, since)
		j.meter.stand(w.fares, since, w.now.sub(since))
		r.Leg = w.ride(e.job)
	})
}

// mishap decides whether the driver will give a job back on the way to the
// pickup, or break down.
func (w *World) mishap(n int32) {
	j := &w.jobs.all[n]
	draw := newStream(w.seed, drawMishap, j.key, j.tries)
	luck := int(draw.below(10_000))
	kind := evDrop
	switch b := &w.behaviour; {
	case j.whim == whimDrop && !j.dropped:
		j.dropped = true
	case luck < b.Breakdown:
		kind = evBreakdown
	case luck >= b.Breakdown+b.Drop:
		return
	}
	at := w.now.add(draw.between(0, j.due.sub(w.now)))
	w.plan(event{at: at, stamp: j.born, kind: kind, job: n, car: j.car})
}

// drop takes a driver off a job that he cannot or will not do. A car that broke
// down is off duty for a while.
func (w *World) drop(e event) {
	j := &w.jobs.all[e.job]
	if j.car != e.car || j.journey.Status == taxi.POB {
		return
	}
	own := !w.fleet.cars[e.car].partner
	if w.step(e, dispatch.EventDrop, nil) && own && e.kind == evBreakdown {
		w.lay(e.car, repairTime)
	}
}
