package simulator

import (
	"context"
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// The bounds of what is said about the supply of cars.
const (
	MaxSupplies      = 16     // zones at a time
	MaxSupplyRadius  = 50_000 // metres
	MaxSupplyMinutes = 240    // of an ETA
)

// Zone is what is within a radius of a point; empty: the whole town.
type Zone struct {
	Centre *taxi.Point `json:"centre,omitempty"`                                     // left out: everywhere
	Radius int         `json:"radius,omitempty" schema:"maximum: 50000, minimum: 1"` // metres
}

// Supply is what an order says about the cars for the pickups of a zone.
type Supply struct {
	Zone Zone `json:"zone,omitzero"`

	// how many cars serve the zone at one time; left out: as many as there are. A booking beyond that
	// waits for one of them. 0: none
	Available *int `json:"available,omitempty" schema:"minimum: 0"`
	// how long a car takes from the booking on: /book and /config say so, and a driver who would be
	// there sooner sets off later; left out: as long as it takes
	ETAMinutes *int      `json:"etaMinutes,omitempty" schema:"maximum: 240, minimum: 1"`
	Until      time.Time `json:"until,omitzero"` // by the world's clock; left out: until it is withdrawn
}

func (*Supply) name() string { return "supply" }

func (s *Supply) eta() time.Duration { return time.Duration(*s.ETAMinutes) * time.Minute }

// holds reports whether an order about the supply is about a spot, now.
func (s *Supply) holds(spot Spot, now moment) bool {
	if !s.Until.IsZero() && now >= momentOf(s.Until) {
		return false
	}
	return s.Zone.Centre == nil || distance(SpotOf(*s.Zone.Centre), spot) <= int64(s.Zone.Radius)*1000
}

// SetSupply says how many cars there are for a zone, or how long they take. It replaces
// what was said about the same zone. Where zones overlap the one that was set first
// counts, and the whole town last.
func (w *World) SetSupply(ctx context.Context, s Supply) error { return w.obey(ctx, &s, nil) }

func (s *Supply) carryOut(_ context.Context, w *World) (outcome, error) {
	if err := s.check(); err != nil {
		return outcome{}, err
	}
	w.dropSupplies(func(old *Supply) bool { return old.Zone.same(s.Zone) })
	if len(w.supplies) >= MaxSupplies {
		return outcome{}, refuse(RefusedConflict, "/zone", "%d zones have a supply of their own, which is the most; withdraw one", len(w.supplies))
	}
	w.supplies = append(w.supplies, *s)
	slices.SortStableFunc(w.supplies, func(a, b Supply) int { return whole(a.Zone) - whole(b.Zone) })
	return outcome{}, nil
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

// whole is 1 for the whole town and 0 for a part.
func whole(z Zone) int {
	if z.Centre == nil {
		return 1
	}
	return 0
}

func (z Zone) same(o Zone) bool {
	if z.Centre == nil || o.Centre == nil {
		return z.Centre == o.Centre
	}
	return *z.Centre == *o.Centre && z.Radius == o.Radius
}

type endSupplyOrder struct {
	Zone *Zone `json:"zone,omitempty"` // nil: all zones
}

func (*endSupplyOrder) name() string { return "end-supply" }

// EndSupply withdraws what [World.SetSupply] said about a zone, or about all of them if
// zone is nil.
func (w *World) EndSupply(ctx context.Context, zone *Zone) error {
	return w.obey(ctx, &endSupplyOrder{zone}, nil)
}

func (o *endSupplyOrder) carryOut(_ context.Context, w *World) (outcome, error) {
	w.dropSupplies(func(old *Supply) bool { return o.Zone == nil || old.Zone.same(*o.Zone) })
	return outcome{}, nil
}

// Supplies returns what is said about the supply now.
func (w *World) Supplies() []Supply {
	_, leave := w.Enter()
	defer leave()
	w.dropSupplies(func(*Supply) bool { return false })
	return slices.Clone(w.supplies)
}

// dropSupplies drops what is to go, and what has ended.
func (w *World) dropSupplies(gone func(*Supply) bool) {
	w.supplies = slices.DeleteFunc(w.supplies, func(s Supply) bool {
		return gone(&s) || !s.Until.IsZero() && w.now >= momentOf(s.Until)
	})
}

// supplyAt is what is said about the cars for a spot; nil: nothing.
func (w *World) supplyAt(spot Spot) *Supply {
	for i := range w.supplies {
		if s := &w.supplies[i]; s.holds(spot, w.now) {
			return s
		}
	}
	return nil
}

// supplied reports whether there is a car for a job as far as an order limits them.
func (w *World) supplied(j *job) bool {
	if len(w.supplies) == 0 {
		return true
	}
	s := w.supplyAt(j.pickup)
	return s == nil || s.Available == nil || w.serving(s) < *s.Available
}

// serving counts the cars that are asked for, or have, a job whose pickup is in a zone.
func (w *World) serving(s *Supply) int {
	count := 0
	for i := range w.jobs.all {
		if j := &w.jobs.all[i]; (j.car != none || j.asked != none) && j.born != 0 && s.holds(j.pickup, w.now) {
			count++
		}
	}
	return count
}
