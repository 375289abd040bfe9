package simulator

import (
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/chance"
	"github.com/cabrank/cabrank/simulator/fare"
	"github.com/cabrank/cabrank/simulator/road"
	"github.com/cabrank/cabrank/store"
)

// accepted plans the drive to the pickup: at once for a passenger who is waiting, or a
// little early for a booked time.
func (w *rides) accepted(n int32) {
	j := &w.jobs.all[n]
	took := w.driveTime(w.fleet.cars[j.car].at(w.now), j.pickup)
	j.setOff = max(w.now.add(readyDelay), momentOf(j.journey.Date.Time).add(-arriveEarly-took))
	j.due = j.setOff.add(took)
	w.schedule(j.setOff, evSetOff, n, j.car)
}

// setOff starts the drive to the pickup.
func (w *rides) setOff(e event) {
	j := &w.jobs.all[e.job]
	w.desk.step(e, dispatch.EventSetOff, func(r *store.Journey) { r.Drive = w.newDrive(j, j.pickup) })
}

// approach plans the arrival at the pickup.
func (w *rides) approach(n int32) {
	j := &w.jobs.all[n]
	j.due = w.fleet.cars[j.car].arrives()
	w.schedule(j.due, evArrive, n, j.car)
}

// sendCar starts a drive of a car from its position.
func (w *rides) sendCar(n int32, to road.Spot) {
	c := &w.fleet.cars[n]
	from := c.at(w.now)
	w.roadsFor(from, to).Route(from, to, &c.route)
	c.departs = w.now
}

// newDrive returns the drive of a job's car from its current position, to be stored.
func (w *rides) newDrive(j *job, to road.Spot) *store.Drive {
	from := w.fleet.cars[j.car].at(w.now)
	return &store.Drive{
		From: from.Point(), To: to.Point(),
		Departs: w.now.time(), Arrives: w.now.add(w.driveTime(from, to)).time(),
		Stop: j.stop, Meter: j.meter.Reading(),
	}
}

// driveToDropoff returns the drive to the next drop-off, to be stored. It adds the drive
// that ends to the meter of j, which is a copy: see [desk.step].
func (w *rides) driveToDropoff(j *job) *store.Drive {
	w.addToMeter(j)
	return w.newDrive(j, w.dropoff(j, j.stop))
}

// addToMeter adds the drive that ends or is interrupted to the meter.
func (w *rides) addToMeter(j *job) {
	if j.journey.Status != taxi.POB {
		return // it was the drive to the pickup
	}
	c := &w.fleet.cars[j.car]
	done, mm := c.route.Took, c.route.Millimetres()
	if gone := c.driven(w.now); gone < done {
		mm = fare.Proportion(mm, int64(gone/time.Millisecond), int64(done/time.Millisecond))
		done = gone
	}
	j.meter.Drive(w.fares.Table, c.departs.time(), done, mm)
}

