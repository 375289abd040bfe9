package simulator

import (
	"context"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// LongestRepair is how long an order may have a car off the road.
const LongestRepair = 24 * time.Hour

// BreakdownOrder makes a car break down.
type BreakdownOrder struct {
	Vehicle string `json:"vehicle"`
	For     Span   `json:"for,omitempty"` // how long it is off the road, at most [LongestRepair]; 0: an hour
}

func (*BreakdownOrder) name() string { return "breakdown" }

// BreakDown obeys a [BreakdownOrder]. The car is off duty until it is repaired, or put on
// duty by [World.SetDuty]. The journey that it was on its way to, or waited for, is WAITING
// again, and another driver is looked for; an offer that its driver was thinking about goes
// to another. With the passenger on board it cannot break down: a journey at POB has no way
// but to its end.
func (w *World) BreakDown(ctx context.Context, o BreakdownOrder) (Vehicle, error) {
	return w.orderVehicle(ctx, o.Vehicle, &o)
}

func (o *BreakdownOrder) carryOut(_ context.Context, w *World) (outcome, error) {
	repair := time.Duration(o.For)
	switch {
	case repair < 0 || repair > LongestRepair:
		return outcome{}, refuse(RefusedInvalid, "/for", "is %v, want up to %v", repair, LongestRepair)
	case repair == 0:
		repair = repairTime
	}
	car, err := w.carByID(o.Vehicle)
	if err != nil {
		return outcome{}, err
	}
	c := &w.fleet.cars[car]
	if c.partner {
		return outcome{}, refuse(RefusedConflict, "", "%s is a partner firm's car, here for one job; reassign that", o.Vehicle)
	}
	if err := w.loseJob(car); err != nil {
		return outcome{}, err
	}
	w.offDutyFor(car, max(c.away, w.now.add(repair)).sub(w.now))
	return outcome{}, nil
}

// loseJob takes from a car that breaks down the job that it has, or that its driver is
// asked for.
func (w *World) loseJob(car int32) error {
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
	w.step(event{job: c.job, car: car, stamp: w.jobs.all[c.job].born}, lost, nil)
	return w.commanded.err
}
