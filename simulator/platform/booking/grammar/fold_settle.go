package grammar

import (
	"slices"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/times"
)

// settle gives a role to the places that have none, as far as that is clear.
func (f *folder) settle() {
	if f.pair != nil && f.u.Pickup.Named() && overlap(f.u.Pickup, f.u.Dropoff) {
		f.u.Pickup, f.u.Dropoff, f.u.Bare, f.weakly = f.pair[0], f.pair[1], nil, nil
	}
	f.onlyNumber()
	f.recount()
	f.weaklyPlaced()
	f.bare()
	if f.strong && f.role == from && !f.u.Pickup.Named() {
		f.u.Acts = append(f.u.Acts, ActPickup)
	}
	if f.strong && f.role == to && !f.u.Dropoff.Named() {
		f.u.Acts = append(f.u.Acts, ActDropoff)
	}
	if w := &f.u.When; f.Tag == "en" && w.Part == times.Night && w.Day && w.Days == 0 && w.Hour == 5 && !w.Exact {
		w.Part = times.Evening // five tonight
	}
	f.hurried()
	f.besides()
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
	f.u.Simply = f.simply()
	f.u.Ordinal, f.u.Number = f.ordinal(), f.soleNumber()
	f.u.Needs, f.u.Several, f.u.Odd = f.needs(), f.several(), f.odd()
	f.u.House = f.soleHouse()
	f.u.Small = !f.u.Fields() && len(f.u.Acts) == 0 && len(f.u.Questions) == 0 && !f.u.Agrees && len(f.u.Rest) == 0 && len(f.u.Refused) == 0
}

// arrives keeps the time at which the caller has to be somewhere, with the day that was said, and
// whether a way back was told.
func (f *folder) arrives() {
	f.u.Back, f.u.Unsure = f.back, f.unsure
	if f.unsure && f.u.When.In == 0 && !f.u.When.Now {
		f.u.When, f.u.Times = times.When{Day: f.u.When.Day, Days: f.u.When.Days, Part: f.u.When.Part}, nil
	}
	if w := f.u.When; !f.arrival.IsZero() && !w.Clock && w.In == 0 && (!w.Now || w.Weak) {
		f.u.Arrival = f.arrival.Over(times.When{Day: w.Day, Days: w.Days, Part: w.Part, Undated: w.Undated})
	}
}

// onlyNumber keeps a number that corrects what was read back and says not what: "no sorry,
// thirteen".
func (f *folder) onlyNumber() {
	r := f.reader(f.said)
	if !f.ReadBack || f.u.Places() || f.u.People > 0 || len(f.u.Questions) > 0 {
		return
	}
	found := 0
	for i := 0; i < len(f.said); i++ {
		n, words := r.Number(i)
		switch {
		case words > 0 && found == 0 && n > 0:
			found, i = n, i+words-1
		case words > 0 || !f.slight(i):
			return
		}
	}
	if found == 0 || found == f.People || slices.Contains(f.Houses, found) || !f.Is.IsZero() && found%12 == f.Is.Hour()%12 {
		return
	}
	if f.u.Only = found; !f.u.Agrees {
		f.u.When, f.u.Times, f.u.Rest = times.When{}, nil, nil
	}
}

// slight reports whether a word only refuses, corrects, or adds nothing.
func (f *folder) slight(i int) bool {
	return slices.ContainsFunc(f.items, func(it item) bool {
		return it.kind == itemWords && i >= it.from && i < it.to && (it.sense.class == filler || it.sense.class == refuses || it.sense.class == corrects || it.sense.class == negates || it.sense.class == agrees)
	})
}

// recount takes a number that stands alone for people, where so many were read back: "Josh is
// coming too, so five".
func (f *folder) recount() {
	if f.People == 0 || f.u.People > 0 || !f.u.When.IsZero() || f.u.Places() {
		return
	}
	for i, text := range slices.Backward(f.u.Rest) {
		n, words := f.reader([]string{text}).Number(0)
		if words != 1 || n < 1 || n > mostPeople {
			continue
		}
		f.u.Rest = slices.Delete(slices.Clone(f.u.Rest), i, i+1)
		f.doubt(n != f.People)
		f.u.People = n
		return
	}
}

