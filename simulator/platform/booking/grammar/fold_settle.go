package grammar

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/people"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/times"
)

// settle assigns roles to the places without one, where they are clear, and completes the utterance.
func (f *folder) settle() {
	if f.pair != nil && f.u.Pickup.Named() && overlap(f.u.Pickup, f.u.Dropoff) {
		f.u.Pickup, f.u.Dropoff, f.u.Bare, f.weakly = f.pair[0], f.pair[1], nil, nil
	}
	if f.paired && !slices.Contains(f.roles, from) && overlap(f.u.Dropoff, f.pair[1]) && slices.ContainsFunc(f.u.Bare, func(s Spot) bool { return overlap(s, f.pair[0]) }) {
		f.u.Pickup, f.u.Bare, f.weakly, f.endKnown = f.pair[0], nil, nil, true // you took me round by the airport last time; the hotel to the museum
	}
	if f.Asked == AskedDropoff && f.others && f.u.Pickup.Named() && !f.u.Dropoff.Named() { // he is at 48 Minster Lane
		f.u.Dropoff, f.u.Pickup = f.u.Pickup, Spot{}
	}
	f.leftOfSeveral(&f.u.Pickup)
	f.leftOfSeveral(&f.u.Dropoff)
	f.onlyNumber()
	f.recount()
	f.u.Bare = slices.DeleteFunc(f.u.Bare, func(s Spot) bool { // the museum is shut; to the town hall, not to the museum
		return f.ReadBack && slices.ContainsFunc(f.u.Refused, func(no Spot) bool { return overlap(s, no) })
	})
	f.weaklyPlaced()
	f.bare()
	if f.strong && f.role == from && !f.u.Pickup.Named() && f.u.When.IsZero() { // and not "pick me up at seven"
		f.u.Acts = append(f.u.Acts, ActPickup)
	}
	if f.strong && f.role == to && !f.u.Dropoff.Named() {
		f.u.Acts = append(f.u.Acts, ActDropoff)
	}
	if w := &f.u.When; f.Tag == "en" && w.Part == times.Night && w.Days == 0 && w.Hour == 5 && !w.Exact {
		w.Part = times.Evening // five tonight
	}
	f.hurried()
	if f.greeted() {
		f.u.When, f.u.Times = times.When{}, nil
	}
	f.moved()
	if f.wanting() {
		f.u.Acts = append(f.u.Acts, ActBook)
	}
	if f.u.When.Same && !f.u.When.Day { // "this time" alone is none
		if f.u.When.Same = false; !f.u.When.Clock {
			f.u.When = times.When{}
		}
	}
	if (journeys{f.hearing}).undone() {
		f.u.Acts = append(f.u.Acts, ActUnwanted)
	}
	if f.u.Has(ActChange) && f.u.When.IsZero() && slices.ContainsFunc(f.said, func(w string) bool { return backward[w] || forward[w] }) {
		f.u.Acts = append(f.u.Acts, ActTime) // push it back
	}
	f.u.Simply = f.simply()
	f.u.Ordinal, f.u.Number = f.ordinal(), f.soleNumber()
	f.u.Needs, f.u.Several, f.u.Odd = f.needs(), f.several(), f.odd()
	f.u.House = f.soleHouse()
	f.u.Small = !f.u.Fields() && len(f.u.Acts) == 0 && len(f.u.Questions) == 0 && !f.u.Agrees && len(f.u.Rest) == 0 && len(f.u.Refused) == 0
}

// arrives stores the time at which the caller must arrive, with its day, and whether a return trip was mentioned.
func (f *folder) arrives() {
	f.u.Back, f.u.Unsure, f.u.OnlyOne = f.back, f.unsure, journeys{f.hearing}.onlyOne()
	f.u.Company = f.u.Company && (f.Asked != AskedPeople || f.u.People == 0)
	if f.torn {
		f.u.When, f.u.Times, f.u.Unsure = times.When{}, nil, true
	}
	if f.unsure && f.u.When.In == 0 && !f.u.When.Now {
		f.u.When, f.u.Times = times.When{Day: f.u.When.Day, Days: f.u.When.Days, Part: f.u.When.Part}, nil
	}
	if w := f.u.When; !f.arrival.IsZero() && !w.Clock && w.In == 0 && (!w.Now || w.Weak) {
		f.u.Arrival = f.arrival.Over(times.When{Day: w.Day, Days: w.Days, Part: w.Part, Undated: w.Undated})
	}
}

