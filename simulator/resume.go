package simulator

import (
	"cmp"
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// resume takes up the journeys under way in the records. What their cars were
// doing is in them, with the meter's reading; where the other cars stood is not, so
// they start afresh.
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
	switch j.journey.Status {
	case taxi.Accepted:
		w.fleet.busy(j.car, n, CarToPickup)
		w.putBack(j)
		w.accepted(n)
	case taxi.EnRoute:
		w.fleet.busy(j.car, n, CarToPickup)
		w.driveOn(j, j.pickup)
		w.approach(n)
	case taxi.Arrived:
		w.fleet.busy(j.car, n, CarAtPickup)
		w.putBack(j)
		w.meet(n)
	default:
		w.fleet.busy(j.car, n, CarOnBoard)
		w.fleet.boards(j.car, w.dropoff(j, len(j.journey.Dropoffs)-1))
		w.rideOn(j)
		w.onBoard(n)
	}
}

// putBack puts a job's car onto the drive that was stored.
func (w *World) putBack(j *job) {
	c, leg := &w.fleet.cars[j.car], j.journey.Leg
	if leg == nil { // it was stored by an office without cars
		c.route.stand(j.pickup)
		c.departs = w.now
		return
	}
	from, to := SpotOf(leg.From), SpotOf(leg.To)
	w.roadsFor(from, to).Route(from, to, &c.route)
	c.departs = momentOf(leg.Departs)
}

// driveOn lets a job's car go on to where it has to be. Should the drive that was
// stored lead elsewhere, the car turns where it is.
func (w *World) driveOn(j *job, to Spot) {
	w.putBack(j)
	if c := &w.fleet.cars[j.car]; c.route.To != to {
		w.send(j.car, to)
	}
}

// rideOn is driveOn with a passenger. A meter without a reading starts now.
func (w *World) rideOn(j *job) {
	if leg := j.journey.Leg; leg != nil {
		j.stop = min(leg.Stop, len(j.journey.Dropoffs)-1)
		j.meter.set(leg.Meter)
	}
	j.meter.start(w.fares, w.now)
	w.driveOn(j, w.dropoff(j, j.stop))
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
