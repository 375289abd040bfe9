package simulator

import (
	"context"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/fare"
	"github.com/cabrank/cabrank/store"
)

// TransitionOrder changes a journey by one transition of the table in
// [dispatch.Transitions] at once, with all its effects.
type TransitionOrder struct {
	Journey taxi.JourneyID `json:"-"`
	To      taxi.Status    `json:"to"`
	Event   dispatch.Event `json:"event,omitempty"` // which of several transitions, such as no-show; left out: the first whose condition holds
	// ignores conditions, and allows a status to which there is no transition. The
	// world then adapts: a car and its driver are found or released, earlier plans are
	// dropped, and the next events are planned.
	Force bool `json:"force,omitempty"`
}

// Transition executes a [TransitionOrder] and returns the journey's new state. A
// transition that the table does not have is refused; the [Refusal] lists those that it
// has. If a journey is moved to HELD after its release was due, it is put on hold, since
// it would be released again at once; the next order that moves it ends the hold.
func (w *World) Transition(ctx context.Context, o TransitionOrder) (JourneyView, error) {
	return w.orderJourney(ctx, o.Journey, o.carryOut)
}

func (o *TransitionOrder) carryOut(ctx context.Context, w *operator) (store.Ticket, error) {
	is, n, err := w.standing(ctx, o.Journey)
	if err != nil {
		return store.Ticket{}, err
	}
	ev, err := w.transitionEvent(is, o)
	if err != nil {
		return store.Ticket{}, err
	}
	return store.Ticket{}, w.take(is, n, ev, o)
}

// transitionEvent returns the event of the transition that an order wants, or a [Refusal].
func (w *operator) transitionEvent(is *store.Journey, o *TransitionOrder) (dispatch.Event, error) {
	fail := func(kind RefusalKind, field, format string, args ...any) error {
		r := refuse(kind, field, format, args...)
		r.Status, r.Legal = is.Status, waysFrom(is.Status)
		return r
	}
	switch {
	case !o.To.Known():
		return "", fail(RefusedInvalid, "/to", "%q is none of %v", o.To, taxi.Statuses())
	case o.To == is.Status:
		return "", fail(RefusedConflict, "/to", "the journey is %s already", is.Status)
	}
	var found []dispatch.Transition
	for _, row := range dispatch.Ways(is.Status) {
		if row.To != o.To || o.Event != "" && row.Event != o.Event {
			continue
		}
		if w.service.Allows(w.now.time(), is, row.Event) {
			return row.Event, nil
		}
		found = append(found, row)
	}
	switch {
	case len(found) > 0 && o.Force:
		return found[0].Event, nil
	case len(found) > 0:
		return "", fail(RefusedConflict, "/to", "%s becomes %s by %s only when %s; force asks for no condition", is.Status, o.To, found[0].Event, found[0].When)
	case o.Event != "":
		return "", fail(RefusedConflict, "/event", "%s does not become %s by %q: %s", is.Status, o.To, o.Event, inWords(is.Status, waysFrom(is.Status)))
	case o.Force:
		return dispatch.EventForce, nil
	default:
		return "", fail(RefusedConflict, "/to", "%s does not become %s: %s; force puts it there all the same", is.Status, o.To, inWords(is.Status, waysFrom(is.Status)))
	}
}

// take performs a transition. A journey that has ended gets a job again, until it ends
// again.
func (w *operator) take(is *store.Journey, n int32, ev dispatch.Event, o *TransitionOrder) error {
	ended := n == none
	if ended {
		n = w.jobs.open(is)
		w.desk.replan(&w.jobs.all[n])
	}
	w.slide(n)
	w.keeping.touchJob(n)
	w.commanded = &commanded{forced: o.Force, to: o.To}
	defer func() { w.commanded = nil }()
	err := w.perform(n, ev, o)
	if err == nil {
		err = w.commanded.err
	}
	live, known := w.jobs.of(is)
	switch {
	case err != nil && ended && known:
		w.offers.freeCar(live)
		w.jobs.close(live)
	case err == nil && known:
		w.keepHeld(live)
	}
	return err
}

