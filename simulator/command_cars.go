package simulator

import (
	"context"
	"slices"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/assign"
	"github.com/cabrank/cabrank/simulator/road"
	"github.com/cabrank/cabrank/store"
)

// ReassignOrder assigns another car to a journey.
type ReassignOrder struct {
	Journey taxi.JourneyID `json:"-"`
	Vehicle string         `json:"vehicle,omitempty"` // id of the car; left out: the free car that can be there first
}

// Reassign executes a [ReassignOrder]: the driver drops the job, and the other one
// accepts it at the same time. Without a free car, the journey stays WAITING and the
// search continues.
func (w *World) Reassign(ctx context.Context, o ReassignOrder) (JourneyView, error) {
	return w.orderJourney(ctx, o.Journey, o.carryOut)
}

func (o *ReassignOrder) carryOut(ctx context.Context, w *operator) (store.Ticket, error) {
	n, err := w.live(ctx, o.Journey)
	if err != nil {
		return store.Ticket{}, err
	}
	j := &w.jobs.all[n]
	status := j.journey.Status
	if status != taxi.Waiting && !w.service.Allows(w.now.time(), j.journey, dispatch.EventDrop) {
		r := refuse(RefusedConflict, "", "a journey can be given to another driver from WAITING to ARRIVED, and this one is %s", status)
		r.Status, r.Legal = status, waysFrom(status)
		return store.Ticket{}, r
	}
	if o.Vehicle != "" {
		if _, err := w.carFor(n, o.Vehicle, false); err != nil {
			return store.Ticket{}, err
		}
	}
	w.slide(n)
	w.commanded = &commanded{}
	defer func() { w.commanded = nil }()
	if status != taxi.Waiting && !w.desk.step(event{job: n, car: j.car, stamp: j.born}, dispatch.EventDrop, nil) {
		return store.Ticket{}, w.commanded.err
	}
	car, err := w.carFor(n, o.Vehicle, false)
	if err != nil { // no car is free: the search continues
		return store.Ticket{}, nil //nolint:nilerr // not a refusal: the driver has lost the job
	}
	w.acceptBy(n, car)
	return store.Ticket{}, w.commanded.err
}

// carFor finds a car for a job, or another car if it has one: the car with the given id,
// or else the one whose driver is being asked, or else the free one that can be there
// first. If there is none and partner is set, a partner firm's car is used.
func (w *operator) carFor(n int32, vehicle string, partner bool) (int32, error) {
	j := &w.jobs.all[n]
	if vehicle != "" {
		return w.freeCarNamed(n, vehicle)
	}
	if c := j.asked; c != none && w.fleet.cars[c].state == CarAsked {
		return c, nil
	}
	if !w.roads.Covers(j.pickup) {
		return w.offers.partnerFor(j), nil
	}
	w.cars = slices.DeleteFunc(w.offers.candidates(j, w.cars[:0]), func(c road.Candidate) bool { return w.fleet.cars[c.Car].state != CarFree })
	if len(w.cars) > 0 {
		jobs := []assign.OpenJob{{Pickup: j.pickup, Candidates: w.cars}}
		assign.Soonest{}.Assign(jobs, w.roads)
		return w.cars[jobs[0].Choice].Car, nil
	}
	if partner {
		return w.offers.partnerFor(j), nil
	}
	r := refuse(RefusedConflict, "", "no car is free to take the job; put one on duty, or force: then a partner firm's car comes")
	r.Status, r.Legal = j.journey.Status, waysFrom(j.journey.Status)
	return none, r
}

// freeCarNamed finds a car by its id that can take a job now.
func (w *operator) freeCarNamed(n int32, id string) (int32, error) {
	c, ok := w.fleet.byID[id]
	if !ok {
		return none, unknown(OfVehicle, "/vehicle", "there is no vehicle %q", id)
	}
	car := &w.fleet.cars[c]
	if car.state != CarFree && (car.state != CarAsked || car.job != n) {
		return none, refuse(RefusedConflict, "/vehicle", "%s cannot take the job: it is %s", id, car.state)
	}
	return c, nil
}
