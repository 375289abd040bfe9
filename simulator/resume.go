package simulator

import (
	"cmp"
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// resume takes up the journeys under way in the records. What their cars were
// doing is in them; where the other cars stood is not, so they start afresh.
func (w *World) resume() {
	live := w.records.AllLive()
	slices.SortFunc(live, func(a, b *store.Snapshot) int { return cmp.Compare(a.Serial, b.Serial) })
	for _, s := range live {
		n := w.jobs.open(s.Journey)
		j := &w.jobs.all[n]
		w.replan(j)
		switch s.Status {
		case taxi.Held:
			w.hold(n)
		case taxi.Waiting:
			w.decide(n)
			w.seek(n, 0)
		default:
			w.resumeDrive(n)
		}
	}
}

// resumeDrive puts a car back onto its job.
func (w *World) resumeDrive(n int32) {
	j := &w.jobs.all[n]
	j.decided = true
	j.car = w.carOf(j)
	if j.journey.Status == taxi.Accepted {
		w.fleet.busy(j.car, n, CarToPickup)
		w.accepted(n)
		return
	}
	w.putBack(j)
	switch j.journey.Status {
	case taxi.EnRoute:
		w.fleet.busy(j.car, n, CarToPickup)
		w.approach(n)
	case taxi.Arrived:
		w.fleet.busy(j.car, n, CarAtPickup)
		w.meet(n)
	default:
		w.fleet.busy(j.car, n, CarOnBoard)
		w.fleet.boards(j.car, w.dropoff(j, len(j.journey.Dropoffs)-1))
		w.resumeMeter(j)
		w.onBoard(n)
	}
}

// putBack puts a job's car onto the drive that was stored. If an edit has sent
// it elsewhere since, it turned where it was at that time.
func (w *World) putBack(j *job) {
	c := &w.fleet.cars[j.car]
	target := j.pickup
	if j.journey.Status == taxi.POB {
		target = w.nextStop(j)
	}
	leg := j.journey.Leg
	if leg == nil { // it was stored by an office without cars
		c.route.stand(target)
		c.departs = w.now
		return
	}
	from, to := SpotOf(leg.From), SpotOf(leg.To)
	w.roadsFor(from, to).Route(from, to, &c.route)
	c.departs = momentOf(leg.Departs)
	if j.journey.Status == taxi.POB || to == target {
		return
	}
	turned := momentOf(j.journey.UpdatedAt)
	from = c.at(turned)
	w.roadsFor(from, target).Route(from, target, &c.route)
	c.departs = turned
}

// resumeMeter sets the meter to what is known: the wait at the door, if the drive
// under way began there.
func (w *World) resumeMeter(j *job) {
	departs := w.fleet.cars[j.car].departs
	since := min(max(momentOf(j.journey.ArrivedAt), momentOf(j.journey.Date.Time)), departs)
	j.meter.start(w.fares, since)
	if j.stop == 0 {
		j.meter.stand(w.fares, since, departs.sub(since))
	}
}

// nextStop finds which drop-off the stored drive goes to, and where it is.
func (w *World) nextStop(j *job) Spot {
	if leg := j.journey.Leg; leg != nil {
		for i := range j.journey.Dropoffs {
			if to := w.dropoff(j, i); to == SpotOf(leg.To) {
				j.stop = i
				break
			}
		}
	}
	return w.dropoff(j, j.stop)
}

// carOf finds the car of a stored journey, or one to stand in for it: the fleet
// may have been larger before.
func (w *World) carOf(j *job) int32 {
	c, ok := w.fleet.byID[j.journey.VehicleID]
	if ok && w.fleet.cars[c].job == none {
		return c
	}
	crew := &Crew{VehicleID: j.journey.VehicleID, DriverID: j.journey.DriverID}
	return w.fleet.partner(crew, j.pickup)
}
