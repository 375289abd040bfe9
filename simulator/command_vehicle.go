package simulator

import (
	"context"
	"math"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/road"
	"github.com/cabrank/cabrank/store"
)

// Vehicle returns a car by its id; a [Refusal] if it does not exist.
func (w *World) Vehicle(id string) (Vehicle, error) {
	_, leave := w.Enter()
	defer leave()
	n, err := w.operator.carByID(id)
	if err != nil {
		return Vehicle{}, err
	}
	return w.desk.vehicle(&w.fleet.cars[n]), nil
}

// SetDuty puts a car off duty until it is put on duty again: it finishes its job, and
// gets no other. A car that is put on duty works regardless of its driver's shift, until
// the end of the next shift.
func (w *World) SetDuty(ctx context.Context, vehicle string, on bool) (Vehicle, error) {
	return w.orderVehicle(ctx, vehicle, func(context.Context, *operator) (store.Ticket, error) {
		return store.Ticket{}, w.operator.setDuty(vehicle, on)
	})
}

// setDuty is [World.SetDuty], within a turn.
func (w *operator) setDuty(vehicle string, on bool) error {
	n, ok := w.fleet.byID[vehicle]
	if !ok {
		return noVehicle(vehicle)
	}
	c := &w.fleet.cars[n]
	c.grounded = !on
	switch {
	case !on && c.state == CarFree:
		w.fleet.takeOffDuty(n, w.now)
	case on:
		c.summoned = c.summoned || c.offShift
		c.offShift, c.rests = false, false
		if w.roads.Covers(c.at(w.now)) { // otherwise it is on its way back to town
			c.away = w.now
		}
		w.roster.onDuty(n)
	}
	return nil
}

// PlaceVehicle moves a car to a point. A car that drives to a pickup or a drop-off
// continues from there; a car that waits at a pickup cannot be moved.
func (w *World) PlaceVehicle(ctx context.Context, vehicle string, at taxi.Point) (Vehicle, error) {
	return w.orderVehicle(ctx, vehicle, func(context.Context, *operator) (store.Ticket, error) {
		return store.Ticket{}, w.operator.placeVehicle(vehicle, at)
	})
}

// placeVehicle is [World.PlaceVehicle], within a turn.
func (w *operator) placeVehicle(vehicle string, at taxi.Point) error {
	n, err := w.carByID(vehicle)
	if err != nil {
		return err
	}
	if !onEarth(at) || !w.roads.Covers(road.SpotOf(at)) {
		return refuse(RefusedInvalid, "/location", "is not in town")
	}
	to := road.SpotOf(at)
	c := &w.fleet.cars[n]
	switch c.state {
	case CarAtPickup:
		return refuse(RefusedConflict, "", "%s waits at a pickup, and its journey would be ARRIVED elsewhere; transition that first", vehicle)
	case CarFree:
		w.fleet.setBusy(n, none, CarFree)
		w.fleet.place(n, to, w.now)
		w.fleet.setFree(n)
	case CarToPickup, CarOnBoard:
		w.placeWithJob(n, to)
	default:
		w.fleet.place(n, to, w.now)
	}
	return nil
}

// onEarth reports whether the coordinates of a point are in range.
func onEarth(p taxi.Point) bool { return math.Abs(p.Longitude) <= 180 && math.Abs(p.Latitude) <= 90 }

// placeWithJob moves a car that has a job, and adapts the rest of its drive.
func (w *operator) placeWithJob(car int32, to road.Spot) {
	n := w.fleet.cars[car].job
	w.slide(n)
	w.keeping.touchJob(n)
	j := &w.jobs.all[n]
	status := j.journey.Status
	if status == taxi.POB {
		w.rides.addToMeter(j)
		w.offers.withdraw(car)
	}
	w.fleet.place(car, to, w.now)
	w.desk.replan(j)
	switch status {
	case taxi.Accepted:
		w.rides.accepted(n)
	case taxi.EnRoute:
		w.rides.sendCar(car, j.pickup)
		w.rides.approach(n)
	default:
		w.rides.sendCar(car, w.rides.dropoff(j, j.stop))
		w.rides.onBoard(n)
	}
}

