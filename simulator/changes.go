package simulator

import (
	"errors"
	"log/slog"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/crew"
	"github.com/cabrank/cabrank/simulator/road"
	"github.com/cabrank/cabrank/store"
)

// Changed implements [dispatch.Fleet]. It plans what follows from a change of a journey,
// whether a command or an event of this world caused it. No other code plans that.
func (w *desk) Changed(c dispatch.Change) {
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
		j.edited, j.asDirected = w.now, asDirected(c.After)
	}
	w.publish(c)
	w.follow(n, c)
	w.operator.freeze(&w.jobs.all[n])
	w.keeping.touchChanged(n)
	if c.Before == nil {
		w.operator.giveScript(n)
	}
}

// follow plans the next events of a job after a change of its journey.
func (w *desk) follow(n int32, c dispatch.Change) {
	j := &w.jobs.all[n]
	if c.Event == dispatch.EventForce && w.operator.followForced(n, c) {
		return
	}
	switch c.After.Status {
	case taxi.Held:
		w.replan(j)
		w.offers.freeCar(n)
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
			w.rides.waitForPassenger(n)
		}
	case taxi.POB:
		w.onPOB(n, c)
	case taxi.Complete, taxi.Cancelled:
		w.offers.freeCar(n)
		w.jobs.close(n)
	}
}

// replan cancels the planned events of a job, and reads its pickup and car kinds from the journey again.
func (w *desk) replan(j *job) {
	j.stamp = w.jobs.nextStamp()
	j.kinds = crew.KindsFor(j.journey.Category)
	j.pickup = road.SpotOf(*j.journey.Pickup.Location)
}

// hold plans the release of a held booking.
func (w *desk) hold(n int32) {
	w.schedule(momentOf(w.service.Policy().ReleaseAt(w.jobs.all[n].journey)), evRelease, n, none)
}

// wait plans the next offer of a job without a driver.
func (w *desk) wait(n int32, c dispatch.Change) {
	j := &w.jobs.all[n]
	if c.Event == dispatch.EventDrop && j.edited != w.now && j.car != none {
		j.refused = append(j.refused, j.car) // after an edit, a driver who refused may be asked again
	}
	if c.Event == dispatch.EventReoffer {
		j.refused = append(j.refused, j.asked)
	}
	w.offers.freeCar(n)
	w.rides.decidePassenger(n)
	if c.Event == dispatch.EventReoffer {
		w.offers.offerAfter(n, time.Second)
	} else {
		w.offers.offerAfter(n, offerDelay)
	}
}

func (w *desk) onAccepted(n int32, c dispatch.Change) {
	j := &w.jobs.all[n]
	switch {
	case c.Event == dispatch.EventAccept:
		j.car, j.asked = j.asked, none
		w.fleet.cars[j.car].state = CarToPickup
		w.replan(j)
		w.rides.accepted(n)
		w.rides.planMishap(n)
	case c.Event == dispatch.EventEdit && moved(c.Before, c.After):
		w.replan(j)
		w.rides.accepted(n)
	}
}

func (w *desk) onEnRoute(n int32, c dispatch.Change) {
	j := &w.jobs.all[n]
	switch {
	case c.Event == dispatch.EventSetOff:
		w.replan(j)
		w.rides.sendCar(j.car, j.pickup)
		w.rides.approach(n)
	case c.Event == dispatch.EventEdit && moved(c.Before, c.After):
		w.replan(j)
		w.rides.sendCar(j.car, j.pickup)
		w.rides.approach(n)
	}
}

func (w *desk) onPOB(n int32, c dispatch.Change) {
	j := &w.jobs.all[n]
	if edit := c.Event == dispatch.EventEdit; edit && !redirected(c.Before, c.After) {
		return
	} else if w.rides.retarget(j); edit {
		w.offers.withdraw(j.car)
	}
	w.fleet.setOnBoard(j.car, w.rides.dropoff(j, len(j.journey.Dropoffs)-1))
	w.replan(j)
	w.rides.onBoard(n)
}

// step moves a journey along the table of transitions, and reports whether it did. An
// event that the table does not allow is void. If the change cannot be stored, the event
// is tried again; therefore set must only change the stored journey, and Changed
// does the rest once the change is stored. The step of an order is not tried again, since
// the order returns the error. A journey whose booking was never stored is dropped.
func (w *desk) step(e event, ev dispatch.Event, set func(*store.Journey)) bool {
	j := &w.jobs.all[e.job]
	step := dispatch.Step{Journey: j.journey.JourneyID, Event: ev, Offered: j.journey.Revision, Set: set}
	if w.commanded != nil {
		step.Forced, step.To = w.commanded.forced, w.commanded.to
	}
	_, err := w.service.Advance(w.now.time(), step)
	switch {
	case err == nil:
		return true
	case w.commanded != nil:
		w.commanded.err = err
	case errors.Is(err, dispatch.ErrVoid):
		w.counts.voided++
		w.log.Debug("event is void", slog.Any("reason", err))
	case errors.Is(err, store.ErrNotFound):
		w.offers.freeCar(e.job)
		w.jobs.close(e.job)
	default:
		w.log.Warn("event could not be stored", slog.Any("error", err))
		e.at = w.now.add(storeRetry)
		w.plan(e)
	}
	return false
}

// Subscribe returns a channel that receives every later transition, and a function that
// ends the subscription and closes the channel. The world never waits: if the channel is
// full, the transition is dropped and counted in [Stats].
func (w *World) Subscribe(buffer int) (transitions <-chan Transition, cancel func()) {
	s := &subscriber{to: make(chan Transition, buffer)}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.subscribers = append(w.subscribers, s)
	return s.to, func() { w.unsubscribe(s) }
}

// Watch calls fn with every later transition, within its turn: fn must be quick and must
// not call this world. The function returned ends that.
func (w *World) Watch(fn func(Transition)) (cancel func()) {
	s := &subscriber{fn: fn}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.subscribers = append(w.subscribers, s)
	return func() { w.unsubscribe(s) }
}

func (w *World) unsubscribe(s *subscriber) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, o := range w.subscribers {
		if o == s {
			w.subscribers = append(w.subscribers[:i], w.subscribers[i+1:]...)
			if s.to != nil {
				close(s.to)
			}
			return
		}
	}
}

// publish numbers a change and sends it to the subscribers.
func (w *desk) publish(c dispatch.Change) {
	w.seq++
	t := Transition{
		Seq:       w.seq,
		At:        c.At,
		Journey:   c.After.JourneyID,
		Event:     c.Event,
		To:        c.After.Status,
		VehicleID: c.After.VehicleID,
		Resident:  c.Before == nil && w.residentBooks,
	}
	if c.Before != nil {
		t.From = c.Before.Status
		if t.VehicleID == "" {
			t.VehicleID = c.Before.VehicleID
		}
	}
	for _, s := range w.subscribers {
		if s.fn != nil {
			s.fn(t)
			continue
		}
		select {
		case s.to <- t:
		default:
			w.counts.lost++
		}
	}
}
