package simulator

import (
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/chance"
	"github.com/cabrank/cabrank/store"
)

// decidePassenger decides, once per journey, whether its passenger will come, and whether
// and when they will cancel.
func (w *rides) decidePassenger(n int32) {
	j := &w.jobs.all[n]
	if j.passengerDecided {
		return
	}
	j.passengerDecided = true
	draw := chance.New(w.seed, chance.Fate, j.key, 0)
	j.noShow = draw.Chance(w.behaviour.NoShow)
	if draw.Chance(w.behaviour.Cancel) {
		const patience = 6 * time.Minute // the mean
		w.plan(event{at: w.now.add(draw.Exponential(patience)), stamp: j.born, kind: evCancel, job: n, car: none})
	}
}

// cancelByPassenger cancels a journey whose passenger does not wait any longer, unless
// the car has arrived.
func (w *rides) cancelByPassenger(e event) {
	switch w.jobs.all[e.job].journey.Status {
	case taxi.Held, taxi.Waiting, taxi.Accepted, taxi.EnRoute:
		w.desk.step(e, dispatch.EventCancel, nil)
	}
}

// waitForPassenger plans the events at the pickup. Nobody boards before the pickup time.
// The driver calls a passenger who is late. If the passenger answers, the driver waits;
// if not, the driver leaves as soon as the rules allow.
func (w *rides) waitForPassenger(n int32) {
	j := &w.jobs.all[n]
	ready := max(w.now, momentOf(j.journey.Date.Time))
	leave := momentOf(w.service.Policy().NoShowAt(j.journey))
	boards := min(w.boardingTime(j, ready), leave.add(mostWait))
	if contact := ready.add(contactAfter); j.noShow || contact < boards {
		w.schedule(contact, evContact, n, j.car)
	}
	if j.noShow {
		w.schedule(leave, evNoShow, n, j.car)
	} else {
		w.schedule(boards, evBoard, n, j.car)
	}
}

// boardingTime returns when the passenger will be in the car.
func (w *rides) boardingTime(j *job, ready moment) moment {
	draw := chance.New(w.seed, chance.Boarding, j.key, uint64(j.tries))
	out := w.now.add(min(draw.Exponential(boardingMean), boardingMost))
	if late := w.behaviour.Lateness; late > 0 {
		return max(out, ready.add(draw.Skewed(late)))
	}
	return max(out, ready)
}

// board takes the passenger on board and starts the drive.
func (w *rides) board(e event) {
	j := w.jobs.draft(e.job)
	w.desk.step(e, dispatch.EventBoard, func(r *store.Journey) {
		since := min(max(momentOf(r.ArrivedAt), momentOf(r.Date.Time)), w.now) // an order may let a passenger board early
		j.meter.Start(w.fares.Table, since.time())
		j.meter.Stand(w.fares.Table, since.time(), w.now.sub(since))
		r.Drive = w.driveToDropoff(j)
	})
}

// noShow ends the driver's wait. If the call to the passenger could not be stored in time, it
// comes first: without one, the journey would not end.
func (w *rides) noShow(e event) {
	if w.jobs.all[e.job].journey.Contacts > 0 || w.desk.step(e, dispatch.EventContact, nil) {
		w.desk.step(e, dispatch.EventNoShow, nil)
	}
}

// planMishap decides whether, on the way to the pickup, the driver will give the job back
// or the car will break down.
func (w *rides) planMishap(n int32) {
	j := &w.jobs.all[n]
	draw := chance.New(w.seed, chance.Mishap, j.key, uint64(j.tries))
	luck := int(draw.Below(10_000))
	kind := evDrop
	switch b := &w.behaviour; {
	case luck < b.Breakdown:
		kind = evBreakdown
	case luck >= b.Breakdown+b.Drop:
		return
	}
	at := w.now.add(draw.Between(0, j.due.sub(w.now)))
	w.plan(event{at: at, stamp: j.born, kind: kind, job: n, car: j.car})
}

// drop takes the job from a driver who gives it back or whose car has broken down. A
// broken-down car is off duty for a while.
func (w *rides) drop(e event) {
	j := &w.jobs.all[e.job]
	if j.car != e.car || j.journey.Status == taxi.POB {
		return
	}
	own := !w.fleet.cars[e.car].partner
	if w.desk.step(e, dispatch.EventDrop, nil) && own && e.kind == evBreakdown {
		w.roster.breakDown(e.car, repairTime)
	}
}
