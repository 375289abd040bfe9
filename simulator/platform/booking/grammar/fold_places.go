package grammar

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
)

// isPickup reports whether the place of an item is named as the pickup: "the airport pickup".
func (f *folder) isPickup(i int) bool {
	if f.items[i].kind != itemPlace || i+1 >= len(f.items) || f.items[i+1].from != f.items[i].to || f.items[i+1].kind != itemWords {
		return false
	}
	switch next := f.items[i+1]; strings.Join(f.said[next.from:next.to], " ") {
	case "pickup", "collection", "abholung":
		return true
	case "pick up":
		return next.to == len(f.said) || !slices.Contains([]string{"me", "us", "from", "at", "my"}, f.said[next.to])
	}
	return false
}

// place adds a place to the utterance, in the role that the words around it give.
func (f *folder) place(it item) {
	s := it.spot
	switch {
	case f.role == to && f.last == 0 && len(f.places) > 0 && wordsApart(f.said[f.ended:it.from]) <= 2 && !f.fixed:
		f.pair = []Spot{f.places[len(f.places)-1], s} // hospital to the school
		f.paired = f.paired || f.roles[len(f.roles)-1] == 0 && (story{f.hearing}).atFirst()
	}
	if f.endSaid(it) {
		f.endKnown, f.pickupKnown = true, f.pickupKnown || f.role != to
	}
	f.ended = it.to
	if f.role == to && !f.strong && !f.fixed && f.u.Dropoff.Known() && f.end < f.clause(it.from) {
		f.role = 0 // to the museum I want to go, and the hotel
	}
	n := naming{role: f.role, fixed: f.fixed, after: f.after}
	if before := f.leading(it.from); n.role == 0 && (before == "home" && !f.tokens[it.from].Pause || f.sent && f.u.Dropoff.Known() && (before == "for" || before == "fur")) {
		n.role = to
	}
	if n.role == 0 && (f.leading(it.from) == "homes" || f.leading(it.from) == "is" && slices.Contains(f.said[:it.from], "home")) && f.said[0] != "from" {
		n.role = to // fetch us home, home is three Coopers Close
	}
	if lead := f.leading(it.from); n.role == 0 && (lead == "want" || lead == "wanting") && (story{f.hearing}).atFirst() {
		n.role = to // I want the retail park
	}
	if n.role == from && f.strong && f.leading(it.from) == "for" && (len(f.u.Bare) > 0 || f.u.Pickup.Named()) {
		n.role = to // fetch her at two for the surgery
	}
	f.role, f.strong, f.fixed, f.after = 0, false, false, false
	if f.negated {
		f.refuse(s, n.role)
		return
	}
	if n.role == 0 && slices.ContainsFunc(f.u.Refused, func(no Spot) bool { return slices.Equal(no.Index, s.Index) }) && f.Asked == AskedNothing {
		f.fixed = n.fixed
		return // not the harbour, they all say the harbour
	}
	if n.role == 0 || n.role == at || n.role == from {
		if role := (where{f}).isWhere(it.to); role != 0 {
			n.role = role
		}
		switch {
		case n.role == 0 && lives[f.leading(it.from)] && where{f}.homeward():
			n.role = to
		case n.role == 0 && lives[f.leading(it.from)]:
			n.role = stands
		}
	}
	if f.repeats(s, n) || (where{f}).wasThere(it, n.role) {
		return
	}
	if n.role == 0 && !n.fixed && f.resolves(s) {
		return
	}
	n = f.roleOf(it, n)
	if f.open {
		s.Index = nil
	}
	f.open = false
	if f.passes(it, s, n) {
		n.role = via
	} else {
		f.last = n.role
	}
	f.file(it, s, n)
}

// wordsApart returns the number of words between two places, except those of direction: "the hotel over to the museum".
func wordsApart(between []string) (n int) {
	for _, w := range between {
		if !directions[w] {
			n++
		}
	}
	return n
}

var directions = lex.Set("over across down up out round along back")

// passes reports whether a place is a stop on the way: the clause says so, or somebody else is collected there.
func (f *folder) passes(it item, s Spot, n naming) bool {
	if n.fixed || n.role == to || n.role == via || !f.u.Pickup.Known() && !f.paired || overlap(f.u.Pickup, s) || !(story{f.hearing}).atFirst() {
		return false
	}
	for k := f.clause(it.from); k < len(f.said) && (k < it.to || !f.tokens[k].Pause); k++ {
		if w := f.said[k]; w == "unterwegs" || w == "way" && k > 1 && f.said[k-1] == "the" && f.said[k-2] == "on" {
			return true
		}
	}
	return n.after && f.pickupKnown && (n.role == from || n.role == at)
}

