package booking

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// agreed reports whether an answer to the read-back is only a yes. The rule: a read-back
// is confirmed only if the whole utterance consists of words of agreement and of
// politeness; the caller may repeat parts of the trip unchanged ("yes, half past nine").
// With a negation, a correction, a question, a wish or an unknown word, the trip is read
// back again. If the caller then says the same yes in the same words, they have heard the trip
// twice, and that is a yes.
func (s *form) agreed(u grammar.Utterance, words string) bool {
	again := s.unclearYes != "" && s.unclearYes == words
	switch {
	case !u.Agrees, s.unclearYes == whatToChange, !s.fits(u, s.trip), u.Number != 0 && len(u.Rest) > 0:
		return false
	case again && !u.Hedged:
		return true
	case u.Odd, u.Doubts && !s.contrasts(u), len(u.Questions) > 0, len(u.Rest) > 0:
		return false
	}
	return !slices.ContainsFunc(u.Acts, func(a grammar.Act) bool { return !s.goesWithYes(u, a) })
}

// whatToChange is the value of unclearYes after the question what to change, which a yes does not answer.
const whatToChange = "?"

// halfAgreed reports whether an answer is a yes together with words that neither change the trip nor are a wish.
func (s *form) halfAgreed(u grammar.Utterance) bool {
	return u.Agrees && u.Only == 0 && len(u.Refused) == 0 && s.fits(u, s.trip) && !slices.ContainsFunc(u.Acts, func(a grammar.Act) bool { return a != grammar.ActNo && !s.goesWithYes(u, a) })
}

// goesWithYes reports whether a wish does not contradict a yes: to leave the trip as it was read back, or to make the
// change that was requested.
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

// contrasts reports whether all rejected places are known and not in the trip, while another place is affirmed: "to the
// harbour, not the airport, yes".
func (s *form) contrasts(u grammar.Utterance) bool {
	return u.Contrast && u.Places() && !slices.ContainsFunc(u.Refused, func(no grammar.Spot) bool { return !no.Known() || s.isEnd(no) || s.is(no, s.trip.Pickup) })
}

// readBackSaid handles the answer to the read-back.
func (s *Session) readBackSaid(ctx context.Context, u grammar.Utterance, words string) State {
	agreed := s.agreed(u, words)
	if s.unclearYes == whatToChange {
		s.unclearYes = ""
	}
	before := s.trip.readBackText()
	disputed := !agreed && (u.Disputes || u.Has(grammar.ActNo) && len(u.Rest) > 0 && (!u.Fields() || !s.fits(u, s.trip)))
	defer func() { s.contested = (s.contested || disputed) && s.trip.readBackText() == before }()
	switch {
	case agreed && s.contested: // the change that they asked for was not made
		return Person
	case s.trip.Back && u.OnlyOne && !u.When.Clock: // "just the one there, we'll walk back"
		return book(ctx, s)
	case agreed: // "all four points are correct, yes" corrects no number
		return book(ctx, s)
	case s.misheard(u.Only): // "yes, three": not thirteen
		return s.reread()
	case u.Only > 0 && !u.Agrees:
		return s.numberSaid(u)
	}
	fits := s.fits(u, s.trip)
	if s.unclearYes = ""; s.halfAgreed(u) {
		s.unclearYes = words
	}
	if !u.Swapped {
		s.turned = false
	}
	switch {
	case u.Agrees && !u.Doubts && !fits && s.namesOtherPlace(u): // "yes, and lean on the bell"
		return s.missed()
	case !fits && (u.Fields() || len(u.Refused) > 0) && (!u.Has(grammar.ActNothing) || u.Places()):
		s.misses = 0
		s.absorb(u)
		if len(u.Questions) > 0 {
			s.tell(ctx, u.Questions)
		}
		return s.reread()
	case u.Has(grammar.ActNothing) && !u.Agrees, u.Has(grammar.ActCancel) && s.trip.Edit == nil, u.Has(grammar.ActBye) && !u.Agrees:
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
		s.ear.strange = s.ear.aloud
		return s.missed()
	}
	return s.miss(spoken.NotUnder)
}

// readBackText returns the trip as one line with everything that a read-back says.
func (t Trip) readBackText() string {
	ends := []string{t.Pickup.Address}
	for _, a := range t.Dropoffs {
		ends = append(ends, a.Address)
	}
	return fmt.Sprintf("%q %s %d", ends, t.At, t.People)
}

// namesOtherPlace reports whether an answer names a place without saying whether it is the pickup or drop-off, and
// otherwise only repeats the trip.
func (s *form) namesOtherPlace(u grammar.Utterance) bool {
	places := u.Bare
	if u.Pickup.Weak {
		places = append(slices.Clone(places), u.Pickup)
		u.Pickup = grammar.Spot{}
	}
	u.Bare = nil
	return len(places) > 0 && len(u.Refused) == 0 && !u.Dropoff.Named() && s.fits(u, s.trip)
}

// misheard replaces the house number of an end that sounds like number by number. It returns false if there is none.
func (s *form) misheard(number int) bool {
	for _, end := range s.houseEnds() {
		if n, street := houseOf(*end); number > 0 && n != number && grammar.SoundAlike(n, number) {
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

// numberSaid corrects the only part of the trip that a number without a noun can mean: the time, the people, or a house
// number.
func (s *Session) numberSaid(u grammar.Utterance) State {
	const lastHour = 12
	houses := s.houseEnds()
	switch {
	case !s.trip.At.IsZero() && s.trip.People > 0 && u.Only <= mostSeats:
		return s.whatChange()
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

// inStreet returns the house with a number in a street; was is an address in the same street.
func (s *form) inStreet(street string, number int, was taxi.Address) taxi.Address {
	return s.street(street, was.Location).At(strconv.Itoa(number))
}

// missed returns the state that reads the trip back again, or after too many misses the one that calls a person.
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
	s.again, s.hush, s.unclearYes = true, true, whatToChange
	return s.state
}