// onlyNumber stores a number that corrects the read-back without saying of what: "no sorry, thirteen", "thirty, not
// thirteen". It ignores repeated numbers and the figures of a number: "thirty, three zero, Bridge Street".
func (f *folder) onlyNumber() {
	if !f.ReadBack || f.u.People > 0 || len(f.u.Questions) > 0 {
		return
	}
	found, digits, denied, more := 0, "", false, f.u.Places()
	house := false // what was denied is that of a house
	for i := 0; i < len(f.said); i++ {
		end := i + 1
		for end < len(f.said) && !f.behindComma(end) {
			end++
		}
		n, words := f.reader(f.said[:end]).Number(i)
		switch {
		case words > 0 && (f.Clock.At[firstOf(f.said, i-1)] || slices.ContainsFunc(f.items, func(it item) bool { return it.kind == itemTime && !it.when.Bare && i >= it.from && i < it.to })):
			return
		case words > 0 && (found == 0 && f.placed(i) || times.Counted[firstOf(f.said, i+words)]): // another house; three bags
			return
		case words > 0 && n == found:
			i += words - 1
		case words > 0 && found > 0 && strings.HasPrefix(strconv.Itoa(found), digits+strconv.Itoa(n)):
			digits, i = digits+strconv.Itoa(n), i+words-1
		case words > 0 && f.wasRead(n):
			denied, house, i = true, house || slices.Contains(f.Houses, n), i+words-1
		case words > 0 && found == 0 && n > 0:
			found, i = n, i+words-1
		case words > 0:
			return
		default:
			more = more || !f.slight(i)
		}
	}
	alike := slices.ContainsFunc(f.Houses, func(house int) bool { return SoundAlike(house, found) })
	if found == 0 || more && !alike && !house || !more && denied && !alike && len(f.Houses) == 0 {
		return
	}
	f.u.Only = found
	if !f.u.Agrees || denied {
		f.u.When, f.u.Times, f.u.Rest = times.When{}, nil, nil
		f.u.Pickup, f.u.Dropoff, f.u.Bare = Spot{}, Spot{}, nil
	}
}

// leftOfSeveral removes rejected places from those that a spot may be: "Northgate, the street, not the surgery".
func (f *folder) leftOfSeveral(s *Spot) {
	if len(s.Index) < 2 {
		return
	}
	for _, no := range f.u.Refused {
		if left := slices.DeleteFunc(slices.Clone(s.Index), func(i int) bool { return slices.Contains(no.Index, i) && len(no.Index) == 1 }); len(left) > 0 {
			s.Index = left
		}
	}
	s.Street = len(s.Index) == 1 && f.Gazetteer.numberless(*s)
}

// wasRead reports whether the read-back contained a number.
func (f *folder) wasRead(n int) bool {
	const hours = 24
	return n == f.People || slices.Contains(f.Houses, n) || !f.Is.IsZero() && n <= hours && n%12 == f.Is.Hour()%12
}

// SoundAlike reports whether one number may be misheard as the other: thirteen and thirty, or thirteen and three.
func SoundAlike(was, said int) bool {
	const ten, teens = 10, 13
	lower, higher := min(was, said), max(was, said)
	return lower >= teens && lower < 2*ten && higher == (lower-ten)*ten ||
		strings.HasSuffix(strconv.Itoa(higher), strconv.Itoa(lower))
}

// slight reports whether a word only refuses, corrects, or adds nothing.
func (f *folder) slight(i int) bool {
	return f.isOf(i, filler, refuses, corrects, negates, agrees)
}

// recount uses a number without a noun as that of people, if they were read back: "Josh is coming too, so five".
func (f *folder) recount() {
	if f.People == 0 || f.u.People > 0 || !f.u.When.IsZero() || f.u.Places() {
		return
	}
	for i, text := range slices.Backward(f.u.Rest) {
		n, words := f.reader([]string{text}).Number(0)
		if words != 1 || n < 1 || n > people.Most {
			continue
		}
		f.u.Rest = slices.Delete(slices.Clone(f.u.Rest), i, i+1)
		f.doubt(n != f.People)
		f.u.People = n
		return
	}
}

