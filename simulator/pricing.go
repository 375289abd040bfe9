package simulator

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/fare"
	"github.com/cabrank/cabrank/store"
)

// estimatePrice prices a journey before it is driven. Decisions: to and from the
// airport the price is FIXED. A passenger who does not say where to go pays at least
// the flag fall: MINIMUM. Beyond the town the council's tariff is a limit: MAXIMUM.
// Otherwise the meter decides: ESTIMATED.
func (w *World) estimatePrice(now time.Time, pickup Spot, j *store.Journey) *taxi.Price {
	start := max(momentOf(now), momentOf(j.Date.Time))
	var m fare.Meter
	m.Start(w.fares, start.time())
	large := isLarge(j.Category)
	if asDirected(j) {
		return w.fares.Price(m.Fare(w.fares, false, large), taxi.Minimum)
	}
	airport, beyond := w.isAirport(pickup), false
	from, at := pickup, start
	for _, s := range j.Dropoffs {
		to := SpotOf(*s.Location)
		mm, took := w.roadsFor(from, to).Drive(from, to)
		m.Drive(w.fares, at.time(), took, mm)
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
	return w.fares.Price(m.Fare(w.fares, airport, large), kind)
}

// asDirected reports whether the passenger says on the way where to go: the booking
// says so, or its only drop-off is the pickup. Decision.
func asDirected(j *store.Journey) bool {
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
	return kindsFor(category)&saloon == 0 && kindsFor(category)&minibus != 0
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

// finalPrice is the price of a finished journey: the fixed price if there is one, else
// what the meter shows, within the limit that was quoted.
func (w *World) finalPrice(j *job) *taxi.Price {
	final := w.fares.Price(j.meter.Fare(w.fares, w.wentToAirport(j), isLarge(j.journey.Category)), taxi.Fixed)
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