// simply reports whether nothing but agreement, wishes and words that name nothing was said.
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

// pointing are words that stand for no part of a trip.
var pointing = lex.Set("it that so then please ta thanks thank you cheers mate love darling for me i we would like do oh well bitte danke das es so dann mal ich wir sie mir uns also na gern gerne")

// besides leaves out the time of the booking that is there, where another one is made: "as
// well as the one at seven I want one at ten".
func (f *folder) besides() {
	if !f.u.Has(ActAnother) || f.Is.IsZero() || len(f.u.Times) < 2 {
		return
	}
	left := slices.DeleteFunc(slices.Clone(f.u.Times), func(w times.When) bool { return w.Clock && w.Fits(f.Now, f.Is) })
	if len(left) == 0 {
		return
	}
	f.u.When = times.When{}
	for _, w := range left {
		f.u.When = w.Over(f.u.When)
	}
	f.u.Times = left
}

// greeted reports whether a part of the day is a greeting: the first word, without a time.
func (f *folder) greeted() bool {
	w := f.u.When
	if f.Tag != "en" || w.Part == times.Anytime || w.Clock || w.Day || w.In != 0 || f.Asked == AskedTime || !f.Is.IsZero() {
		return false
	}
	return slices.ContainsFunc(f.items, func(it item) bool { return it.kind == itemTime && f.begins(it.from) })
}

// moved makes a span of time a shift, where a booking is moved by it: "push it back half an
// hour".
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

// hurried makes haste a time, where there is no other: who agrees to a trip that is later
// only says that they are in a hurry.
func (f *folder) hurried() {
	switch {
	case f.u.When.Now && f.u.When.Weak && !f.Is.IsZero() && f.u.Agrees && !f.u.Doubts && len(f.u.Times) == 1:
		f.u.When, f.u.Times, f.u.Hurry = times.When{}, nil, true
		f.u.Doubts = f.nowLast() // yes, now: which is read back as it was
	case !f.u.When.IsZero():
		f.u.Hurry = f.u.Hurry || f.urged.Urgent
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

// nowLast reports whether nothing but politeness stands behind a "now", or it comes first.
func (f *folder) nowLast() bool {
	if first := f.said[0]; first == "now" || first == "jetzt" {
		return true
	}
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

// weaklyPlaced places what was only said to be at a place: the pickup, unless that is
// said to be elsewhere, or the drop-off was asked for.
func (f *folder) weaklyPlaced() {
	if n := len(f.weakly); n == 2 && !f.u.Pickup.Named() && !f.u.Dropoff.Named() && len(f.u.Bare) == 0 && f.Asked == AskedNothing && !overlap(f.weakly[0], f.weakly[1]) {
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
		}
	}
}

// bare places what was named without a word: as it was asked for, or as what is left.
func (f *folder) bare() {
	b := f.u.Bare
	switch {
	case len(b) == 0:
	case len(b) >= 2 && f.u.Dropoff.Named() && !f.u.Pickup.Named(): // one of them, and nobody knows which
		f.u.Pickup = eitherOf(b)
	case f.u.Pickup.Named() && f.u.Dropoff.Named():
		if slices.ContainsFunc(b, func(s Spot) bool { return !overlap(s, f.u.Pickup) && !overlap(s, f.u.Dropoff) }) {
			f.u.Bare = b[:1]
			return
		}
	case len(b) == 1 && overlap(b[0], f.u.Pickup):
		f.u.Pickup = narrower(f.u.Pickup, b[0])
	case len(b) == 1 && overlap(b[0], f.u.Dropoff): // it was named already
	case len(b) == 1 && f.u.Dropoff.Named() && (f.u.Dropoff.Known() || f.Asked != AskedDropoff):
		f.u.Pickup = b[0]
	case len(b) == 1 && f.u.Pickup.Named():
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

// eitherOf is a spot that may be any of several.
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
