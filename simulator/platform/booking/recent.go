package booking

import (
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
)

// history is where a caller went lately, the latest first.
type history struct {
	places []Place
	ends   []ends
}

// ends are where a trip began and ended.
type ends struct{ pickup, dropoff taxi.Address }

// mostEnds is how many trips of a caller are looked at, and usualAfter how often one was made
// that is a usual one.
const (
	mostEnds   = 6
	usualAfter = 2
)

// recent are the places that a caller was picked up at or went to lately, the
// latest first.
func (d *Desk) recent(account string, number taxi.E164) []Place {
	return d.history(account, number).places
}

func (d *Desk) history(account string, number taxi.E164) history {
	if number == "" {
		return history{}
	}
	h, _ := d.lately.Get(account + " " + string(number))
	return h
}

// remember keeps the places of a trip, for the next time.
func (d *Desk) remember(account string, number taxi.E164, t Trip) {
	if number == "" {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	h := d.history(account, number)
	for _, a := range slices.Backward(append([]taxi.Address{t.Pickup}, t.Dropoffs...)) {
		others := slices.DeleteFunc(slices.Clone(h.places), func(p Place) bool { return samePlace(p.Address, a) })
		h.places = append([]Place{{Address: a}}, others...)
	}
	h.places = h.places[:min(len(h.places), mostRecent)]
	if len(t.Dropoffs) == 1 && t.Edit == nil {
		h.ends = append([]ends{{t.Pickup, t.Dropoffs[0]}}, h.ends[:min(len(h.ends), mostEnds-1)]...)
	}
	d.lately.Add(account+" "+string(number), h)
}

// usualTrip is the trip that a caller makes again and again, from their usual pickup.
func (s *Session) usualTrip() (ends, bool) {
	v := s.visit
	pickup, known := s.usual()
	if !known || s.unusual || v.SkipDropOff() {
		return ends{}, false
	}
	made := v.desk.history(v.Account, v.Number).ends
	for _, e := range made {
		same := func(o ends) bool { return samePlace(o.pickup, e.pickup) && samePlace(o.dropoff, e.dropoff) }
		if samePlace(e.pickup, pickup) && count(made, same) >= usualAfter {
			return e, true
		}
	}
	return ends{}, false
}

func count[T any](list []T, is func(T) bool) (n int) {
	for _, e := range list {
		if is(e) {
			n++
		}
	}
	return n
}

// usualSaid takes the answer to "From home, to the station, as usual?".
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