// naming is the role of a place, and how it was expressed.
type naming struct {
	role  class // 0: none was announced
	fixed bool  // behind a correction
	after bool  // behind "and then"
}

// leading returns the word before a place and its article.
func (h *hearing) leading(i int) string {
	for i--; i >= 0 && (lex.Articles[h.said[i]] || lex.Possessives[h.said[i]]); i-- {
	}
	return firstOf(h.said, i)
}

// refuse stores a place that the caller rejects.
func (f *folder) refuse(s Spot, role class) {
	f.negated, f.u.Contrast = false, f.clean
	f.u.Refused = append(f.u.Refused, s)
	if f.fixed = true; role != at { // not at the museum: the place that follows may be either end
		f.last = cmp.Or(role, f.last)
	}
}

// repeats reports whether a place only says more about one that was named before, or names it again in other words.
func (f *folder) repeats(s Spot, n naming) bool {
	if n.role != 0 || n.fixed {
		return false
	}
	named := f.u.Pickup.Known() || f.u.Dropoff.Known() || len(f.u.Bare)+len(f.weakly) > 0
	return named && f.street(s) || f.last != 0 && !n.after && f.same(s)
}

// roleOf completes the role of a place from what was said before it.
func (f *folder) roleOf(it item, n naming) naming {
	if n.role == at && f.before == itemRest {
		switch {
		case f.last == to && f.u.Dropoff.Named() && !f.u.Dropoff.Known():
			n.role = to
		case f.last == from && f.u.Pickup.Named() && !f.u.Pickup.Known():
			n.role = from
		}
	}
	if n.fixed && n.role == 0 && f.last == to && f.leadsTo(it.to) && (f.placed(it.to+1) || f.placed(it.to+2)) { // the museum to the station, no, the hotel to the station
		n.role = from
	}
	if n.fixed && (n.role == 0 || n.role == at && len(f.weakly) == 0 && f.last != 0) {
		n.role = f.last
	}
	if n.role == 0 && n.after && f.last == to && f.u.Dropoff.Known() {
		n.role = to // to the shops and then the harbour
	} else {
		n.after = n.after && n.role == to
	}
	return n
}

// file stores a place by its role.
func (f *folder) file(it item, s Spot, n naming) {
	if n.fixed && len(f.u.Bare) == 1 && (f.Asked == AskedPickup && (n.role == from || n.role == stands) || f.Asked == AskedDropoff && n.role == to) {
		f.u.Bare = nil // the school, no, we have walked round to the surgery
	}
	if next := f.said[it.to:]; n.role == to && len(next) > 1 && (next[0] == "schicken" || next[0] == "zu" && next[1] == "schicken") {
		f.sent = true // einen Wagen zum Museum zu schicken
	}
	f.places, f.roles = append(f.places, s), append(f.roles, n.role)
	f.doubt((n.role == from || n.role == stands) && f.u.Pickup.Known() && !overlap(f.u.Pickup, s) || n.role == to && !f.sent && f.u.Dropoff.Known() && !overlap(f.u.Dropoff, s))
	switch n.role {
	case from, stands:
		if !n.fixed && overlap(f.u.Pickup, s) {
			s = narrower(f.u.Pickup, s) // the rank: the one that was named before
		}
		f.u.Pickup, f.sure = s, true
	case to:
		if !n.fixed && !n.after {
			f.sentThere()
		}
		if n.after && f.u.Dropoff.Known() {
			f.u.Stops = append(f.u.Stops, f.u.Dropoff)
		}
		f.u.Dropoff = s
	case via:
		f.u.Stops = append(f.u.Stops, s)
	case at:
		if last := len(f.weakly) - 1; n.fixed && last >= 0 { // at the town hall, no, at the surgery
			f.weakly = f.weakly[:last]
		}
		f.weakly = append(f.weakly, s)
	default:
		f.bareNamed(s, n.fixed)
	}
}

// bareNamed stores a place without a role.
func (f *folder) bareNamed(s Spot, fixed bool) {
	f.replaced = f.replaced || fixed
	if fixed && len(f.u.Bare) > 0 {
		f.u.Bare = f.u.Bare[:len(f.u.Bare)-1]
	}
	if last := len(f.u.Bare) - 1; last >= 0 && overlap(f.u.Bare[last], s) {
		f.u.Bare[last] = narrower(f.u.Bare[last], s)
		return
	}
	f.u.Bare = append(f.u.Bare, s)
}

