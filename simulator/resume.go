package simulator

import (
	"encoding/json"
	"log/slog"
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/crew"
	"github.com/cabrank/cabrank/simulator/road"
)

// resume continues the active journeys of the records, and orders for later. The drives
// and meter readings of journeys are stored. The positions of the other cars are not, so
// those start at the ranks.
func (w *restart) resume(standing *standingOrders) {
	w.nextScripts = standing.Scripts
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

// resumeJob plans the next event of an active journey.
func (w *restart) resumeJob(n int32) {
	j := &w.jobs.all[n]
	w.desk.replan(j)
	switch j.journey.Status {
	case taxi.Held:
		w.desk.hold(n)
	case taxi.Waiting:
		w.rides.decidePassenger(n)
		w.offers.offerAfter(n, 0)
	default:
		w.resumeDrive(n)
	}
}

// resumeDrive puts a car back onto its job.
func (w *restart) resumeDrive(n int32) {
	j := &w.jobs.all[n]
	j.passengerDecided = true
	j.car = w.carOf(j)
	switch j.journey.Status {
	case taxi.Accepted:
		w.fleet.setBusy(j.car, n, CarToPickup)
		w.restoreDrive(j)
		w.rides.accepted(n)
	case taxi.EnRoute:
		w.fleet.setBusy(j.car, n, CarToPickup)
		w.continueDrive(j, j.pickup)
		w.rides.approach(n)
	case taxi.Arrived:
		w.fleet.setBusy(j.car, n, CarAtPickup)
		w.restoreDrive(j)
		w.rides.waitForPassenger(n)
	default:
		w.fleet.setBusy(j.car, n, CarOnBoard)
		w.fleet.setOnBoard(j.car, w.rides.dropoff(j, len(j.journey.Dropoffs)-1))
		w.continueToDropoff(j)
		w.rides.onBoard(n)
	}
}

// restoreDrive gives a job's car its stored drive.
func (w *restart) restoreDrive(j *job) {
	c, drive := &w.fleet.cars[j.car], j.journey.Drive
	if drive == nil { // it was stored by a system without cars
		c.route.Stand(j.pickup)
		c.departs = w.now
		return
	}
	from, to := road.SpotOf(drive.From), road.SpotOf(drive.To)
	w.rides.roadsFor(from, to).Route(from, to, &c.route)
	c.departs = momentOf(drive.Departs)
}

// continueDrive continues the stored drive of a job's car. If that drive leads to another
// spot, the car changes direction where it is.
func (w *restart) continueDrive(j *job, to road.Spot) {
	w.restoreDrive(j)
	if c := &w.fleet.cars[j.car]; c.route.To != to {
		w.rides.sendCar(j.car, to)
	}
}

// continueToDropoff is continueDrive with a passenger. A meter without a stored reading
// starts now.
func (w *restart) continueToDropoff(j *job) {
	if drive := j.journey.Drive; drive != nil {
		j.stop = min(drive.Stop, len(j.journey.Dropoffs)-1)
		j.meter.Set(drive.Meter)
	}
	j.meter.Start(w.fares.Table, w.now.time())
	w.continueDrive(j, w.rides.dropoff(j, j.stop))
}

// carOf returns the car of a stored journey. If this fleet does not have it, a partner
// firm's car replaces it.
func (w *restart) carOf(j *job) int32 {
	c, ok := w.fleet.byID[j.journey.VehicleID]
	if ok && w.fleet.cars[c].job == none {
		return c
	}
	who := &crew.Crew{VehicleID: j.journey.VehicleID, DriverID: j.journey.DriverID}
	if j.journey.Vehicle != nil && j.journey.Driver != nil {
		who.Vehicle, who.Driver = *j.journey.Vehicle, *j.journey.Driver
	}
	return w.fleet.partner(who, j.pickup)
}

// readStanding returns the orders for later of an earlier world. If they cannot be read,
// this is logged, and there are none.
func (w *restart) readStanding(text json.RawMessage) *standingOrders {
	s := &standingOrders{}
	if len(text) == 0 {
		return s
	}
	if err := json.Unmarshal(text, s); err != nil {
		w.log.Error("the world goes on without its orders for later: they cannot be read", slog.Any("error", err))
		return &standingOrders{}
	}
	return s
}

// byJourney returns the orders about journeys, by the journey's id.
func (s *standingOrders) byJourney() map[taxi.JourneyID]*keptJob {
	all := make(map[taxi.JourneyID]*keptJob, len(s.Journeys))
	for i := range s.Journeys {
		all[s.Journeys[i].Journey] = &s.Journeys[i]
	}
	return all
}

// resumeKept continues a journey that orders have changed. If the journey has changed
// since that was stored, because the process was killed in between, the hold and the rest
// of the script still apply, and everything else is planned as for other journeys.
func (w *restart) resumeKept(n int32, k *keptJob) {
	j := &w.jobs.all[n]
	j.scriptStopped = k.Stopped
	k.skipDone(j)
	a := k.Aside
	if a != nil && (a.Held || len(a.Script) > 0) {
		j.aside = &aside{held: a.Held, lapses: a.Lapses, script: a.Script, since: w.now}
	}
	w.resumeJob(n)
	if k.Revision == j.journey.Revision {
		w.resumeDriveKept(n, k.Drive)
		w.resumeParked(n, a)
	}
	w.resumeScript(n, a)
	w.operator.freeze(j)
	w.keeping.touchJob(n)
}

// skipDone removes the first step of a script that has happened already.
func (k *keptJob) skipDone(j *job) {
	a := k.Aside
	if a == nil || k.Revision == j.journey.Revision || len(a.Script) == 0 {
		return
	}
	step := a.Script[0].order("")
	if step.To != j.journey.Status {
		return
	}
	if a.Script = a.Script[1:]; len(a.Script) > 0 {
		a.Next = j.journey.UpdatedAt.Add(a.Script[0].after())
		a.NextIn = a.Script[0].After
	}
}

// resumeDriveKept puts a job's car onto its kept drive, and plans the end of that again.
func (w *restart) resumeDriveKept(n int32, k *keptDrive) {
	j := &w.jobs.all[n]
	if k == nil || j.car == none {
		return
	}
	c, from, to := &w.fleet.cars[j.car], road.SpotOf(k.From), road.SpotOf(k.To)
	c.departs = w.now
	if from == to {
		c.route.Stand(to)
	} else {
		w.rides.roadsFor(from, to).Route(from, to, &c.route)
		c.departs = momentOf(k.Departs)
	}
	if j.aside != nil && j.aside.held {
		c.departs = (-k.Driven).in(w.now)
	}
	if k.Meter != nil {
		j.meter.Set(*k.Meter)
	}
	next := map[taxi.Status]func(int32){taxi.Accepted: w.rides.accepted, taxi.EnRoute: w.rides.approach, taxi.POB: w.rides.onBoard}[j.journey.Status]
	if next != nil {
		w.desk.replan(j)
		next(n)
	}
}

// resumeParked restores the stored events of a job that does not progress by itself.
func (w *restart) resumeParked(n int32, k *keptAside) {
	j := &w.jobs.all[n]
	if j.aside == nil {
		return
	}
	j.aside.parked = nil
	j.due, j.setOff = k.Due.in(w.now), k.SetOff.in(w.now)
	j.tries, j.passengerDecided, j.noShow = k.Tries, k.Decided, k.NoShow
	for _, one := range k.Parked {
		kind, known := eventNamed(one.Kind)
		if !known {
			continue
		}
		w.queue.seq++
		e := event{at: one.In.in(w.now), seq: w.queue.seq, stamp: j.stamp, kind: kind, job: n, car: j.car}
		if one.Born {
			e.stamp = j.born
		}
		j.aside.parked = append(j.aside.parked, e)
	}
}

// resumeScript plans the next step of a script: when it was due, or at once if that has
// passed.
func (w *restart) resumeScript(n int32, k *keptAside) {
	j := &w.jobs.all[n]
	if k == nil || len(k.Script) == 0 {
		return
	}
	j.aside.next = k.NextIn.in(w.now)
	if !k.Held {
		j.aside.next = momentOf(k.Next)
	}
	w.plan(event{at: j.aside.next, stamp: j.born, kind: evScript, job: n, car: none})
}

// resumeCars applies the orders about cars that an earlier world has stored.
func (w *restart) resumeCars(all []keptCar) {
	for _, k := range all {
		n, ok := w.fleet.byID[k.Vehicle]
		if !ok {
			continue
		}
		c := &w.fleet.cars[n]
		if w.now < momentOf(k.OnUntil) && c.offShift {
			c.offShift, c.summoned = false, true
			w.roster.onDuty(n)
		}
		c.grounded = k.OffDuty
		repaired := momentOf(k.Repaired)
		switch free := c.state == CarFree || c.state == CarOffDuty; {
		case free && w.now < repaired:
			w.roster.breakDown(n, repaired.sub(w.now))
		case c.grounded && c.state == CarFree:
			w.fleet.takeOffDuty(n, w.now)
		}
	}
}
