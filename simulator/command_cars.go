package simulator

import (
	"context"
	"slices"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// ReassignOrder assigns another car to a journey.
type ReassignOrder struct {
	Journey taxi.JourneyID `json:"journey"`
	Vehicle string         `json:"vehicle,omitempty"` // id of the car; "": the free car that can be there first
}

// Reassign executes a [ReassignOrder]: the driver drops the job, and the other one
// accepts it at the same time. Without a free car, the journey stays WAITING and the
// search continues.
func (w *World) Reassign(ctx context.Context, o ReassignOrder) (JourneyView, error) {
	return w.orderJourney(ctx, o.Journey, o.carryOut)
}

func (o *ReassignOrder) carryOut(ctx context.Context, w *World) (store.Ticket, error) {
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
	if status != taxi.Waiting && !w.step(event{job: n, car: j.car, stamp: j.born}, dispatch.EventDrop, nil) {
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
func (w *World) carFor(n int32, vehicle string, partner bool) (int32, error) {
	j := &w.jobs.all[n]
	if vehicle != "" {
		return w.freeCarNamed(n, vehicle)
	}
	if c := j.asked; c != none && w.fleet.cars[c].state == CarAsked {
		return c, nil
	}
	if w.supplied(j) {
		if !w.roads.Covers(j.pickup) {
			return w.partnerFor(j), nil
		}
		w.cars = slices.DeleteFunc(w.candidates(j, w.cars[:0]), func(c Candidate) bool { return w.fleet.cars[c.Car].state != CarFree })
		if len(w.cars) > 0 {
			best := soonest(&OpenJob{Pickup: j.pickup, Candidates: w.cars}, w.roads)
			return w.cars[best].Car, nil
		}
	}
	if partner {
		return w.partnerFor(j), nil
	}
	r := refuse(RefusedConflict, "", "no car is free to take the job; put one on duty, or force: then a partner firm's car comes")
	r.Status, r.Legal = j.journey.Status, waysFrom(j.journey.Status)
	return none, r
}

// freeCarNamed finds a car by its id that can take a job now.
func (w *World) freeCarNamed(n int32, id string) (int32, error) {
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

// SetSupply sets how many cars serve a zone, or how long they take. It replaces the
// setting of the same zone. If zones overlap, the setting made first applies; a setting
// for the whole town applies last.
func (w *World) SetSupply(ctx context.Context, s Supply) error { return w.obey(ctx, s.carryOut, nil) }

func (s *Supply) carryOut(_ context.Context, w *World) (store.Ticket, error) {
	if err := s.check(); err != nil {
		return store.Ticket{}, err
	}
	w.dropSupplies(w.now, func(old *Supply) bool { return old.Zone.same(s.Zone) })
	if len(w.supplies) >= MaxSupplies {
		return store.Ticket{}, refuse(RefusedConflict, "/zone", "%d zones have a supply of their own, which is the most; withdraw one", len(w.supplies))
	}
	w.supplies = append(w.supplies, *s)
	slices.SortStableFunc(w.supplies, func(a, b Supply) int { return whole(a.Zone) - whole(b.Zone) })
	return store.Ticket{}, nil
}

func (s *Supply) check() error {
	z := s.Zone
	switch {
	case s.Available == nil && s.ETAMinutes == nil:
		return refuse(RefusedInvalid, "", "want available, etaMinutes or both")
	case s.Available != nil && (*s.Available < 0 || *s.Available > 1_000_000):
		return refuse(RefusedInvalid, "/available", "is %d, want 0 to 1000000 cars", *s.Available)
	case s.ETAMinutes != nil && (*s.ETAMinutes < 1 || *s.ETAMinutes > MaxSupplyMinutes):
		return refuse(RefusedInvalid, "/etaMinutes", "is %d, want 1 to %d", *s.ETAMinutes, MaxSupplyMinutes)
	case z.Centre == nil && z.Radius != 0:
		return refuse(RefusedInvalid, "/zone/centre", "is missing: a radius is around a point")
	case z.Centre != nil && !onEarth(*z.Centre):
		return refuse(RefusedInvalid, "/zone/centre", "is not on earth")
	case z.Centre != nil && (z.Radius < 1 || z.Radius > MaxSupplyRadius):
		return refuse(RefusedInvalid, "/zone/radius", "is %d, want 1 to %d metres", z.Radius, MaxSupplyRadius)
	}
	return nil
}

// whole returns 1 for the whole town and 0 for a part, for sorting.
func whole(z Zone) int {
	if z.Centre == nil {
		return 1
	}
	return 0
}

// EndSupply removes the supply setting of a zone, or all of them if zone is nil.
func (w *World) EndSupply(ctx context.Context, zone *Zone) error {
	return w.obey(ctx, func(context.Context, *World) (store.Ticket, error) {
		w.dropSupplies(w.now, func(old *Supply) bool { return zone == nil || old.Zone.same(*zone) })
		return store.Ticket{}, nil
	}, nil)
}

// Supplies returns the current supply settings.
func (w *World) Supplies() []Supply {
	_, leave := w.Enter()
	defer leave()
	w.dropSupplies(w.now, func(*Supply) bool { return false })
	return slices.Clone(w.supplies)
}

// supplied reports whether the supply settings allow another car for a job.
func (w *World) supplied(j *job) bool {
	if len(w.supplies) == 0 {
		return true
	}
	s := w.supplyAt(j.pickup, w.now)
	return s == nil || s.Available == nil || w.serving(s) < *s.Available
}

// serving counts the cars that have, or are asked for, a job with its pickup in the zone.
func (w *World) serving(s *Supply) int {
	count := 0
	for i := range w.jobs.all {
		if j := &w.jobs.all[i]; (j.car != none || j.asked != none) && j.born != 0 && s.holds(j.pickup, w.now) {
			count++
		}
	}
	return count
}
