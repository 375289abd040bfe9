package booking

import (
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// doubt is an end of the trip that several places fit.
type doubt struct {
	index   []int // of the known places, the likeliest first
	house   string
	dropoff bool
}

// places are where the caller may go. They stay the same for a conversation, since what
// was understood counts in them.
func (s *Session) places() []Place {
	if s.known == nil {
		s.known = s.visit.Places()
		for i, p := range s.known {
			if p.Name == "" { // where they went lately: as the firm calls it
				s.known[i].Name = saysAs(p.Address, s.visit.settings.Places)
			}
		}
	}
	return s.known
}

func (s *Session) gazetteer() *grammar.Gazetteer {
	if s.names == nil {
		places := make([]grammar.Place, 0, len(s.places()))
		for _, p := range s.places() {
			name := p.called()
			if !p.Street {
				name, _, _ = strings.Cut(name, ",")
			}
			places = append(places, grammar.Place{Name: name, Kind: p.Kind, Street: p.Street})
		}
		s.names = grammar.NewGazetteer(places)
	}
	return s.names
}

// absorb takes what was said of a trip. What is not certain is put aside to be asked
// for; what cannot be had is said.
func (s *Session) absorb(u grammar.Utterance) {
	if u.Name != "" {
		s.trip.Name, s.named = u.Name, true
	}
	if u.People > 0 {
		s.trip.People = u.People
	}
	if u.Category != "" {
		s.trip.Category = u.Category
	}
	if u.Usual {
		if a, ok := s.usual(); ok {
			s.trip.Pickup = a
		}
	}
	s.turnRound(u)
	s.drop(u)
	s.ends(u)
	s.absorbTime(u)
}

// turnRound goes the other way, unless both ends were said, or it was said of a trip that is
// turned already: "yes, the other way round".
func (s *Session) turnRound(u grammar.Utterance) {
	n := len(s.trip.Dropoffs)
	switch {
	case s.turned && u.Swapped && u.Agrees:
	case !u.Swapped:
		s.turned = u.Turned
	case n > 0 && (!u.Pickup.Known() || !u.Dropoff.Known()):
		from := s.trip.Pickup
		s.trip.Pickup = s.trip.Dropoffs[n-1]
		s.trip.Dropoffs = append(s.trip.Dropoffs[:n-1:n-1], from)
		s.turned = true
	}
}

// drop forgets what was said not to be so, where nothing else was said in its place.
func (s *Session) drop(u grammar.Utterance) {
	for _, spot := range u.Refused {
		switch {
		case s.is(spot, s.trip.Pickup) && !u.Pickup.Named() && len(u.Bare) == 0:
			s.trip.Pickup, s.refused = taxi.Address{}, true
		case s.isEnd(spot) && !u.Dropoff.Named() && len(u.Bare) == 0:
			s.where = false
		}
		if usual, ok := s.usual(); ok && s.is(spot, usual) {
			s.refused = true
		}
	}
}

// ends takes the places.
func (s *Session) ends(u grammar.Utterance) {
	if u.Pickup.Named() {
		s.end(u.Pickup, false)
	}
	for _, spot := range u.Stops {
		if a, ok := s.certain(spot, false); ok && len(s.visit.wish().Stops) == 0 {
			s.stops = append(s.stops, a)
		}
	}
	if u.Dropoff.Named() {
		s.end(u.Dropoff, true)
	}
	for _, spot := range u.Bare {
		s.end(spot, s.bareIsDropoff(u, spot))
	}
	s.notInPlace(u)
	if len(s.stops) > 0 && s.where && len(s.trip.Dropoffs) > 0 {
		last := s.trip.Dropoffs[len(s.trip.Dropoffs)-1]
		s.trip.Dropoffs, s.stops = append(s.stops, last), nil
	}
}

// notInPlace forgets one end of a trip that ends where it begins: the one that was not said
// just now. It is asked for, since one of them was not understood.
func (s *Session) notInPlace(u grammar.Utterance) {
	n := len(s.trip.Dropoffs)
	if !u.Places() || !s.where || n != 1 || len(s.stops) > 0 || !samePlace(s.trip.Pickup, s.trip.Dropoffs[0]) {
		return
	}
	if u.Dropoff.Named() && !u.Pickup.Named() {
		s.trip.Pickup, s.refused = taxi.Address{}, true
		return
	}
	s.where = false
}

// bareIsDropoff decides which end a place is of which nobody said: that of the one that
// it takes the place of, the one that is of its kind, or the one that is still open.
func (s *Session) bareIsDropoff(u grammar.Utterance, spot grammar.Spot) bool {
	for _, no := range u.Refused {
		if s.isEnd(no) {
			return true
		}
		if s.is(no, s.trip.Pickup) {
			return false
		}
	}
	switch {
	case s.trip.Pickup.Address == "":
		return s.state == WhereTo || s.state == Elsewhere
	case !s.where || len(s.trip.Dropoffs) == 0:
		return true
	}
	if slices.ContainsFunc(s.before, func(a taxi.Address) bool { return s.is(spot, a) }) {
		return false // no, the museum was right
	}
	kind := func(a taxi.Address) string {
		for _, p := range s.places() {
			if samePlace(p.Address, a) {
				return p.Kind
			}
		}
		return ""
	}
	if own := s.places()[spot.Index[0]].Kind; own != "" && own == kind(s.trip.Pickup) && own != kind(s.trip.Dropoffs[len(s.trip.Dropoffs)-1]) {
		return false
	}
	return true
}

// end takes a place for one end of the trip.
func (s *Session) end(spot grammar.Spot, dropoff bool) {
	s.doubts = slices.DeleteFunc(s.doubts, func(d doubt) bool { return d.dropoff == dropoff })
	if !dropoff && s.trip.Pickup.Address != "" {
		s.before = append(s.before, s.trip.Pickup)
	}
	switch a, ok := s.certain(spot, dropoff); {
	case ok && dropoff:
		s.endAt(a)
	case ok:
		s.trip.Pickup = a
	case spot.Known():
		s.doubts = append(s.doubts, doubt{index: s.apart(spot, dropoff), house: spot.House, dropoff: dropoff})
	default:
		if dropoff {
			s.where = false
		} else if s.trip.Edit == nil {
			s.trip.Pickup = taxi.Address{}
		}
		s.unknownPlace(spot.Text)
	}
}

// certain returns the address of a spot that is one place for sure.
func (s *Session) certain(spot grammar.Spot, dropoff bool) (taxi.Address, bool) {
	if !spot.Known() {
		return taxi.Address{}, false
	}
	left := s.apart(spot, dropoff)
	if len(left) != 1 {
		return taxi.Address{}, false
	}
	return s.places()[left[0]].At(spot.House), true
}

// apart are the places that a spot may be, without those that are the same and without
// the other end of the trip.
func (s *Session) apart(spot grammar.Spot, dropoff bool) []int {
	if len(spot.Index) == 1 {
		return spot.Index
	}
	var left []int
	for _, i := range spot.Index {
		a := s.places()[i].At(spot.House)
		other := !dropoff && len(s.trip.Dropoffs) > 0 && s.where && samePlace(s.trip.Dropoffs[len(s.trip.Dropoffs)-1], a) || dropoff && samePlace(s.trip.Pickup, a)
		same := slices.ContainsFunc(left, func(k int) bool { return samePlace(s.places()[k].At(spot.House), a) })
		if !other && !same {
			left = append(left, i)
		}
	}
	if len(left) == 0 {
		return spot.Index[:1]
	}
	return left
}

// unknownPlace says that a place is not known, and what is most like it.
func (s *Session) unknownPlace(text string) {
	slots := spoken.Slots{Heard: text}
	s.guess = nil
	if i, ok := s.gazetteer().Nearest(text); ok {
		place := s.places()[i]
		slots.Places, s.guess = []string{place.called()}, &place
	}
	s.say(spoken.UnknownPlace, slots)
}

// absorbTime takes a time. What was said of it before is kept until it is enough.
func (s *Session) absorbTime(u grammar.Utterance) {
	w := u.When
	if w.IsZero() || w.Now && w.Weak && s.timed && (u.Places() || u.People > 0 || u.Name != "") {
		return
	}
	var is time.Time
	if s.timed {
		is = s.trip.At
	}
	day := is
	if day.IsZero() {
		day = s.now()
	}
	if s.timed && w == (grammar.When{Day: true, Days: w.Days}) && w.Fits(s.now(), day) {
		return // today, which it is
	}
	w = w.Over(s.when)
	at, trouble := w.At(s.now(), is)
	switch trouble {
	case grammar.TimePast, grammar.TimeFar:
		s.when, s.timed = grammar.When{}, false
		prompt := spoken.TimePast
		if trouble == grammar.TimeFar {
			prompt = spoken.TimeFar
		}
		s.say(prompt, spoken.Slots{When: at})
	case grammar.TimeMissing:
		s.when, s.timed = w, s.timed && !w.Day
	default:
		s.when, s.trip.At, s.timed = grammar.When{}, at, true
	}
}

// is reports whether a spot may be an address.
func (s *Session) is(spot grammar.Spot, a taxi.Address) bool {
	return a.Address != "" && slices.ContainsFunc(spot.Index, func(i int) bool {
		p := s.places()[i]
		if p.Street && spot.House == "" {
			return strings.Contains(a.Address, p.Address.Address)
		}
		return samePlace(p.At(spot.House), a)
	})
}

func (s *Session) isEnd(spot grammar.Spot) bool {
	n := len(s.trip.Dropoffs)
	return n > 0 && s.is(spot, s.trip.Dropoffs[n-1])
}

// fitsTime reports whether each part of a time that was said is true of a moment.
func (s *Session) fitsTime(u grammar.Utterance, is time.Time) bool {
	if u.When.IsZero() {
		return true
	}
	if !is.IsZero() {
		is = is.In(s.visit.zone)
	}
	return u.When.Fits(s.now(), is) && !slices.ContainsFunc(u.Times, func(w grammar.When) bool { return !w.Fits(s.now(), is) })
}

// fits reports whether all that an utterance says of a trip is so already.
func (s *Session) fits(u grammar.Utterance, t Trip) bool {
	isEnd := func(spot grammar.Spot) bool { return len(t.Dropoffs) > 0 && s.is(spot, t.Dropoffs[len(t.Dropoffs)-1]) }
	usual, _ := s.usual()
	switch {
	case u.Pickup.Named() && !s.is(u.Pickup, t.Pickup), u.Dropoff.Named() && !isEnd(u.Dropoff), len(u.Stops) > 0, len(u.Refused) > 0 && !s.contrasts(u), u.Swapped && (!s.turned || !u.Agrees),
		u.Usual && !samePlace(usual, t.Pickup),
		!s.fitsTime(u, t.At),
		u.People > 0 && u.People != t.People,
		u.Category != "" && u.Category != t.Category,
		u.Name != "" && !strings.EqualFold(u.Name, t.Name):
		return false
	}
	return !slices.ContainsFunc(u.Bare, func(spot grammar.Spot) bool { return !isEnd(spot) && !s.is(spot, t.Pickup) })
}