// simply reports whether the utterance is only agreement, wishes and words of no part of a trip.
func (f *folder) simply() bool {
	for _, it := range f.items {
		switch {
		case it.kind == itemWords && (it.sense.class == agrees || it.sense.class == wishes):
		case it.kind == itemWords && it.sense.class == filler && !slices.ContainsFunc(f.said[it.from:it.to], func(w string) bool { return !pointing[w] }):
		default:
			return false
		}
	}
	return true
}

// pointing are words that describe no part of a trip.
var pointing = lex.Set("it that so then please ta thanks thank you cheers mate love darling for me i we would like do oh well bitte danke das es so dann mal ich wir sie mir uns also na gern gerne")

// greeted reports whether a part of the day is a greeting: it is the first word, and no time follows.
func (f *folder) greeted() bool {
	w := f.u.When
	if f.Tag != "en" || w.Part == times.Anytime || w.Clock || w.Day || w.In != 0 || f.Asked == AskedTime || !f.Is.IsZero() {
		return false
	}
	return slices.ContainsFunc(f.items, func(it item) bool { return it.kind == itemTime && f.begins(it.from) })
}

// moved turns a duration into a shift of the booked time: "push it back half an hour".
func (f *folder) moved() {
	w := &f.u.When
	if w.In == 0 || w.Clock || w.Day || w.Shift != 0 {
		return
	}
	sign, within := time.Duration(0), false
	for _, word := range f.said {
		switch {
		case backward[word]:
			sign = max(sign, 1)
		case forward[word]:
			sign = -1
		}
		within = within || word == "in"
	}
	if sign == 0 || within {
		return
	}
	*w = times.When{Shift: sign * w.In}
	f.u.Times = []times.When{*w}
}

// wanting reports whether nothing was said but that something is needed, or is to be sent, of
// which one word at most is not known: "need wheels", "könnt ihr wen schicken".
func (f *folder) wanting() bool {
	u := &f.u
	if len(u.Acts) > 0 || len(u.Questions) > 0 || u.Fields() || u.Doubts || !f.Is.IsZero() || f.Asked != AskedNothing || len(u.Rest) > 1 {
		return false
	}
	return f.sent || slices.ContainsFunc(f.said, func(w string) bool { return needing[w] })
}

var needing = lex.Set("need want after fancy send require get gimme wanna brauch brauche brauchen brauchat brauchte bräucht bräuchte bräuchten schick schicken schickt schickst will wollen möchte möchten hätte hätten hätt kannst könnt könnten")

// hurried makes urgency the time "now" if no other time was said. A caller who agrees to a later trip is only in a
// hurry.
func (f *folder) hurried() {
	switch {
	case f.u.When.Now && f.u.When.Weak && !f.Is.IsZero() && f.u.Agrees && !f.u.Doubts && len(f.u.Times) == 1:
		f.u.When, f.u.Times, f.u.Hurry = times.When{}, nil, true
		f.u.Doubts = f.nowLast() // yes, now: which is read back as it was
	case !f.u.When.IsZero():
		f.u.Hurry = f.u.Hurry || f.urged.Urgent
	case f.u.Hurry && f.Is.IsZero() && f.u.Pickup.Named() && f.u.Dropoff.Named() && !slices.ContainsFunc(f.u.Questions, func(q Question) bool { return q != AsksOther }):
		f.u.When = times.When{Now: true} // have you got a car from the station to the harbour now?
		f.u.Times = append(f.u.Times, f.u.When)
	case f.urged.Urgent && f.u.Agrees && !f.u.Doubts:
		f.u.Hurry = true
	case f.urged.Urgent:
		f.u.When = f.urged
		f.u.Times = append(f.u.Times, f.urged)
	case f.Asked == AskedTime && !f.u.Places() && slices.ContainsFunc(f.said, func(w string) bool { return f.Clock.Hurries[w] }):
		f.u.When = times.When{Now: true, Urgent: true}
		f.u.Times = append(f.u.Times, f.u.When)
	}
}

// nowLast reports whether a "now" comes first, or only politeness follows it.
func (f *folder) nowLast() bool {
	for i, w := range slices.Backward(f.said) {
		switch {
		case w == "now" || w == "jetzt":
			return yes[firstOf(f.said, i-1)]
		case w != "great" && w != "lovely" && w != "super" && w != "please" && w != "bitte" && w != "thanks" && w != "danke":
			return false
		}
	}
	return false
}

