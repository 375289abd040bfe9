package booking

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// agreed reports whether an answer to the read-back is only a yes. The rule: a read-back
// is confirmed only if the whole utterance consists of words of agreement and of
// politeness; the caller may repeat parts of the trip unchanged ("yes, half past nine").
// With a negation, a correction, a question, a wish or an unknown word, the trip is read
// back again. If the caller then repeats the same yes with the same unknown word, they
// have heard the trip twice, and that is a yes.
func (s *form) agreed(u grammar.Utterance) bool {
	if !u.Agrees || u.Odd && s.unknown != oddly || u.Doubts && !s.contrasts(u) || len(u.Questions) > 0 || !s.fits(u, s.trip) {
		return false
	}
	if len(u.Rest) > 0 && (u.Number != 0 || s.unknown == "" || strings.Join(u.Rest, " ") != s.unknown) {
		return false
	}
	return !slices.ContainsFunc(u.Acts, func(a grammar.Act) bool { return !s.goesWithYes(u, a) })
}

// oddly stands for the unknown word of a yes with a thing in it that has to do with nothing.
const oddly = "…"

// goesWithYes reports whether a wish is compatible with a yes: to leave the trip as it
// was read back, or to make the requested change.
func (s *form) goesWithYes(u grammar.Utterance, a grammar.Act) bool {
	switch a {
	case grammar.ActBook, grammar.ActBye, grammar.ActTellDriver, grammar.ActAsIs:
		return true
	case grammar.ActKeep: // when changing a booking: "eight, yes, keep it", but not "yes, keep it"
		return s.trip.Edit == nil || u.Places() || !u.When.IsZero()
	case grammar.ActChange:
		return s.trip.Edit != nil && u.Simply
	}
	return false
}

// contrasts reports whether the only denied places are not in the trip, beside one that
// is: "to the harbour, not the airport, yes".
func (s *form) contrasts(u grammar.Utterance) bool {
	return u.Contrast && u.Places() && !slices.ContainsFunc(u.Refused, func(no grammar.Spot) bool { return !no.Known() || s.isEnd(no) || s.is(no, s.trip.Pickup) })
}

// readBackSaid handles the answer to the read-back.
func (s *Session) readBackSaid(ctx context.Context, u grammar.Utterance) State {
	switch {
	case s.agreed(u): // "all four points are correct, yes" corrects no number
		return book(ctx, s)
	case s.misheard(u.Only): // "yes, three": not thirteen
		return s.reread()
	case u.Only > 0 && !u.Agrees:
		return s.numberSaid(u)
	}
	fits := s.fits(u, s.trip)
	if s.unknown = ""; u.Agrees && u.Odd && fits {
		s.unknown = oddly
	} else if u.Agrees && fits && len(strings.Fields(strings.Join(u.Rest, " "))) == 1 {
		s.unknown = u.Rest[0]
	}
	if !u.Swapped {
		s.turned = false
	}
	switch {
	case !fits && (u.Fields() || len(u.Refused) > 0) && (!u.Has(grammar.ActNothing) || u.Places()):
		s.misses = 0
		s.absorb(u)
		if len(u.Questions) > 0 {
			s.tell(ctx, u.Questions)
		}
		return s.reread()
	case u.Has(grammar.ActNothing), u.Has(grammar.ActCancel) && s.trip.Edit == nil, u.Has(grammar.ActBye) && !u.Agrees:
		return s.farewell(u)
	case u.Has(grammar.ActCancel):
		return AskCancel
	case u.Has(grammar.ActKeep) && s.trip.Edit != nil:
		return leave(ctx, s)
	case len(u.Questions) > 0:
		s.tell(ctx, u.Questions)
		return s.reread()
	case u.Has(grammar.ActPickup), u.Has(grammar.ActDropoff), u.Has(grammar.ActTime):
		return s.editSaid(ctx, grammar.Utterance{Acts: u.Acts})
	case u.Has(grammar.ActChange):
		return s.whatChange()
	case u.Has(grammar.ActNo) && !u.Agrees && fits:
		if s.trip.Edit != nil && len(u.Rest) == 0 {
			return leave(ctx, s)
		}
		if s.misses++; s.misses >= mostMisses {
			return Person
		}
		if s.misses > 1 && len(u.Rest) == 0 { // no, and nothing to change
			return s.farewell(u)
		}
		return s.whatChange()
	case u.Doubts && len(u.Rest) == 0 && !u.Agrees:
		s.say(spoken.Waiting, spoken.Slots{})
		return s.missed()
	case u.Agrees, u.Fields(), u.Small:
		return s.missed()
	case !s.keyed: // it may have been a change: read the unchanged trip back
		s.say(spoken.NotUnder, spoken.Slots{})
		return s.missed()
	}
	return s.miss(spoken.NotUnder)
}

// misheard corrects the house whose number sounds like one that was said, and reports whether there is one.
func (s *form) misheard(number int) bool {
	for _, end := range s.houseEnds() {
		if n, street := houseOf(*end); number > 0 && n != number && soundAlike(n, number) {
			*end = s.inStreet(street, number, *end)
			return true
		}
	}
	return false
}

// houseEnds returns the ends of the trip that are houses with a number.
func (s *form) houseEnds() (houses []*taxi.Address) {
	ends := []*taxi.Address{&s.trip.Pickup}
	for i := range s.trip.Dropoffs {
		ends = append(ends, &s.trip.Dropoffs[i])
	}
	return slices.DeleteFunc(ends, func(end *taxi.Address) bool {
		number, _ := houseOf(*end)
		return number == 0
	})
}

// numberSaid corrects what a number can be of: the time, the people, or the only house.
func (s *Session) numberSaid(u grammar.Utterance) State {
	const lastHour = 12
	houses := s.houseEnds()
	switch {
	case !s.trip.At.IsZero() && u.Only <= lastHour:
		s.absorb(grammar.Utterance{When: grammar.When{Clock: true, Hour: u.Only}})
	case s.trip.People > 0 && u.Only <= mostSeats:
		s.trip.People = u.Only
	case len(houses) == 1:
		_, street := houseOf(*houses[0])
		*houses[0] = s.inStreet(street, u.Only, *houses[0])
	default:
		return s.whatChange()
	}
	return s.reread()
}

// inStreet returns a house of a street; was is another house of it.
func (s *form) inStreet(street string, number int, was taxi.Address) taxi.Address {
	return s.street(street, was.Location).At(strconv.Itoa(number))
}

// soundAlike reports whether one number is taken for the other: thirteen for thirty or three, or one that was said twice.
func soundAlike(was, said int) bool {
	const ten, teens = 10, 13
	lower, higher := min(was, said), max(was, said)
	return lower >= teens && lower < 2*ten && higher == (lower-ten)*ten || strings.HasSuffix(strconv.Itoa(was), strconv.Itoa(said))
}

// missed reads the trip back again, and finally calls a person.
func (s *Session) missed() State {
	if s.misses++; s.misses >= mostMisses {
		return Person
	}
	s.again, s.eased = true, true
	return s.state
}

// reread reads the current trip back, or asks for what is missing.
func (s *Session) reread() State {
	next := s.onward()
	if next == Confirm && s.state == Reconfirm {
		next = Reconfirm
	}
	return next
}

// whatChange asks what to change in the trip that was read back.
func (s *Session) whatChange() State {
	if s.trip.Edit != nil {
		return Edit
	}
	s.say(spoken.WhatChange, spoken.Slots{})
	s.again, s.hush = true, true
	return s.state
}
