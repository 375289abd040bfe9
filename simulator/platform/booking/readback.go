package booking

import (
	"context"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// agreed reports whether an answer to the read-back is nothing but a yes. The rule: a
// read-back is confirmed only when the whole utterance consists of words of agreement
// and of politeness that adds nothing; what was read back may be said again, as long as
// it is the same ("yes, half past nine"). A negation, a correction, a question, a wish
// or a word that means nothing here is no yes: the trip is read back again. Who then says
// the same yes once more, with the same unknown word in it, has heard the trip twice and agrees.
func (s *Session) agreed(u grammar.Utterance) bool {
	if !u.Agrees || u.Doubts && !s.contrasts(u) || len(u.Questions) > 0 || !s.fits(u, s.trip) {
		return false
	}
	if len(u.Rest) > 0 && (u.Number != 0 || s.unknown == "" || strings.Join(u.Rest, " ") != s.unknown) {
		return false
	}
	return !slices.ContainsFunc(u.Acts, func(a grammar.Act) bool { return !s.goesWithYes(u, a) })
}

// goesWithYes reports whether a wish takes nothing away from a yes: to leave the new trip as
// it was read back, or to make the change that was asked for.
func (s *Session) goesWithYes(u grammar.Utterance, a grammar.Act) bool {
	switch a {
	case grammar.ActBook, grammar.ActBye, grammar.ActTellDriver, grammar.ActAsIs:
		return true
	case grammar.ActKeep: // of a booking that is changed: "eight, yes, keep it", and not "yes, keep it"
		return s.trip.Edit == nil || u.Places() || !u.When.IsZero()
	case grammar.ActChange:
		return s.trip.Edit != nil && u.Simply
	}
	return false
}

// contrasts reports whether the only doubt is of places that are not in the trip, beside one
// that is: "to the harbour, not the airport, yes".
func (s *Session) contrasts(u grammar.Utterance) bool {
	return u.Contrast && u.Places() && !slices.ContainsFunc(u.Refused, func(no grammar.Spot) bool { return !no.Known() || s.isEnd(no) || s.is(no, s.trip.Pickup) })
}

// readBackSaid answers the read-back.
func (s *Session) readBackSaid(ctx context.Context, u grammar.Utterance) State {
	if s.agreed(u) {
		return book(ctx, s)
	}
	fits := s.fits(u, s.trip)
	if s.unknown = ""; u.Agrees && fits && len(strings.Fields(strings.Join(u.Rest, " "))) == 1 {
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
	case u.Has(grammar.ActNo) && !u.Agrees && len(u.Rest) == 0 && fits:
		if s.trip.Edit != nil {
			return leave(ctx, s)
		}
		return s.whatChange()
	case u.Doubts && len(u.Rest) == 0 && !u.Agrees:
		s.say(spoken.Waiting, spoken.Slots{})
		return s.missed()
	case u.Agrees, u.Fields(), u.Small:
		return s.missed()
	case !s.keyed: // it may have been a change: they hear the trip as it still is
		s.say(spoken.NotUnder, spoken.Slots{})
		return s.missed()
	}
	return s.miss(spoken.NotUnder)
}

// missed reads the trip back again, and rings a person in the end.
func (s *Session) missed() State {
	if s.misses++; s.misses >= mostMisses {
		return Person
	}
	s.again, s.eased = true, true
	return s.state
}

// reread reads the trip back as it is now, or asks for what is missing in it.
func (s *Session) reread() State {
	next := s.onward()
	if next == Confirm && s.state == Reconfirm {
		next = Reconfirm
	}
	return next
}

// whatChange asks what is to be changed in the trip that was read back.
func (s *Session) whatChange() State {
	if s.trip.Edit != nil {
		return Edit
	}
	s.say(spoken.WhatChange, spoken.Slots{})
	s.again, s.hush = true, true
	return s.state
}