// keepHeld puts a journey on hold that an order has moved to HELD after its release was
// due. The next order that moves it ends the hold.
func (w *operator) keepHeld(n int32) {
	j := &w.jobs.all[n]
	isHeld := j.journey.Status == taxi.Held
	switch a := j.aside; {
	case a != nil && a.lapses && !isHeld:
		w.unhold(n)
	case isHeld && (a == nil || !a.held) && !w.now.time().Before(w.service.Policy().ReleaseAt(j.journey)):
		w.suspend(n)
		j.aside.lapses = true
	}
}

// perform applies the effects of an event in the world, and changes the journey.
func (w *operator) perform(n int32, ev dispatch.Event, o *TransitionOrder) error {
	j := &w.jobs.all[n]
	e := event{job: n, car: j.car, stamp: j.born}
	switch ev {
	case dispatch.EventAccept:
		car, err := w.carFor(n, "", o.Force)
		if err != nil {
			return err
		}
		w.acceptBy(n, car)
	case dispatch.EventSetOff:
		w.rides.setOff(e)
	case dispatch.EventArrive:
		defer w.restoreUnlessStored(n, *j, w.fleet.cars[j.car])
		w.fleet.place(j.car, j.pickup, w.now)
		w.desk.step(e, ev, nil)
	case dispatch.EventBoard:
		defer w.restoreUnlessStored(n, *j, w.fleet.cars[j.car])
		w.fleet.place(j.car, j.pickup, w.now)
		w.rides.board(e)
	case dispatch.EventFinish:
		defer w.restoreUnlessStored(n, *j, w.fleet.cars[j.car])
		w.driveToEnd(j)
		w.rides.finish(e)
	case dispatch.EventForce:
		return w.force(n, o.To)
	default:
		w.desk.step(e, ev, nil)
	}
	return nil
}

// restoreUnlessStored restores a job and its car if the change of an order could not be stored.
func (w *operator) restoreUnlessStored(n int32, was job, car car) {
	if w.commanded.err != nil {
		w.jobs.all[n], w.fleet.cars[was.car] = was, car
	}
}

// acceptBy gives a job without a car to a driver, who accepts at once.
func (w *operator) acceptBy(n, car int32) {
	w.engage(n, car)
	j := &w.jobs.all[n]
	w.offers.accept(event{job: n, car: car, stamp: j.born})
	if j.asked == car { // the change could not be stored
		w.disengage(n)
	}
}

// engage withdraws a job's offer, and reserves a car for the job.
func (w *operator) engage(n, car int32) {
	j := &w.jobs.all[n]
	if j.asked == car && w.fleet.cars[car].state == CarAsked {
		return
	}
	w.offers.freeCar(n)
	w.fleet.park(car, w.now)
	w.fleet.setBusy(car, n, CarAsked)
	j.asked = car
	j.tries++
}

// disengage releases the car that was reserved for a job, and plans the search for another.
func (w *operator) disengage(n int32) {
	j := &w.jobs.all[n]
	w.offers.freeCar(n)
	if j.journey.Status == taxi.Waiting {
		w.desk.replan(j)
		w.offers.offerAfter(n, storeRetry)
	}
}

// driveToEnd moves a car with its passenger to the last drop-off. The meter includes the
// way there.
func (w *operator) driveToEnd(j *job) {
	w.rides.addToMeter(j)
	from, at := w.fleet.cars[j.car].at(w.now), w.now
	last := len(j.journey.Dropoffs) - 1
	for i := j.stop; i <= last; i++ {
		to := w.rides.dropoff(j, i)
		mm, took := w.rides.roadsFor(from, to).Drive(from, to)
		j.meter.Drive(w.fares.Table, at.time(), took, mm)
		from, at = to, at.add(took)
	}
	j.stop = last
	w.fleet.place(j.car, from, w.now)
}

