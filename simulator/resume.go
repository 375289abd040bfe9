package simulator

import (
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// resume continues the active journeys of the records, and orders for later. The drives
// and meter readings of journeys are stored. The positions of the other cars are not, so
// those start at the ranks.
func (w *World) resume(standing *standingOrders) {
	w.resumeOrders(standing)
	kept := standing.byJourney()
	live := w.records.AllLive()
	w.jobs.expect(len(live))
	w.queue.heap = slices.Grow(w.queue.heap, len(live)+soon(len(live)))
	for _, s := range live {
		n := w.jobs.open(s.Journey)
		if k := kept[s.JourneyID]; k != nil {
			w.resumeKept(n, k)
		} else {
			w.resumeJob(n)
		}
	}
}

// resumeJob plans what follows for an active journey.
func (w *World) resumeJob(n int32) {
	j := &w.jobs.all[n]
	w.replan(j)
	switch j.journey.Status {
	case taxi.Held:
		w.hold(n)
	case taxi.Waiting:
		w.decidePassenger(n)
		w.offerAfter(n, 0)
	default:
		w.resumeDrive(n)
	}
}

// resumeDrive puts a car back onto its job.
func (w *World) resumeDrive(n int32) {
	j := &w.jobs.all[n]
	j.passengerDecided = true
	j.car = w.carOf(j)
	switch j.journey.Status {
	case taxi.Accepted:
		w.fleet.setBusy(j.car, n, CarToPickup)
		w.restoreDrive(j)
		w.accepted(n)
	case taxi.EnRoute:
		w.fleet.setBusy(j.car, n, CarToPickup)
		w.continueDrive(j, j.pickup)
		w.approach(n)
	case taxi.Arrived:
		w.fleet.setBusy(j.car, n, CarAtPickup)
		w.restoreDrive(j)
		w.waitForPassenger(n)
	default:
		w.fleet.setBusy(j.car, n, CarOnBoard)
		w.fleet.setOnBoard(j.car, w.dropoff(j, len(j.journey.Dropoffs)-1))
		w.continueToDropoff(j)
		w.onBoard(n)
	}
}

// restoreDrive gives a job's car its stored drive.
func (w *World) restoreDrive(j *job) {
	c, drive := &w.fleet.cars[j.car], j.journey.Drive
	if drive == nil { // it was stored by a system without cars
		c.route.stand(j.pickup)
		c.departs = w.now
		return
	}
	from, to := SpotOf(drive.From), SpotOf(drive.To)
	w.roadsFor(from, to).Route(from, to, &c.route)
	c.departs = momentOf(drive.Departs)
}

// continueDrive continues the stored drive of a job's car. If that drive leads to another
// spot, the car changes direction where it is.
func (w *World) continueDrive(j *job, to Spot) {
	w.restoreDrive(j)
	if c := &w.fleet.cars[j.car]; c.route.To != to {
		w.sendCar(j.car, to)
	}
}

// continueToDropoff is continueDrive with a passenger. A meter without a stored reading
// starts now.
func (w *World) continueToDropoff(j *job) {
	if drive := j.journey.Drive; drive != nil {
		j.stop = min(drive.Stop, len(j.journey.Dropoffs)-1)
		j.meter.Set(drive.Meter)
	}
	j.meter.Start(w.fares.Table, w.now.time())
	w.continueDrive(j, w.dropoff(j, j.stop))
}

// carOf returns the car of a stored journey. If this fleet does not have it, a partner
// firm's car replaces it.
func (w *World) carOf(j *job) int32 {
	c, ok := w.fleet.byID[j.journey.VehicleID]
	if ok && w.fleet.cars[c].job == none {
		return c
	}
	crew := &Crew{VehicleID: j.journey.VehicleID, DriverID: j.journey.DriverID}
	return w.fleet.partner(crew, j.pickup)
}