// weaklyPlaced makes a place where somebody is the pickup, or the drop-off if that was asked for or the pickup is
// known.
func (f *folder) weaklyPlaced() {
	if n := len(f.weakly); n == 2 && !f.u.Pickup.Named() && len(f.u.Bare) == 0 && f.Asked == AskedNothing && !overlap(f.weakly[0], f.weakly[1]) {
		f.u.Pickup, f.weakly = eitherOf(f.weakly), nil // at the one or at the other
	}
	for _, s := range f.weakly {
		switch {
		case f.u.Pickup.Named() && overlap(f.u.Pickup, s):
			f.u.Pickup = narrower(f.u.Pickup, s) // on the station rank: the rank
		case f.u.Dropoff.Named() && overlap(f.u.Dropoff, s):
		case f.Asked == AskedDropoff && !f.u.Dropoff.Named():
			f.u.Dropoff = s
		case f.u.Pickup.Named() && f.sure && !f.u.Dropoff.Named():
			f.u.Dropoff = s
		case !f.u.Pickup.Known():
			f.u.Pickup = s
			f.u.Pickup.Weak = true
		}
	}
}

// bare assigns the places without a role: to the end that was asked for, or to the one that is left.
func (f *folder) bare() {
	b := f.u.Bare
	switch {
	case len(b) == 0:
	case len(b) == 1 && f.u.Pickup.Known() && f.u.Dropoff.Named() && !f.u.Dropoff.Known() && len(f.u.Dropoff.Maybe) == 0 && !overlap(b[0], f.u.Pickup):
		f.u.Dropoff = b[0] // take me home, it's fourteen Mill Lane
	case len(b) >= 2 && f.u.Dropoff.Named() && !f.u.Pickup.Named(): // one of them, and nobody knows which
		f.u.Pickup = eitherOf(b)
	case f.u.Pickup.Named() && f.u.Dropoff.Named():
		if slices.ContainsFunc(b, func(s Spot) bool { return !overlap(s, f.u.Pickup) && !overlap(s, f.u.Dropoff) }) {
			if f.u.Pickup.Known() && f.u.Dropoff.Known() && !f.replaced {
				break // a school project
			}
			f.u.Bare = b[:1]
			return
		}
	case len(b) == 1 && overlap(b[0], f.u.Pickup):
		f.u.Pickup = narrower(f.u.Pickup, b[0])
	case len(b) == 1 && overlap(b[0], f.u.Dropoff): // it was named already
	case len(b) == 1 && f.ofBooking() && f.u.Dropoff.Known() != f.u.Pickup.Known():
		return // which end it is, the booking says
	case len(b) == 1 && f.u.Dropoff.Named() && (f.u.Dropoff.Known() || f.Asked != AskedDropoff):
		f.u.Pickup = b[0]
	case len(b) == 1 && f.u.Pickup.Named():
		f.u.Dropoff = b[0]
	case len(b) >= 2 && !f.u.Dropoff.Named() && !f.u.Pickup.Named() && f.Asked == AskedPickup && f.Ends: // 5 Ferry Steps, ring the bottom bell
		f.u.Pickup = b[0]
	case len(b) >= 2 && !f.u.Dropoff.Named() && !f.u.Pickup.Named() && f.Asked == AskedDropoff && !f.Ends: // the General, the fracture clinic
		f.u.Dropoff = b[0]
	case len(b) >= 2 && !f.u.Dropoff.Named() && !f.u.Pickup.Named():
		f.u.Pickup, f.u.Dropoff = b[0], b[1]
	case f.Asked == AskedPickup && len(b) == 1:
		f.u.Pickup = b[0]
	case f.Asked == AskedDropoff && len(b) == 1:
		f.u.Dropoff = b[0]
	default:
		return
	}
	f.u.Bare = nil
}

// ofBooking reports whether the utterance is about a booked taxi.
func (f *folder) ofBooking() bool { return !f.Is.IsZero() && !f.ReadBack && f.Asked == AskedNothing }

// eitherOf returns a spot that may be any of several places.
func eitherOf(list []Spot) Spot {
	all := Spot{Text: list[0].Text, House: list[0].House}
	for _, s := range list {
		for _, i := range s.Index {
			if !slices.Contains(all.Index, i) {
				all.Index = append(all.Index, i)
			}
		}
	}
	return all
}

// backward and forward are words that move a booking.
var (
	backward = lex.Set("push pushed delay delayed postpone postponed verschieben verschiebe schieben schieb schiebe verschoben hinten später")
	forward  = lex.Set("forward earlier sooner vorziehen vorverlegen vorverlegt früher eher")
)