// onBoard plans the end of the drive to the next drop-off, and computes when the car will
// reach the last one.
func (w *rides) onBoard(n int32) {
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

// stopDone ends an intermediate stop and starts the next drive.
func (w *rides) stopDone(e event) {
	j := w.jobs.draft(e.job)
	w.desk.step(e, dispatch.EventStop, func(r *store.Journey) {
		stood := w.dwell(j, j.stop)
		j.meter.Stand(w.fares.Table, w.now.add(-stood).time(), stood)
		j.stop++
		r.Drive = w.driveToDropoff(j)
	})
}

// finish ends the journey at the last drop-off. The price is final.
func (w *rides) finish(e event) {
	j := w.jobs.draft(e.job)
	w.desk.step(e, dispatch.EventFinish, func(r *store.Journey) {
		w.addToMeter(j)
		r.Price = w.desk.finalPrice(j)
	})
}

// dwell returns how long a car stops at a drop-off other than the last.
func (w *rides) dwell(j *job, stop int) time.Duration {
	draw := chance.New(w.seed, chance.Dwell, j.key, uint64(stop))
	return draw.Between(dwellLeast, dwellMost)
}

// dropoff returns the position of the i-th drop-off of a job. Decision: a passenger who
// named none is taken to some door, or out of town to a spot up to three kilometres away.
func (w *rides) dropoff(j *job, i int) road.Spot {
	if !j.asDirected || i < len(j.journey.Dropoffs)-1 {
		return road.SpotOf(*j.journey.Dropoffs[i].Location)
	}
	draw := chance.New(w.seed, chance.AsDirected, j.key, uint64(i))
	if w.roads.Covers(j.pickup) {
		return w.roads.Door(draw.Uint64())
	}
	const off = 3_000_000 // mm
	return j.pickup.Offset(draw.Below(2*off)-off, draw.Below(2*off)-off)
}

// release ends the job of a car where it is. If its driver has accepted another job, that
// follows. A car out of town drives back before it takes another job.
func (w *rides) release(n int32) {
	c := &w.fleet.cars[n]
	w.fleet.endJob(n, w.now)
	if c.partner {
		return
	}
	if !w.roads.Covers(c.route.To) {
		w.offers.withdraw(n)
		w.sendCar(n, w.roads.Centre())
		c.away = c.arrives()
		w.plan(event{at: c.away, kind: evOnDuty, car: n})
		return
	}
	if job := c.next; job != none {
		c.next = none
		w.fleet.setBusy(n, job, CarAsked)
		if c.promised {
			w.schedule(w.now, evAccept, job, n)
		}
		return
	}
	w.standBy(n)
}

// standBy lets a car wait for its next job, at a rank with room if there is one. A driver
// whose shift or break is due goes off duty instead.
func (w *rides) standBy(n int32) {
	c := &w.fleet.cars[n]
	switch {
	case c.offShift || c.grounded:
		c.state = CarOffDuty
	case c.rests:
		w.roster.rest(n)
	default:
		if r := w.fleet.rankFor(c.route.To); r != none {
			w.sendCar(n, w.fleet.ranks[r].spot)
			w.fleet.joinRank(n, r, c.arrives())
		}
		w.fleet.setFree(n)
	}
}

// driveTime returns how long it takes to drive from one spot to another.
func (w *rides) driveTime(from, to road.Spot) time.Duration {
	return w.roadsFor(from, to).Time(from, to)
}

// roadsFor returns the town's roads if they cover both spots, and otherwise the open
// plane.
func (w *rides) roadsFor(from, to road.Spot) road.Roads {
	if w.roads.Covers(from) && w.roads.Covers(to) {
		return w.roads
	}
	return road.Plane(w.roads.Centre())
}

// reroute returns the new drive of a job's car after an edit; nil: its drive does not
// change. reroute changes nothing itself: the car turns when the edit is stored.
func (w *rides) reroute(before, after *store.Journey) *store.Drive {
	n, ok := w.jobs.of(after)
	if !ok {
		return nil
	}
	edited := w.jobs.all[n] // a copy
	edited.journey, edited.asDirected, edited.pickup = after, asDirected(after), road.SpotOf(*after.Pickup.Location)
	switch {
	case after.Status == taxi.EnRoute && moved(before, after):
		return w.newDrive(&edited, edited.pickup)
	case after.Status == taxi.POB && redirected(before, after):
		w.addToMeter(&edited)
		edited.stop = stopsDone(before.Dropoffs, after.Dropoffs, edited.stop)
		return w.newDrive(&edited, w.dropoff(&edited, edited.stop))
	default:
		return nil
	}
}

// stopsDone counts the drop-offs that are done after an edit on board: those that were
// done and are still at the beginning of the list.
func stopsDone(before, after []taxi.Address, reached int) int {
	done := 0
	for done < min(reached, len(after)-1) && sameStop(after[done], before[done]) {
		done++
	}
	return done
}

// retarget starts the stored drive of a job's car with its passenger, and sets the meter
// to the reading stored with it.
func (w *rides) retarget(j *job) {
	drive := j.journey.Drive
	j.stop = drive.Stop
	j.meter.Set(drive.Meter)
	w.sendCar(j.car, road.SpotOf(drive.To))
}

// moved reports whether an edit changed the time or place of the pickup.
func moved(before, after *store.Journey) bool {
	return !before.Date.Equal(after.Date.Time) || !sameStop(*before.Pickup, *after.Pickup)
}

// redirected reports whether an edit changed the drop-offs.
func redirected(before, after *store.Journey) bool {
	return !slices.EqualFunc(before.Dropoffs, after.Dropoffs, sameStop)
}
