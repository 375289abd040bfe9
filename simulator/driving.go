package simulator

import (
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// accepted plans the way to the pickup: at once for a passenger who waits, so
// as to be a little early for one who booked a time.
func (w *World) accepted(n int32) {
	j := &w.jobs.all[n]
	took := w.driveTime(w.fleet.cars[j.car].at(w.now), j.pickup)
	j.setOff = max(w.now.add(readyDelay), momentOf(j.journey.Date.Time).add(-earliness-took))
	j.due = j.setOff.add(took)
	w.schedule(j.setOff, evSetOff, n, j.car)
}

// setOff starts the drive to the pickup.
func (w *World) setOff(e event) {
	w.step(e, dispatch.EventSetOff, func(j *store.Journey) {
		j.Leg = w.drive(e.car, w.jobs.all[e.job].pickup)
	})
}

// approach plans the end of the drive to the pickup.
func (w *World) approach(n int32) {
	j := &w.jobs.all[n]
	j.due = w.fleet.cars[j.car].arrives()
	w.schedule(j.due, evArrive, n, j.car)
}

// drive sets a car off from where it is, and returns the drive for the record.
func (w *World) drive(n int32, to Spot) *store.Leg {
	c := &w.fleet.cars[n]
	from := c.at(w.now)
	c.route = w.roadsFor(from, to).Route(from, to, c.route.Path[:0])
	c.departs = w.now
	return &store.Leg{
		From: c.route.From.Point(), To: to.Point(),
		Departs: c.departs.time(), Arrives: c.arrives().time(),
	}
}

// ride sets a car off to the next drop-off. How far it drove before counts.
func (w *World) ride(n int32) *store.Leg {
	j := &w.jobs.all[n]
	w.clockUp(j)
	return w.drive(j.car, w.dropoff(j, j.stop))
}

// clockUp adds the drive that ends, or is broken off, to the meter.
func (w *World) clockUp(j *job) {
	if j.journey.Status != taxi.POB {
		return // it was the drive to the pickup
	}
	c := &w.fleet.cars[j.car]
	done := min(w.now.sub(c.departs), c.route.Took)
	if done == c.route.Took {
		j.driven += c.route.Millimetres
	} else {
		j.driven += c.route.Millimetres * int64(done/time.Millisecond) / int64(c.route.Took/time.Millisecond)
	}
}

// onBoard plans the end of the drive to the next drop-off, and reckons when the
// last one will be reached.
func (w *World) onBoard(n int32) {
	j := &w.jobs.all[n]
	c := &w.fleet.cars[j.car]
	j.due = c.arrives()
	last := len(j.journey.Dropoffs) - 1
	if j.stop >= last {
		w.schedule(j.due, evFinish, n, j.car)
		return
	}
	w.schedule(j.due.add(w.dwell(j, j.stop)), evStop, n, j.car)
	from := c.route.To
	for i := j.stop + 1; i <= last; i++ {
		to := w.dropoff(j, i)
		j.due = j.due.add(w.dwell(j, i-1) + w.driveTime(from, to))
		from = to
	}
}

// stopDone drives on from a stop on the way.
func (w *World) stopDone(e event) {
	j := &w.jobs.all[e.job]
	w.step(e, dispatch.EventStop, func(r *store.Journey) {
		j.stood += w.dwell(j, j.stop)
		j.stop++
		r.Leg = w.ride(e.job)
	})
}

// retarget follows an edit of the drop-offs on board: what has been reached and
// still begins the list stays done.
func (w *World) retarget(n int32, before []taxi.Address) {
	j := &w.jobs.all[n]
	now := j.journey.Dropoffs
	done := 0
	for done < min(j.stop, len(now)-1) && sameStop(now[done], before[done]) {
		done++
	}
	j.stop = done
	w.ride(n)
}

// finish ends the journey at the last drop-off. The price is final.
func (w *World) finish(e event) {
	j := &w.jobs.all[e.job]
	w.step(e, dispatch.EventFinish, func(r *store.Journey) {
		w.clockUp(j)
		r.Price = w.finalPrice(j)
	})
}

// dwell is how long a car stands at a drop-off that is not the last.
func (w *World) dwell(j *job, stop int) time.Duration {
	draw := newStream(w.seed, drawDwell, j.key, uint64(stop))
	return draw.between(dwellLeast, dwellMost)
}

// dropoff is where the i-th drop-off of a job is. Decision: a passenger who said
// no place is taken to some door.
func (w *World) dropoff(j *job, i int) Spot {
	at := j.journey.Dropoffs[i].Location
	if at == nil {
		draw := newStream(w.seed, drawAsDirected, j.key, uint64(i))
		return w.roads.Door(draw.next())
	}
	return SpotOf(*at)
}

// release takes a car off its job where it is. One that ended up out of town
// drives back before it takes another.
func (w *World) release(n int32) {
	c := &w.fleet.cars[n]
	spot := c.at(w.now)
	if c.partner || w.roads.Covers(spot) {
		w.fleet.free(n, w.now)
		return
	}
	w.fleet.busy(n, none, CarOffDuty)
	w.drive(n, w.roads.Centre())
	w.plan(event{at: c.arrives(), kind: evOnDuty, car: n})
}

// driveTime is how long it takes from one spot to another.
func (w *World) driveTime(from, to Spot) time.Duration {
	_, took := w.roadsFor(from, to).Drive(from, to)
	return took
}

// roadsFor is what a car drives on: the town's roads if they reach both ends,
// else the open plane.
func (w *World) roadsFor(from, to Spot) Roads {
	if w.roads.Covers(from) && w.roads.Covers(to) {
		return w.roads
	}
	return plane{w.roads.Centre()}
}
