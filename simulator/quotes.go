package simulator

import (
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// What a caller is told before a driver has taken the job.
const (
	usualAnswer  = 5 * time.Second  // a driver takes so long to accept
	usualPartner = 4 * time.Minute  // a partner's car to be there
	fullHouse    = 20 * time.Minute // a car to be there when none is free
)

// Quote implements [dispatch.Fleet].
func (w *World) Quote(now time.Time, j *store.Journey) (*taxi.Price, *taxi.ETA) {
	pickup := w.roads.Centre()
	if at := j.Pickup.Location; at != nil {
		pickup = SpotOf(*at)
	}
	price := w.estimate(pickup, j.Dropoffs)
	early := j.Date.Sub(now) - earliness
	wait := offerDelay + usualAnswer + readyDelay + w.nearby(pickup, suiting(j.Category))
	return price, minutes(max(wait, early))
}

// Pickup implements [dispatch.Fleet]: the typical caller is in the middle of
// town and takes any car.
func (w *World) Pickup(time.Time) *taxi.ETA {
	return minutes(offerDelay + usualAnswer + readyDelay + w.nearby(w.roads.Centre(), anyKind))
}

// nearby is how long the next free car takes to a spot.
func (w *World) nearby(spot Spot, wish kind) time.Duration {
	if !w.roads.Covers(spot) {
		return usualPartner
	}
	var found [1]near
	if w.fleet.grid.nearest(spot, found[:], func(c int32) bool { return w.fleet.cars[c].kind&wish != 0 }) == 0 {
		return fullHouse
	}
	return w.driveTime(w.fleet.cars[found[0].car].route.To, spot)
}

// Track implements [dispatch.Fleet].
func (w *World) Track(_ time.Time, j *store.Journey) (*taxi.Point, *taxi.ETA) {
	n, ok := w.jobs.of(j.JourneyID)
	if !ok || w.jobs.all[n].car == none {
		return nil, nil
	}
	live := &w.jobs.all[n]
	at := w.fleet.cars[live.car].at(w.now).Point()
	if j.Status == taxi.Arrived {
		return &at, &taxi.ETA{Unit: taxi.UnitMinutes}
	}
	return &at, minutes(live.due.sub(w.now))
}

// minutes is a wait as callers are told it: begun minutes, at least one.
func minutes(d time.Duration) *taxi.ETA {
	m := max(ceil(int64(d), int64(time.Minute)), 1)
	return &taxi.ETA{Value: float64(m), Unit: taxi.UnitMinutes}
}

// estimate prices a journey before it is made. Decision: to and from the airport
// the price is agreed; otherwise it is metered and an estimate. A passenger who
// does not say where to pays at least the flag fall.
func (w *World) estimate(pickup Spot, stops []taxi.Address) *taxi.Price {
	var length int64
	agreed := w.agreed(pickup)
	from := pickup
	for _, s := range stops {
		if s.Location == nil {
			return w.tariff.price(w.tariff.Flag, taxi.Minimum)
		}
		to := SpotOf(*s.Location)
		mm, _ := w.roadsFor(from, to).Drive(from, to)
		length += mm
		agreed = agreed || w.agreed(to)
		from = to
	}
	kind := taxi.Estimated
	if agreed {
		kind = taxi.Fixed
	}
	return w.tariff.price(w.tariff.Fare(length, 0), kind)
}

// agreed reports whether journeys from or to a spot have an agreed price.
func (w *World) agreed(s Spot) bool {
	const near = 500_000 // mm
	for _, place := range w.airports {
		if distance(place, s) <= near {
			return true
		}
	}
	return false
}

// finalPrice is what a journey came to: the agreed price, else the meter's.
func (w *World) finalPrice(j *job) *taxi.Price {
	if p := j.journey.Price; p != nil && p.Type == taxi.Fixed {
		return p
	}
	return w.tariff.price(w.tariff.Fare(j.driven, j.stood), taxi.Fixed)
}
