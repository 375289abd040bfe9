package simulator

import (
	"bytes"
	"encoding/json"
	"slices"
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
	pickup := SpotOf(*j.Pickup.Location)
	price := w.estimate(now, pickup, j)
	early := j.Date.Sub(now) - earliness
	if early > fullHouse {
		return price, minutes(early)
	}
	wait := offerDelay + usualAnswer + readyDelay + w.nearby(pickup, suiting(j.Category))
	return price, minutes(max(wait, early))
}

// Pickup implements [dispatch.Fleet]: the typical caller is in the middle of
// town and takes any car.
func (w *World) Pickup(time.Time) *taxi.ETA {
	return minutes(offerDelay + usualAnswer + readyDelay + w.nearby(w.roads.Centre(), anyKind))
}

// nearby is how long the car that is there first takes to a spot, of those around
// it. They are those that will be asked in a moment, so nothing is searched twice.
func (w *World) nearby(spot Spot, wish kind) time.Duration {
	if !w.roads.Covers(spot) {
		return usualPartner
	}
	fits := func(c int32) bool { return w.fleet.cars[c].kind&wish != 0 }
	if w.found = w.fleet.grid.nearest(spot, w.found[:0], fits); len(w.found) == 0 {
		return fullHouse
	}
	w.cars = w.shortlist(w.cars[:0], w.found, false)
	return slices.Min(times(&Opening{Pickup: spot, Candidates: w.cars}, w.roads))
}

// Track implements [dispatch.Fleet]. The ETA is the office's own reckoning and true
// also while the car is not heard of.
func (w *World) Track(_ time.Time, j *store.Journey) (*taxi.Point, *taxi.ETA) {
	n, ok := w.jobs.of(j.JourneyID)
	if !ok || w.jobs.all[n].car == none {
		return nil, nil
	}
	live := &w.jobs.all[n]
	at := w.heardFrom(live.car).Point()
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

// estimate prices a journey before it is made. Decisions: to and from the airport
// the price is agreed, and FIXED. A passenger who does not say where to pays at
// least the flag fall: MINIMUM. Beyond the town the council's tariff is the most
// that may be asked: MAXIMUM. Otherwise the meter will tell: ESTIMATED.
func (w *World) estimate(now time.Time, pickup Spot, j *store.Journey) *taxi.Price {
	start := max(momentOf(now), momentOf(j.Date.Time))
	var m meter
	m.start(w.fares, start)
	large := isLarge(j.Category)
	if directed(j) {
		return w.fares.price(m.fare(w.fares, false, large), taxi.Minimum)
	}
	airport, beyond := w.isAirport(pickup), false
	from, at := pickup, start
	for _, s := range j.Dropoffs {
		to := SpotOf(*s.Location)
		mm, took := w.roadsFor(from, to).Drive(from, to)
		m.drive(w.fares, at, took, mm)
		airport = airport || w.isAirport(to)
		beyond = beyond || !w.roads.Covers(to)
		from, at = to, at.add(took)
	}
	kind := taxi.Estimated
	switch {
	case airport:
		kind = taxi.Fixed
	case beyond && w.roads.Covers(pickup):
		kind = taxi.Maximum
	}
	return w.fares.price(m.fare(w.fares, airport, large), kind)
}

// directed reports whether a passenger says on the way where to: the booking says
// so, or the only place to go is where it begins. Decision.
func directed(j *store.Journey) bool {
	if bytes.Contains(j.PluginData, []byte(`"dropOffUnknown"`)) {
		var data struct{ DropOffUnknown bool }
		if json.Unmarshal(j.PluginData, &data) == nil && data.DropOffUnknown {
			return true
		}
	}
	return len(j.Dropoffs) == 1 && sameStop(*j.Pickup, j.Dropoffs[0])
}

// isLarge reports whether a booking asks for five to eight seats.
func isLarge(category string) bool {
	return suiting(category)&saloon == 0 && suiting(category)&minibus != 0
}

// isAirport reports whether a spot is at an airport.
func (w *World) isAirport(s Spot) bool {
	const near = 500_000 // mm
	for _, place := range w.airports {
		if distance(place, s) <= near {
			return true
		}
	}
	return false
}

// finalPrice is what a journey came to: what was agreed, else what the meter
// shows, as far as that keeps to what was promised.
func (w *World) finalPrice(j *job) *taxi.Price {
	final := w.fares.price(j.meter.fare(w.fares, w.wentToAirport(j), isLarge(j.journey.Category)), taxi.Fixed)
	promised := j.journey.Price
	if promised == nil {
		return final
	}
	switch promised.Type {
	case taxi.Fixed:
		return promised
	case taxi.Maximum:
		final.Value = min(final.Value, promised.Value)
	case taxi.Minimum:
		final.Value = max(final.Value, promised.Value)
	}
	return final
}

// wentToAirport reports whether a journey began or ended at an airport.
func (w *World) wentToAirport(j *job) bool {
	return w.isAirport(j.pickup) || w.isAirport(w.dropoff(j, len(j.journey.Dropoffs)-1))
}