// orderVehicle executes an order about a car, and returns the car's new state.
func (w *World) orderVehicle(ctx context.Context, id string, o order) (v Vehicle, err error) {
	err = w.executeOrder(ctx, o, func() {
		if n, err := w.operator.carByID(id); err == nil {
			v = w.desk.vehicle(&w.fleet.cars[n])
		}
	})
	return v, err
}

// carByID finds a car of the firm, or of a partner firm that is working.
func (w *operator) carByID(id string) (int32, error) {
	if n, ok := w.fleet.byID[id]; ok {
		return n, nil
	}
	for n := len(w.fleet.byID); n < len(w.fleet.cars); n++ {
		if c := &w.fleet.cars[n]; c.job != none && c.crew.VehicleID == id {
			return int32(n), nil
		}
	}
	return none, noVehicle(id)
}

func noVehicle(id string) error { return unknown(OfVehicle, "", "there is no vehicle %q", id) }

// LongestRepair is the longest repair that an order may set.
const LongestRepair = 24 * time.Hour

// BreakdownOrder makes a car break down.
type BreakdownOrder struct {
	Vehicle string `json:"-"`
	For     Span   `json:"for,omitzero"` // duration of the repair, at most 24h; left out: an hour
}

// BreakDown executes a [BreakdownOrder]. The car is off duty until it is repaired, or put
// on duty by [World.SetDuty]. If it was on its way to a passenger or waited for one, the
// journey is WAITING again, and another driver is looked for; an offer to its driver goes
// to another. A car with its passenger on board cannot break down, because a journey at
// POB can only be completed.
func (w *World) BreakDown(ctx context.Context, o BreakdownOrder) (Vehicle, error) {
	return w.orderVehicle(ctx, o.Vehicle, o.carryOut)
}

func (o *BreakdownOrder) carryOut(_ context.Context, w *operator) (store.Ticket, error) {
	repair := time.Duration(o.For)
	switch {
	case repair < 0 || repair > LongestRepair:
		return store.Ticket{}, refuse(RefusedInvalid, "/for", "is %v, want up to %v", repair, LongestRepair)
	case repair == 0:
		repair = repairTime
	}
	car, err := w.carByID(o.Vehicle)
	if err != nil {
		return store.Ticket{}, err
	}
	c := &w.fleet.cars[car]
	if c.partner {
		return store.Ticket{}, refuse(RefusedConflict, "", "%s is a partner firm's car, here for one job; reassign that", o.Vehicle)
	}
	if err := w.removeJob(car); err != nil {
		return store.Ticket{}, err
	}
	w.roster.breakDown(car, max(c.away, w.now.add(repair)).sub(w.now))
	return store.Ticket{}, nil
}

// removeJob takes from a broken-down car its job, or the offer to its driver.
func (w *operator) removeJob(car int32) error {
	c := &w.fleet.cars[car]
	lost := dispatch.EventDrop
	switch c.state {
	case CarFree, CarOffDuty:
		return nil
	case CarAsked:
		lost = dispatch.EventReoffer
	case CarOnBoard:
		r := refuse(RefusedConflict, "", "%s has its passenger on board, and a journey at %s only ends: take that to %s first", c.crew.VehicleID, taxi.POB, taxi.Complete)
		r.Status, r.Legal = taxi.POB, waysFrom(taxi.POB)
		return r
	}
	w.slide(c.job)
	w.commanded = &commanded{}
	defer func() { w.commanded = nil }()
	w.desk.step(event{job: c.job, car: car, stamp: w.jobs.all[c.job].born}, lost, nil)
	return w.commanded.err
}