// force puts a journey into a status, after it has found the car that the status needs.
func (w *operator) force(n int32, to taxi.Status) error {
	j := &w.jobs.all[n]
	found := dispatch.Fields(to).Crew && j.car == none
	if found {
		car, err := w.carFor(n, w.lastCar(j), true)
		if err != nil {
			return err
		}
		w.engage(n, car)
		j.car, j.asked = car, none
	}
	if !to.Terminal() {
		w.rides.decidePassenger(n)
	}
	if w.stepTo(n, to); w.commanded.err != nil && found {
		w.disengage(n)
	}
	return nil
}

// stepTo performs a forced change, with the car where the status needs it.
func (w *operator) stepTo(n int32, to taxi.Status) {
	j := &w.jobs.all[n]
	if dispatch.Fields(to).Location {
		defer w.restoreUnlessStored(n, *j, w.fleet.cars[j.car])
		at := w.fleet.cars[j.car].at(w.now)
		switch {
		case to == taxi.Arrived || to == taxi.POB:
			at = j.pickup
		case to == taxi.EnRoute && at == j.pickup: // else it would arrive at once
			at = w.offers.near(j)
		}
		w.fleet.place(j.car, at, w.now)
	}
	w.desk.step(event{job: n, car: j.car, stamp: j.born}, dispatch.EventForce, func(r *store.Journey) { w.setStatusFields(n, to, r) })
}

// lastCar returns the car of a journey that has ended, if that car is free now.
func (w *operator) lastCar(j *job) string {
	if c, ok := w.fleet.byID[j.journey.VehicleID]; ok && w.fleet.cars[c].state == CarFree {
		return j.journey.VehicleID
	}
	return ""
}

// setStatusFields sets the fields of a journey's record that belong to a status.
func (w *operator) setStatusFields(n int32, to taxi.Status, r *store.Journey) {
	if !dispatch.Fields(to).Crew {
		return
	}
	j := w.jobs.all[n] // a copy
	crew := w.fleet.cars[j.car].crew
	r.Vehicle, r.Driver = &crew.Vehicle, &crew.Driver
	r.VehicleID, r.DriverID = crew.VehicleID, crew.DriverID
	j.stop, j.meter = 0, fare.Meter{}
	switch to {
	case taxi.Accepted:
		at := w.fleet.cars[j.car].at(w.now).Point()
		r.Drive = &store.Drive{From: at, To: at, Departs: w.now.time(), Arrives: w.now.time()}
	case taxi.EnRoute, taxi.Arrived:
		r.Drive = w.rides.newDrive(&j, j.pickup)
	case taxi.POB:
		j.meter.Start(w.fares.Table, w.now.time())
		r.Drive = w.rides.driveToDropoff(&j)
	}
}

// followForced plans the events after a forced change to a status with a car. It returns
// false for any other status, which the usual rules cover.
func (w *operator) followForced(n int32, c dispatch.Change) bool {
	if !dispatch.Fields(c.After.Status).Location {
		return false
	}
	j := &w.jobs.all[n]
	w.offers.withdraw(j.car)
	car := &w.fleet.cars[j.car]
	if w.fleet.clearing != nil && !car.partner {
		w.fleet.clearing.Take(j.car)
	}
	w.desk.replan(j)
	j.stop, j.meter = 0, fare.Meter{}
	switch c.After.Status {
	case taxi.Accepted:
		car.state = CarToPickup
		w.rides.accepted(n)
	case taxi.EnRoute:
		car.state = CarToPickup
		w.rides.sendCar(j.car, j.pickup)
		w.rides.approach(n)
	case taxi.Arrived:
		car.state = CarAtPickup
		w.rides.waitForPassenger(n)
	default:
		w.rides.retarget(j)
		w.fleet.setOnBoard(j.car, w.rides.dropoff(j, len(j.journey.Dropoffs)-1))
		w.rides.onBoard(n)
	}
	return true
}
