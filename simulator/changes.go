package simulator

import (
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Changed implements [dispatch.Fleet]. It plans what follows from a change, whether a
// command or an event of this world made it. Nothing else plans that.
func (w *World) Changed(c dispatch.Change) {
	n, known := w.jobs.of(c.After)
	if !known {
		if c.After.Status.Terminal() {
			return
		}
		n = w.jobs.open(c.After)
	}
	w.slide(n)
	j := &w.jobs.all[n]
	j.journey = c.After
	if c.Event == dispatch.EventEdit {
		j.edited, j.fault, j.asDirected = w.now, faultOf(c.After), asDirected(c.After)
	}
	w.publish(c, j.fault)
	w.follow(n, c)
	w.freeze(&w.jobs.all[n])
	if c.Before == nil {
		w.giveScript(n)
	}
}

// follow plans what follows from a change.
func (w *World) follow(n int32, c dispatch.Change) {
	j := &w.jobs.all[n]
	if c.Event == dispatch.EventForce && w.followForced(n, c) {
		return
	}
	switch c.After.Status {
	case taxi.Held:
		w.replan(j)
		w.freeCar(n)
		w.hold(n)
	case taxi.Waiting:
		w.replan(j)
		w.wait(n, c)
	case taxi.Accepted:
		w.onAccepted(n, c)
	case taxi.EnRoute:
		w.onEnRoute(n, c)
	case taxi.Arrived:
		if c.Event == dispatch.EventArrive {
			w.replan(j)
			w.fleet.park(j.car, w.now)
			w.fleet.cars[j.car].state = CarAtPickup
			w.waitForPassenger(n)
		}
	case taxi.POB:
		w.onPOB(n, c)
	case taxi.Complete, taxi.Cancelled:
		w.freeCar(n)
		w.jobs.close(n)
	}
}

// replan voids what was planned for a job, and reads its journey again.
func (w *World) replan(j *job) {
	j.stamp = w.jobs.nextStamp()
	j.kinds = kindsFor(j.journey.Category)
	j.pickup = SpotOf(*j.journey.Pickup.Location)
}

// hold plans the release of a held booking.
func (w *World) hold(n int32) {
	w.schedule(momentOf(w.service.Policy().ReleaseAt(w.jobs.all[n].journey)), evRelease, n, none)
}

// wait plans the next offer of a job without a driver.
func (w *World) wait(n int32, c dispatch.Change) {
	j := &w.jobs.all[n]
	if c.Event == dispatch.EventDrop && j.edited != w.now && j.car != none {
		j.refused = append(j.refused, j.car) // after an edit the same driver may be asked again
	}
	if c.Event == dispatch.EventReoffer {
		j.refused = append(j.refused, j.asked)
	}
	w.freeCar(n)
	w.decidePassenger(n)
	if c.Event == dispatch.EventReoffer {
		w.offerAfter(n, time.Second)
	} else {
		w.offerAfter(n, offerDelay)
	}
}

func (w *World) onAccepted(n int32, c dispatch.Change) {
	j := &w.jobs.all[n]
	switch {
	case c.Event == dispatch.EventAccept:
		j.car, j.asked = j.asked, none
		w.fleet.cars[j.car].state = CarToPickup
		w.replan(j)
		w.accepted(n)
		w.planMishap(n)
	case c.Event == dispatch.EventEdit && moved(c.Before, c.After):
		w.replan(j)
		w.accepted(n)
	}
}

func (w *World) onEnRoute(n int32, c dispatch.Change) {
	j := &w.jobs.all[n]
	switch {
	case c.Event == dispatch.EventSetOff:
		w.replan(j)
		w.sendCar(j.car, j.pickup)
		w.approach(n)
	case c.Event == dispatch.EventEdit && moved(c.Before, c.After):
		w.replan(j)
		w.sendCar(j.car, j.pickup)
		w.approach(n)
	}
}

func (w *World) onPOB(n int32, c dispatch.Change) {
	j := &w.jobs.all[n]
	if edit := c.Event == dispatch.EventEdit; edit && !redirected(c.Before, c.After) {
		return
	} else if w.retarget(j); edit {
		w.withdraw(j.car)
	}
	w.fleet.setOnBoard(j.car, w.dropoff(j, len(j.journey.Dropoffs)-1))
	w.replan(j)
	w.onBoard(n)
}

// sameStop reports whether two addresses are one place.
func sameStop(a, b taxi.Address) bool {
	if a.Location == nil || b.Location == nil {
		return a.Location == b.Location && a.Address == b.Address
	}
	return SpotOf(*a.Location) == SpotOf(*b.Location)
}
