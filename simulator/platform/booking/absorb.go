package booking

import (
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// doubt is an end of the trip that the caller named but that is uncertain: several places match, or only a similar one
// does, or a street was named without a house number.
type doubt struct {
	index   []int // indices of known places, the likeliest first
	house   string
	dropoff bool
	heard   string // the name of a place that is not known; index is what may have been meant
	number  bool   // the number of the house is to be asked for
}

// places lists the places that the caller may name. The list does not change during a
// conversation, since answers refer to its indices.
func (s *form) places() []Place {
	if s.known == nil {
		s.known = s.visit.places()
		for i, p := range s.known {
			if p.Name == "" { // a recent place: use the firm's name for it
				s.known[i].Name = placeNameAt(p.Address, s.visit.settings.Places)
			}
		}
	}
	return s.known
}

func (s *form) gazetteer() *grammar.Gazetteer {
	if s.names == nil {
		places := make([]grammar.Place, 0, len(s.places()))
		for _, p := range s.places() {
			name := p.called()
			if !p.Street {
				name, _, _ = strings.Cut(name, ",")
			}
			places = append(places, grammar.Place{Name: name, Kind: p.Kind, Street: p.Street, Address: p.Address.Address})
		}
		s.names = grammar.NewGazetteer(places)
	}
	return s.names
}

// absorb adds the information of an utterance to the trip. It stores uncertain places, so
// that they are asked for, and reports places that are unknown.
func (s *form) absorb(u grammar.Utterance) {
	if u.Name != "" {
		s.trip.Name, s.named = u.Name, true
	}
	switch {
	case u.Company && u.People > 0 && s.trip.People > 0: // three were read back; four, my aunt comes too
		s.trip.People = u.People
	case u.Company:
		s.company = s.trip.People == 0
	case u.People > 0:
		s.trip.People, s.company = u.People, false
	}
	if u.Category != "" {
		s.trip.Category = u.Category
	}
	for _, need := range u.Needs {
		if !slices.Contains(s.trip.Needs, need) {
			s.trip.Needs = append(s.trip.Needs, need)
		}
	}
	if u.Back && !s.trip.Back {
		s.trip.Back = true
		s.say(spoken.WayThere, spoken.Slots{})
	}
	if u.Usual {
		if a, ok := s.usual(); ok {
			s.trip.Pickup = a
		}
	}
	s.reverseTrip(u)
	if u.Pickup.Weak && !u.Dropoff.Named() && slices.ContainsFunc(u.Refused, s.isEnd) { // it's the museum he's at, not the hotel
		u.Dropoff, u.Pickup = u.Pickup, grammar.Spot{}
	}
	s.drop(u)
	s.ends(u)
	s.absorbTime(u)
}

// reverseTrip exchanges pickup and drop-off, unless the utterance names both, or the trip has been reversed already:
// "yes, the other way round".
func (s *form) reverseTrip(u grammar.Utterance) {
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

// drop removes the parts of the trip that the caller has rejected and not replaced.
func (s *form) drop(u grammar.Utterance) {
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

// ends sets the places of an utterance.
func (s *form) ends(u grammar.Utterance) {
	if u.Back && len(u.Stops) > 0 { // where they go first, and back from
		u.Dropoff, u.Stops = u.Stops[0], nil
	}
	if u.Pickup.Named() && (!u.Pickup.Weak || !s.where || !s.isEnd(u.Pickup) || s.state == AskPickup || s.state == WherePick) {
		s.end(u.Pickup, false)
	}
	for _, spot := range u.Stops {
		if !spot.Known() && len(spot.Maybe) > 0 { // it is read back
			spot = grammar.Spot{Index: spot.Maybe[:1], House: spot.House}
		}
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
	s.removeSameEnd(u)
	s.askWhichEnd(u)
	if len(s.stops) > 0 && s.where && len(s.trip.Dropoffs) > 0 {
		last := s.trip.Dropoffs[len(s.trip.Dropoffs)-1]
		s.stops = slices.DeleteFunc(s.stops, func(a taxi.Address) bool { return sameDoor(a, last) }) // named twice
		s.trip.Dropoffs, s.stops = append(s.stops, last), nil
	}
}

// askWhichEnd asks which of two named places is the pickup, if the utterance does not say so plainly; the other one
// becomes the drop-off.
func (s *form) askWhichEnd(u grammar.Utterance) {
	if u.Guessed && s.trip.Pickup.Address != "" && s.where && len(s.trip.Dropoffs) == 1 && s.trip.Edit == nil {
		s.either = []taxi.Address{s.trip.Pickup, s.trip.Dropoffs[0]}
		s.trip.Pickup, s.where, s.refused = taxi.Address{}, false, true
	}
}

// removeSameEnd handles a trip whose pickup and drop-off are the same place: it removes the end that was not named just
// now, which is then asked for again.
func (s *form) removeSameEnd(u grammar.Utterance) {
	n := len(s.trip.Dropoffs)
	if !u.Places() || !s.where || n == 0 || !sameDoor(s.trip.Pickup, s.trip.Dropoffs[n-1]) {
		return
	}
	if u.Dropoff.Named() && !u.Pickup.Named() {
		s.trip.Pickup, s.refused = taxi.Address{}, true
		return
	}
	s.where = false
}

// bareIsDropoff reports whether a place that was named without "from" or "to" is the drop-off. That depends on the
// place that it replaces, on its kind, or on the end that is still missing.
func (s *form) bareIsDropoff(u grammar.Utterance, spot grammar.Spot) bool {
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
		return false // "no, the museum was right"
	}
	if spot.House != "" && spot.Known() {
		_, street := houseOf(s.places()[spot.Index[0]].At(spot.House))
		if _, from := houseOf(s.trip.Pickup); from == street {
			return false // Castle Street fifty, not fifteen
		}
	}
	kind := func(a taxi.Address) string {
		for _, p := range s.places() {
			if sameDoor(p.Address, a) {
				return p.Kind
			}
		}
		return ""
	}
	if !spot.Known() {
		return true
	}
	if own := s.places()[spot.Index[0]].Kind; own != "" && own == kind(s.trip.Pickup) && own != kind(s.trip.Dropoffs[len(s.trip.Dropoffs)-1]) {
		return false
	}
	return true
}

// end sets the pickup or the drop-off to a spot, or stores a doubt about it if the spot is not certain.
func (s *form) end(spot grammar.Spot, dropoff bool) {
	s.doubts = slices.DeleteFunc(s.doubts, func(d doubt) bool { return d.dropoff == dropoff })
	if spot.House == "" && len(spot.Index) == 1 && s.places()[spot.Index[0]].Street { // never booked without its number
		spot.Street = true
	}
	if !dropoff && s.trip.Pickup.Address != "" {
		s.before = append(s.before, s.trip.Pickup)
	}
	switch a, ok := s.certain(spot, dropoff); {
	case ok && dropoff:
		s.endAt(a)
	case ok:
		s.trip.Pickup = a
	default: // it is empty until it is certain
		if dropoff {
			s.where = false
		} else {
			s.trip.Pickup, s.refused = taxi.Address{}, true
		}
		if spot.Known() {
			s.doubts = append(s.doubts, doubt{index: s.distinctPlaces(spot, dropoff), house: spot.House, dropoff: dropoff, number: spot.Street})
		} else {
			s.unknownPlace(spot, dropoff)
		}
	}
}

// certain returns the address of a spot; false if it does not match exactly one place.
func (s *form) certain(spot grammar.Spot, dropoff bool) (taxi.Address, bool) {
	if !spot.Known() || spot.Street && !s.visited(spot) {
		return taxi.Address{}, false
	}
	left := s.distinctPlaces(spot, dropoff)
	if len(left) != 1 {
		return taxi.Address{}, false
	}
	if spot.Street {
		for _, end := range slices.Concat(s.before, []taxi.Address{s.trip.Pickup}, s.trip.Dropoffs) {
			if s.is(spot, end) { // the house of it that was read back
				return end, true
			}
		}
	}
	return s.places()[left[0]].At(spot.House), true
}

// distinctPlaces returns the indices of the different places that match a spot, except the place at the other end of the trip.
func (s *form) distinctPlaces(spot grammar.Spot, dropoff bool) []int {
	if len(spot.Index) == 1 {
		return spot.Index
	}
	var left []int
	for _, i := range spot.Index {
		a := s.places()[i].At(spot.House)
		other := !dropoff && len(s.trip.Dropoffs) > 0 && s.where && sameDoor(s.trip.Dropoffs[len(s.trip.Dropoffs)-1], a) || dropoff && sameDoor(s.trip.Pickup, a)
		same := slices.ContainsFunc(left, func(k int) bool {
			return sameDoor(s.places()[k].At(spot.House), a) && s.places()[k].Street == s.places()[i].Street
		})
		if !other && !same {
			left = append(left, i)
		}
	}
	if len(left) == 0 {
		return spot.Index[:1]
	}
	return left
}

// visited reports whether a street without a number means a place that the caller has named before or travelled to
// recently.
func (s *form) visited(spot grammar.Spot) bool {
	p := s.places()[spot.Index[0]]
	if s.is(spot, s.trip.Pickup) || s.isEnd(spot) || slices.ContainsFunc(s.before, func(a taxi.Address) bool { return s.is(spot, a) }) {
		return true
	}
	return !p.Street && slices.ContainsFunc(s.visit.desk.recent(s.visit.Account, s.visit.Number), func(r Place) bool { return sameDoor(r.Address, p.Address) })
}

// unknownPlace handles a place that is not known: it asks whether the most similar known place was meant, or says that
// the place is unknown.
func (s *form) unknownPlace(spot grammar.Spot, dropoff bool) {
	index := spot.Maybe
	if i, ok := s.gazetteer().Nearest(spot.Text); ok && len(index) == 0 {
		index = []int{i}
	}
	if len(index) == 0 {
		s.say(spoken.UnknownPlace, spoken.Slots{Heard: spot.Text})
		return
	}
	s.doubts = append(s.doubts, doubt{index: index, dropoff: dropoff, heard: spot.Text})
}

// absorbTime adds a time. Incomplete parts are stored until the time is complete.
func (s *form) absorbTime(u grammar.Utterance) {
	if u.Unsure || !u.Arrival.IsZero() {
		s.timed, s.when, s.arrive, s.unclear = false, u.When, u.Arrival, true
		return
	}
	w := u.When
	if w.IsZero() || w.Now && w.Weak && s.timed && (u.Places() || u.People > 0 || u.Name != "" || u.Disputes) {
		return
	}
	var is time.Time
	if s.timed || s.state == IsTime {
		is = s.trip.At
	}
	if s.state == When && s.when.Undated && w.Clock && !w.Undated { // the day was asked for, and is the next one
		s.when.Undated = false
	}
	day := is
	if day.IsZero() {
		day = s.now()
	}
	if s.timed && w == (grammar.When{Day: true, Days: w.Days}) && w.Fits(s.now(), day) {
		return // "today", which is the default
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
	case grammar.TimeDay:
		s.when, s.timed = w, false
	case grammar.TimeMissing:
		s.when, s.timed = w, s.timed && !w.Day
	default:
		s.when, s.trip.At, s.timed = grammar.When{}, at, true
		s.arrive, s.unclear = grammar.When{}, false
	}
}

// is reports whether an address is one of the places that match a spot.
func (s *form) is(spot grammar.Spot, a taxi.Address) bool {
	return a.Address != "" && slices.ContainsFunc(spot.Index, func(i int) bool {
		p := s.places()[i]
		if p.Street && spot.House == "" {
			return strings.Contains(a.Address, p.Address.Address)
		}
		return sameDoor(p.At(spot.House), a)
	})
}

func (s *form) isEnd(spot grammar.Spot) bool {
	n := len(s.trip.Dropoffs)
	return n > 0 && s.is(spot, s.trip.Dropoffs[n-1])
}

// fitsTime reports whether a spoken time does not contradict the time is.
func (s *form) fitsTime(u grammar.Utterance, is time.Time) bool {
	if u.When.IsZero() {
		return true
	}
	if !is.IsZero() {
		is = is.In(s.visit.zone)
	}
	fits := func(w grammar.When) bool {
		w.About = w.About && !u.Doubts // about eight, rather than half past seven
		return w.Fits(s.now(), is)
	}
	return fits(u.When) && !slices.ContainsFunc(u.Times, func(w grammar.When) bool { return !fits(w) })
}

// fits reports whether everything that an utterance says about a trip is already so in t.
func (s *form) fits(u grammar.Utterance, t Trip) bool {
	isEnd := func(spot grammar.Spot) bool { return len(t.Dropoffs) > 0 && s.is(spot, t.Dropoffs[len(t.Dropoffs)-1]) }
	isStop := func(spot grammar.Spot) bool {
		return slices.ContainsFunc(t.Dropoffs, func(a taxi.Address) bool { return s.is(spot, a) })
	}
	usual, _ := s.usual()
	switch {
	case u.Pickup.Named() && !s.is(u.Pickup, t.Pickup) && (!u.Pickup.Weak || !isStop(u.Pickup)), u.Dropoff.Named() && !isEnd(u.Dropoff), len(u.Stops) > 0, len(u.Refused) > 0 && !s.contrasts(u), u.Swapped && (!s.turned || !u.Agrees),
		u.Usual && !sameDoor(usual, t.Pickup),
		!s.fitsTime(u, t.At),
		u.People > 0 && u.People != t.People,
		u.Category != "" && u.Category != t.Category,
		!u.Arrival.IsZero(), u.Unsure, u.Back && !t.Back,
		slices.ContainsFunc(u.Needs, func(n spoken.Need) bool { return !slices.Contains(t.Needs, n) }),
		u.Name != "" && !strings.EqualFold(u.Name, t.Name):
		return false
	}
	return !slices.ContainsFunc(u.Bare, func(spot grammar.Spot) bool { return !isStop(spot) && !s.is(spot, t.Pickup) })
}
