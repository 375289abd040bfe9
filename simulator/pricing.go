package simulator

import (
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/crew"
	"github.com/cabrank/cabrank/simulator/fare"
	"github.com/cabrank/cabrank/simulator/road"
	"github.com/cabrank/cabrank/store"
)

// estimatePrice prices a journey before it is driven. Decisions: to and from the airport
// the price is FIXED. For a passenger who names no destination it is the flag fall, as a
// MINIMUM. Beyond the town the council's tariff is a limit: MAXIMUM. Otherwise the price
// is that of the meter: ESTIMATED.
func (w *desk) estimatePrice(now time.Time, pickup road.Spot, j *store.Journey) *taxi.Price {
	start := max(momentOf(now), momentOf(j.Date.Time))
	var m fare.Meter
	m.Start(w.fares.Table, start.time())
	large := crew.IsLarge(j.Category)
	if asDirected(j) {
		return w.fares.Price(m.Fare(w.fares.Table, false, large), taxi.Minimum)
	}
	airport, beyond := w.fares.isAirport(pickup), false
	from, at := pickup, start
	for _, s := range j.Dropoffs {
		to := road.SpotOf(*s.Location)
		mm, took := w.rides.roadsFor(from, to).Drive(from, to)
		m.Drive(w.fares.Table, at.time(), took, mm)
		airport = airport || w.fares.isAirport(to)
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
	return w.fares.Price(m.Fare(w.fares.Table, airport, large), kind)
}

// isAirport reports whether a spot is at an airport.
func (f *fares) isAirport(s road.Spot) bool {
	const near = 500_000 // mm
	for _, place := range f.airports {
		if road.Distance(place, s) <= near {
			return true
		}
	}
	return false
}

// finalPrice returns the price of a finished journey: the fixed price if there is one, or
// else that of the meter, up to the limit that was quoted.
func (w *desk) finalPrice(j *job) *taxi.Price {
	final := w.fares.Price(j.meter.Fare(w.fares.Table, w.wentToAirport(j), crew.IsLarge(j.journey.Category)), taxi.Fixed)
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
func (w *desk) wentToAirport(j *job) bool {
	return w.fares.isAirport(j.pickup) || w.fares.isAirport(w.rides.dropoff(j, len(j.journey.Dropoffs)-1))
}

// Waits for quotes before a driver has accepted the job.
const (
	typicalAnswer = 5 * time.Second  // a driver's time to accept
	partnerWait   = 4 * time.Minute  // a partner firm's car to the pickup
	noCarWait     = 20 * time.Minute // a car to the pickup if none is working
)

// Quote implements [dispatch.Fleet].
func (w *desk) Quote(now time.Time, j *store.Journey) (*taxi.Price, *taxi.ETA) {
	pickup := road.SpotOf(*j.Pickup.Location)
	price := w.estimatePrice(now, pickup, j)
	early := j.Date.Sub(now) - arriveEarly
	if early > noCarWait {
		return price, minutes(early)
	}
	return price, minutes(max(w.waitAt(pickup, crew.KindsFor(j.Category)), early))
}

// Pickup implements [dispatch.Fleet]. It assumes a passenger in the middle of town who
// accepts any car.
func (w *desk) Pickup(time.Time) *taxi.ETA {
	return minutes(w.waitAt(w.roads.Centre(), crew.Any))
}

// waitAt returns how long after a booking a car arrives at a spot.
func (w *desk) waitAt(spot road.Spot, kinds crew.Kind) time.Duration {
	return offerDelay + typicalAnswer + readyDelay + w.waitNear(spot, kinds)
}

// waitNear returns the shortest driving time to a spot from the cars around it. The same cars
// will be asked soon, and their routes are cached until then.
func (w *desk) waitNear(spot road.Spot, kinds crew.Kind) time.Duration {
	if !w.roads.Covers(spot) {
		return partnerWait
	}
	fits := func(c int32) bool { return w.fleet.kinds[c]&kinds != 0 }
	if w.found = w.fleet.grid.Nearest(spot, shortlist, w.found[:0], fits); len(w.found) == 0 {
		return w.waitForBusy(spot, kinds)
	}
	w.cars = w.offers.shortlist(w.cars[:0], w.found, false)
	return slices.Min(w.roads.Times(w.cars, spot))
}

// waitForBusy estimates how long it takes until one of the cars with a job has dropped
// its passenger off and come to a spot: in a straight line, and as if nobody else waited.
func (w *desk) waitForBusy(spot road.Spot, kinds crew.Kind) time.Duration {
	air, soonest, found := road.Plane(w.roads.Centre()), noCarWait, false
	drive := func(from, to road.Spot) time.Duration {
		_, took := air.Drive(from, to)
		return took
	}
	for i := range w.fleet.cars {
		c := &w.fleet.cars[i]
		if c.partner || c.job == none || c.next != none || c.offShift || w.fleet.kinds[i]&kinds == 0 {
			continue
		}
		j := &w.jobs.all[c.job]
		last := w.rides.dropoff(j, len(j.journey.Dropoffs)-1)
		wait := max(j.due.sub(w.now), 0) + drive(last, spot)
		if c.state != CarOnBoard {
			wait += boardingMean + drive(j.pickup, last)
		}
		if !found || wait < soonest {
			soonest, found = wait, true
		}
	}
	return soonest
}

// FlagFall implements [dispatch.Fleet].
func (w *desk) FlagFall(now time.Time) *taxi.Price {
	return w.fares.Price(w.fares.FlagFall(momentOf(now).time()), taxi.Fixed)
}

// minutes returns a wait as an ETA: in minutes, rounded up, at least one.
func minutes(d time.Duration) *taxi.ETA {
	m := max((int64(d)+int64(time.Minute)-1)/int64(time.Minute), 1)
	return &taxi.ETA{Value: float64(m), Unit: taxi.UnitMinutes}
}
