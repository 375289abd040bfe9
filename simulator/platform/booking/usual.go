package booking

import (
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
)

// usualAfter is the number of identical recent trips that make a trip usual.
const usualAfter = 2

// usualTrip returns a trip that the caller makes repeatedly from the usual pickup; false if there is none.
func (s *form) usualTrip() (ends, bool) {
	v := s.visit
	pickup, known := s.usual()
	if !known || s.unusual || v.skipDropOff() {
		return ends{}, false
	}
	made := v.desk.history(v.Account, v.Number).ends
	for _, e := range made {
		if sameDoor(e.pickup, pickup) && e.timesIn(made) >= usualAfter {
			return e, true
		}
	}
	return ends{}, false
}

// timesIn returns how many trips in made have the same pickup and drop-off.
func (e ends) timesIn(made []ends) (n int) {
	for _, o := range made {
		if sameDoor(o.pickup, e.pickup) && sameDoor(o.dropoff, e.dropoff) {
			n++
		}
	}
	return n
}

// usualSaid handles the answer to "From home, to the station, as usual?".
func (s *Session) usualSaid(u grammar.Utterance) (State, bool) {
	trip, proposed := s.usualTrip()
	elsewhere := u.Pickup.Named() || u.Dropoff.Named() || len(u.Bare) > 0 || len(u.Stops) > 0 || u.Swapped
	others := slices.ContainsFunc(u.Acts, func(a grammar.Act) bool {
		return a != grammar.ActNo && a != grammar.ActBook && a != grammar.ActAsIs
	})
	if s.state != Known || !proposed || elsewhere || others || len(u.Questions) > 0 {
		return "", false
	}
	switch {
	case u.AsUsual, u.Agrees && !u.Doubts:
		s.trip.Pickup, s.trip.Dropoffs, s.where = trip.pickup, []taxi.Address{trip.dropoff}, true
		s.timed = u.When.IsZero()
	case u.Has(grammar.ActNo):
		s.unusual = true
	default:
		return "", false
	}
	s.absorb(u)
	return s.onward(), true
}