// sentThere turns the drop-off into the pickup if a taxi was sent there and another place is the destination: "send a
// taxi to the hotel, I want to go to the station".
func (f *folder) sentThere() {
	if f.sent && f.u.Dropoff.Known() && !f.u.Pickup.Named() {
		f.u.Pickup, f.u.Dropoff, f.sure, f.sent = f.u.Dropoff, Spot{}, true, false
	}
}

// swap exchanges pickup and drop-off, or marks the utterance to exchange those said earlier.
func (f *folder) swap() {
	f.u.Turned = true
	if len(f.u.Bare) == 1 && !f.u.Pickup.Named() && f.u.Dropoff.Known() { // the hospital to the university
		f.u.Pickup, f.u.Bare = f.u.Bare[0], nil
	}
	if !f.u.Pickup.Known() || !f.u.Dropoff.Known() {
		f.u.Swapped = true
		return
	}
	f.u.Pickup, f.u.Dropoff = f.u.Dropoff, f.u.Pickup
	f.fixed, f.last, f.role, f.strong = false, 0, 0, false
}

// spoken returns the place that "there" refers to: the last one in another role; no place if there is none.
func (f *folder) spoken(c class) Spot {
	other := from
	if c == hither {
		other = to
	}
	for i, place := range slices.Backward(f.places) {
		if f.roles[i] != other && (other != from || f.roles[i] != stands) {
			return place
		}
	}
	if n := len(f.places); n > 0 {
		return f.places[n-1]
	}
	return Spot{}
}

// there assigns another role to the last place: "I am staying at the hotel, take me there".
func (f *folder) there(c class, said []string) {
	if c == thither && f.sent && len(said) == 1 { // send one there
		c, f.sent = hither, false
	}
	if c == hither && f.Asked == AskedDropoff && len(f.places) == 1 {
		return // the retail park, I can walk from there
	}
	s := f.spoken(c)
	f.role, f.strong, f.negated = 0, false, false
	if !s.Named() {
		return
	}
	gone := func(of Spot) bool { return of.Text == s.Text && slices.Equal(of.Index, s.Index) }
	f.u.Bare, f.weakly = slices.DeleteFunc(f.u.Bare, gone), slices.DeleteFunc(f.weakly, gone)
	for _, of := range []*Spot{&f.u.Pickup, &f.u.Dropoff} {
		if gone(*of) {
			*of = Spot{}
		}
	}
	if f.last = to; c == hither {
		f.last, f.sure = from, true
		f.u.Pickup = s
		return
	}
	f.u.Dropoff = s
}

// street reports whether a place is a street without a number.
func (f *folder) street(s Spot) bool {
	return s.House == "" && f.Gazetteer != nil && len(s.Index) > 0 && f.Gazetteer.entries[s.Index[0]].street
}

// same narrows a place that was just named to those that a second name also matches, and reports whether there is one.
func (f *folder) same(s Spot) bool {
	for _, of := range []*Spot{&f.u.Pickup, &f.u.Dropoff} {
		if (f.last == to) == (of == &f.u.Dropoff) && overlap(*of, s) {
			*of = narrower(*of, s)
			return true
		}
	}
	if n := len(f.weakly); f.last == at && n > 0 && overlap(f.weakly[n-1], s) {
		f.weakly[n-1] = narrower(f.weakly[n-1], s)
		return true
	}
	return false
}

// resolves reports whether a place names a doubtful one in other words, or the reverse: "st wilf's, the school".
func (f *folder) resolves(s Spot) bool {
	named := []*Spot{&f.u.Pickup, &f.u.Dropoff}
	for i := range f.u.Bare {
		named = append(named, &f.u.Bare[i])
	}
	for i := range f.weakly {
		named = append(named, &f.weakly[i])
	}
	for _, of := range named {
		switch {
		case !of.Known() && len(of.Maybe) > 0 && slices.Contains(s.Index, of.Maybe[0]):
			*of = s
			return true
		case of.Known() && len(s.Maybe) > 0 && slices.Contains(of.Index, s.Maybe[0]):
			return true
		}
	}
	return false
}

func overlap(a, b Spot) bool {
	return slices.ContainsFunc(a.Index, func(i int) bool { return slices.Contains(b.Index, i) }) && (a.House == "" || b.House == "" || a.House == b.House)
}

// narrower returns the places that both of two names match.
func narrower(a, b Spot) Spot {
	var both []int
	for _, i := range a.Index {
		if slices.Contains(b.Index, i) {
			both = append(both, i)
		}
	}
	a.Index = both
	if a.House == "" {
		a.House = b.House
	}
	return a
}
