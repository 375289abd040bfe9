package simulator

import (
	"context"
	"slices"
)

func (*Supply) name() string { return "supply" }

// SetSupply sets how many cars serve a zone, or how long they take. It replaces the
// setting of the same zone. If zones overlap, the setting made first applies; a setting
// for the whole town applies last.
func (w *World) SetSupply(ctx context.Context, s Supply) error { return w.obey(ctx, &s, nil) }

func (s *Supply) carryOut(_ context.Context, w *World) (outcome, error) {
	if err := s.check(); err != nil {
		return outcome{}, err
	}
	w.dropSupplies(w.now, func(old *Supply) bool { return old.Zone.same(s.Zone) })
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

// whole returns 1 for the whole town and 0 for a part, for sorting.
func whole(z Zone) int {
	if z.Centre == nil {
		return 1
	}
	return 0
}

type endSupplyOrder struct {
	Zone *Zone `json:"zone,omitempty"` // nil: all zones
}

func (*endSupplyOrder) name() string { return "end-supply" }

// EndSupply removes the supply setting of a zone, or all of them if zone is nil.
func (w *World) EndSupply(ctx context.Context, zone *Zone) error {
	return w.obey(ctx, &endSupplyOrder{zone}, nil)
}

func (o *endSupplyOrder) carryOut(_ context.Context, w *World) (outcome, error) {
	w.dropSupplies(w.now, func(old *Supply) bool { return o.Zone == nil || old.Zone.same(*o.Zone) })
	return outcome{}, nil
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
