package booking

import (
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/booking/thirdparty"
)

// onward is the next thing to ask for before a trip can be read back.
func (s *Session) onward() State {
	switch {
	case s.trip.Pickup.Address == "" && s.visit.Standing == StandingUnknown:
		return AskPickup
	case s.trip.Pickup.Address == "":
		return WherePick
	case !s.timed:
		return When
	case !s.where && !s.visit.SkipDropOff():
		return WhereTo
	}
	return Confirm
}

// newTrip begins another booking.
func (s *Session) newTrip(m grammar.Meaning) State {
	s.trip, s.timed, s.where, s.house, s.forDropoff = Trip{}, false, false, "", false
	s.journey, s.menu = nil, Known
	if m.From.Text == "" && m.To.Text == "" && m.When.IsZero() {
		return Known
	}
	s.trip.Pickup, _ = s.usual()
	s.absorb(m)
	return s.onward()
}

// usual is where the caller was picked up last, or is to be picked up.
func (s *Session) usual() (taxi.Address, bool) {
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

// offer puts places on offer; the first so many are read out.
func (s *Session) offer(places []Place, listed int) {
	s.list, s.listed = places, min(listed, len(places))
}

// streets are the places that take a house number.
func (s *Session) streets() []Place {
	var streets []Place
	for _, p := range s.visit.settings.Places {
		if p.Street {
			streets = append(streets, p)
		}
	}
	return streets
}

// notPickup leaves the pickup out of places to go to.
func (s *Session) notPickup(places []Place) []Place {
	if s.visit.Wish != nil {
		return places
	}
	return slices.DeleteFunc(slices.Clone(places), func(p Place) bool { return samePlace(p.Address, s.trip.Pickup) })
}

// absorb takes what was said in the same breath as a choice, as far as it is
// certain; what is not is asked for.
func (s *Session) absorb(m grammar.Meaning) {
	if a, ok := s.certain(m.From); ok {
		s.trip.Pickup = a
	}
	if a, ok := s.certain(m.To); ok {
		s.endAt(a)
	}
	switch {
	case m.When.Now:
		s.trip.At, s.timed = time.Time{}, true
	case !m.When.IsZero():
		s.trip.At, s.timed = m.When.At, !m.When.Ask
	}
}

// certain returns the address of a spot that is one place for sure.
func (s *Session) certain(spot grammar.Spot) (taxi.Address, bool) {
	if len(spot.Index) != 1 || spot.Index[0] >= len(s.list) {
		return taxi.Address{}, false
	}
	return s.list[spot.Index[0]].At(spot.House), true
}

// endAt has the trip end somewhere. The stops of a booking that is changed stay,
// unless all of it is known beforehand.
func (s *Session) endAt(a taxi.Address) {
	var stops []taxi.Address
	if n := len(s.trip.Dropoffs); n > 1 && len(s.visit.wish().Places) == 0 {
		stops = s.trip.Dropoffs[: n-1 : n-1]
	}
	s.trip.Dropoffs, s.where = append(stops, a), true
}

// takePickup takes the place that a caller named.
func (s *Session) takePickup(spot grammar.Spot, from State) (State, bool) {
	if a, ok := s.certain(spot); ok {
		s.trip.Pickup = a
		return s.onward(), true
	}
	return s.ask(spot, from, false)
}

// takeDropoff takes the place that a caller wants to go to.
func (s *Session) takeDropoff(spot grammar.Spot, from State) (State, bool) {
	if a, ok := s.certain(spot); ok {
		s.endAt(a)
		s.forDropoff = false
		return s.onward(), true
	}
	return s.ask(spot, from, true)
}

// ask asks which of several places is meant; a place that nobody knows was not
// understood.
func (s *Session) ask(spot grammar.Spot, from State, dropoff bool) (State, bool) {
	if len(spot.Index) < 2 || from == WhichPlace {
		return "", false
	}
	s.doubt = doubt{dropoff: dropoff}
	for _, i := range spot.Index {
		if i < len(s.list) {
			p := s.list[i]
			s.doubt.places = append(s.doubt.places, Place{Name: p.Name, Address: p.At(spot.House)})
		}
	}
	return WhichPlace, true
}

// takeTime takes a time. A keyed one says no day.
func (s *Session) takeTime(m grammar.Moment, keyed bool) State {
	if m.Now {
		s.trip.At, s.timed = time.Time{}, true
		return s.onward()
	}
	s.trip.At = m.At
	switch {
	case m.Ask:
		return IsTime
	case keyed:
		return WhichDay
	}
	s.timed = true
	return s.onward()
}

// changed notes how the journey is now.
func (s *Session) changed(j thirdparty.Journey) { s.journey = &j }
