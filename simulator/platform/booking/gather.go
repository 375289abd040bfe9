package booking

import (
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/booking/keypad"
)

// onward returns the state that asks for the next missing part of a trip, or reads the trip back.
func (s *form) onward() State {
	if n := len(s.trip.Dropoffs); s.visit.Wish == nil && s.where && n == 1 && len(s.stops) == 0 && s.trip.Pickup.Address != "" && sameDoor(s.trip.Pickup, s.trip.Dropoffs[0]) {
		s.trip.Pickup, s.refused = taxi.Address{}, true // nobody goes nowhere
	}
	if n := len(s.trip.Dropoffs); s.trip.Edit == nil && s.visit.Wish == nil && n > 1 { // through arrivals at the airport: where they are
		s.trip.Dropoffs = append(slices.DeleteFunc(slices.Clone(s.trip.Dropoffs[:n-1]), func(a taxi.Address) bool { return sameDoor(a, s.trip.Pickup) }), s.trip.Dropoffs[n-1])
	}
	if len(s.either) > 0 && s.trip.Pickup.Address != "" { // the other one is the drop-off
		if left := slices.DeleteFunc(s.either, func(a taxi.Address) bool { return sameDoor(a, s.trip.Pickup) }); len(left) == 1 && !s.where {
			s.endAt(left[0])
		}
		s.either = nil
	}
	switch {
	case s.trip.Edit == nil && s.visit.Standing == StandingUnknown && s.trip.Name == "" && !s.named:
		return AskName
	case len(s.doubts) > 0:
		return WhichPlace
	case s.trip.Pickup.Address == "" && s.visit.Standing == StandingUnknown:
		return AskPickup
	case s.trip.Pickup.Address == "":
		return WherePick
	case !s.timed && (s.arrive.IsZero() || s.where || s.visit.skipDropOff()):
		return s.askTime()
	case !s.where && !s.visit.skipDropOff():
		return WhereTo
	case s.company && s.trip.Edit == nil:
		return HowMany
	}
	return Confirm
}

// askTime returns the state that asks for the time, or that proposes a time at which to leave in order to arrive in
// time.
func (s *form) askTime() State {
	n := len(s.trip.Dropoffs)
	if s.arrive.IsZero() || n == 0 {
		return When
	}
	there, trouble := s.arrive.At(s.now(), time.Time{})
	at := there.Add(-journeyTime(s.trip.Pickup, s.trip.Dropoffs[n-1]))
	if trouble != "" || !at.After(s.now()) {
		s.arrive = grammar.When{}
		return When
	}
	s.trip.At = at
	return IsTime
}

// journeyTime estimates how long before an arrival the pickup must be: 1.4 times the straight line at 25 km/h, plus ten
// minutes, rounded up to five minutes.
func journeyTime(from, to taxi.Address) time.Duration {
	const detour, metresAMinute, spare, round = 1.4, 25_000.0 / 60, 10 * time.Minute, 5 * time.Minute
	way := time.Duration(0)
	if from.Location != nil && to.Location != nil {
		way = time.Duration(metres(*from.Location, *to.Location) * detour / metresAMinute * float64(time.Minute))
	}
	return (way + spare + round - 1).Truncate(round)
}

// newTrip begins another booking.
func (s *form) newTrip() {
	s.trip, s.timed, s.where, s.when = Trip{}, false, false, grammar.When{}
	s.house, s.forDropoff, s.doubts, s.either = "", false, nil, nil
	s.turned, s.unclearYes, s.company, s.contested = false, "", false, false
	s.arrive, s.unclear = grammar.When{}, false
	s.journey, s.menu, s.ear = nil, Known, ear{}
}

// usual returns the pickup that is proposed to a caller: the latest place of their trips, or else the pickup of a
// booking; false if there is none.
func (s *form) usual() (taxi.Address, bool) {
	v := s.visit
	if own := v.desk.recent(v.Account, v.Number); len(own) > 0 {
		return own[0].Address, true
	}
	for _, j := range v.User.Active {
		if j.Pickup != nil {
			if a, ok := found(*j.Pickup, v.settings.Places); ok {
				return a, true
			}
		}
	}
	return taxi.Address{}, false
}

// offer sets the places that the caller can choose from; only the first listed ones are read out.
func (s *form) offer(places []Place, listed int) {
	s.list, s.listed = places, min(listed, len(places))
}

// streets returns the places that are streets, for which a house number is needed.
func (s *form) streets() []Place {
	var streets []Place
	for _, p := range s.visit.settings.Places {
		if p.Street {
			streets = append(streets, p)
		}
	}
	return streets
}

// notPickup returns places without the pickup, as destinations.
func (s *form) notPickup(places []Place) []Place {
	if s.visit.Wish != nil {
		return places
	}
	return slices.DeleteFunc(slices.Clone(places), func(p Place) bool { return sameDoor(p.Address, s.trip.Pickup) })
}

// endAt sets the last drop-off of the trip. Earlier stops of a changed booking stay, unless the channel knew the trip
// beforehand.
func (s *form) endAt(a taxi.Address) {
	var stops []taxi.Address
	if n := len(s.trip.Dropoffs); n > 1 && len(s.visit.wish().Places) == 0 {
		stops = s.trip.Dropoffs[: n-1 : n-1]
	}
	s.trip.Dropoffs, s.where = append(stops, a), true
}

// takePlace sets the pickup or the drop-off to an address and returns the next state.
func (s *form) takePlace(a taxi.Address, dropoff bool) State {
	if dropoff {
		s.endAt(a)
		s.forDropoff = false
	} else {
		s.trip.Pickup = a
	}
	return s.onward()
}

// takeListed sets the pickup or the drop-off to an entry of the list that was read out; false if the keys are no entry.
func (s *form) takeListed(m keypad.Meaning, dropoff bool) (State, bool) {
	if m.Kind != keypad.Listed || m.Entry >= len(s.list) {
		return "", false
	}
	return s.takePlace(s.list[m.Entry].Address, dropoff), true
}

// takeTime sets a time that was entered with keys, which has no day.
func (s *form) takeTime(m keypad.Moment) State {
	s.trip.At = m.At
	if m.Ask {
		return IsTime
	}
	return WhichDay
}

// takeNow sets the time to "as soon as possible".
func (s *form) takeNow() State {
	s.trip.At, s.timed, s.when = time.Time{}, true, grammar.When{}
	return s.onward()
}
