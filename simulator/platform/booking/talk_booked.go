package booking

import (
	"context"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// editSaid handles the answer to the question what to change in a booking.
func (s *Session) editSaid(ctx context.Context, u grammar.Utterance) State {
	switch {
	case u.Fields() || len(u.Refused) > 0:
		s.absorb(changed(&s.form, s.references(u)))
		return s.onward()
	case u.Has(grammar.ActPickup):
		return s.changePickup()
	case u.Has(grammar.ActDropoff):
		s.where = false
		return WhereTo
	case u.Has(grammar.ActTime):
		s.timed = false
		return When
	case u.Has(grammar.ActCancel):
		return AskCancel
	case u.Has(grammar.ActNothing), u.Has(grammar.ActNo), u.Has(grammar.ActKeep), u.Has(grammar.ActBye):
		return leave(ctx, s)
	}
	return s.miss(spoken.NotUnder)
}

func (s *Session) changePickup() State {
	s.trip.Pickup.Address, s.trip.Pickup.Location = "", nil
	s.refused = true
	return WherePick
}

// cancelSaid handles the confirmation of a cancellation: only words of agreement, or the
// wish itself, confirm it.
func (s *Session) cancelSaid(ctx context.Context, u grammar.Utterance) State {
	clean := !u.Doubts && len(u.Rest) == 0 && len(u.Questions) == 0 && !s.changes(u)
	for _, a := range u.Acts {
		clean = clean && (a == grammar.ActCancel || a == grammar.ActBook || a == grammar.ActBye)
	}
	changes := u.Fields() && s.changes(u) && !u.Has(grammar.ActCancel)
	switch {
	case changes && (u.Has(grammar.ActKeep) || u.Has(grammar.ActNo)): // "no, make it nine"
		return s.change(ctx, u)
	case u.Has(grammar.ActChange):
		return s.changeAsked(ctx, u)
	case u.Has(grammar.ActKeep), u.Has(grammar.ActNo), u.Has(grammar.ActNothing) && !u.Agrees:
		s.say(spoken.Kept, spoken.Slots{})
		return s.told()
	case clean && (u.Agrees || u.Has(grammar.ActCancel)):
		return cancel(ctx, s)
	case changes:
		return s.change(ctx, u)
	case len(u.Questions) > 0:
		s.tell(ctx, u.Questions)
		return s.repeat(conversation[s.state])
	case u.Doubts && len(u.Rest) == 0 && !u.Agrees:
		return keep(ctx, s)
	}
	return s.miss(spoken.NotUnder)
}

// listSaid handles the choice between several bookings, and the wish about it.
func (s *Session) listSaid(ctx context.Context, u grammar.Utterance) State {
	if u.Has(grammar.ActAnother) || u.Has(grammar.ActBook) && u.Places() && !u.Has(grammar.ActChange) && !u.Has(grammar.ActCancel) {
		return s.another(u)
	}
	n := s.entry(u)
	if n < 0 {
		switch {
		case s.leaves(u):
			return s.farewell(u)
		case len(u.Acts) > 0 && len(u.Rest) == 0 || len(u.Questions) > 0:
			s.again = true
			if s.misses++; s.misses < mostMisses {
				return s.state
			}
			return Person
		}
		return s.miss(spoken.NotUnder)
	}
	j := s.bookings()[n]
	s.journey = &j
	u.When, u.Times = u.When.Without(s.now(), j.Date.In(s.visit.zone).Time), nil
	if acts(u) || s.changes(u) {
		return s.bookingSaid(ctx, u)
	}
	return OneBooked
}

// acts reports whether an utterance contains a wish or a question about a booking.
func acts(u grammar.Utterance) bool {
	return u.Has(grammar.ActCancel) || u.Has(grammar.ActChange) || len(u.Questions) > 0 || u.Has(grammar.ActCallDriver) || u.Has(grammar.ActComingNow) || u.Has(grammar.ActStatus)
}

// entry returns the index of the booking that is meant, by its place in the list, its
// number or its time; -1: none, or several.
func (s *form) entry(u grammar.Utterance) int {
	list := s.bookings()
	switch {
	case u.Ordinal > 0:
		return within(u.Ordinal, len(list))
	case u.Number > 0 && u.When.IsZero() && u.Number <= len(list):
		return u.Number - 1
	case u.When.IsZero() || u.When.Now:
		if u.Number == 0 {
			return -1
		}
		u.When = grammar.When{Clock: true, Hour: u.Number}
	}
	found := -1
	for i, j := range list {
		if j.Date.IsZero() || !u.When.Fits(s.now(), j.Date.In(s.visit.zone).Time) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

func within(n, of int) int {
	if n > of {
		return -1
	}
	return n - 1
}

// bookingSaid handles words in the menu of a booking.
func (s *Session) bookingSaid(ctx context.Context, u grammar.Utterance) State {
	u = s.references(u)
	changes := s.changes(u)
	switch {
	case s.asked && s.meansNothingElse(u):
		return s.farewell(u)
	case u.Has(grammar.ActAnother), s.wantsNew(u):
		return s.another(u)
	case u.Has(grammar.ActUnwanted) && !u.Has(grammar.ActChange) && !u.Has(grammar.ActKeep) && !u.Places() && (!u.When.Clock || s.fitsTime(u, s.journey.Date.Time)) && mayCancel(s):
		return AskCancel
	case u.Has(grammar.ActCancel) && !u.Has(grammar.ActKeep):
		if !mayCancel(s) {
			s.say(spoken.NotCancel, spoken.Slots{})
			return s.told()
		}
		return AskCancel
	case u.Has(grammar.ActComingNow) && mayComeNow(s):
		return TellingDriver
	case u.Has(grammar.ActCallDriver) && mayCall(s):
		return CallingDriver
	case u.Has(grammar.ActStatus):
		return OneBooked
	case len(u.Questions) > 0 && (!changes || !u.Has(grammar.ActChange) && (!u.Doubts || !u.Places())):
		s.tell(ctx, u.Questions)
		if s.journey.Status.Terminal() {
			s.journey, s.menu = nil, Known
			return Known
		}
		return s.told()
	case changes:
		return s.change(ctx, u)
	case u.Has(grammar.ActChange), u.Has(grammar.ActPickup), u.Has(grammar.ActDropoff), u.Has(grammar.ActTime):
		return s.changeAsked(ctx, u)
	case u.Has(grammar.ActNothing) && !u.Has(grammar.ActBye) && !u.Has(grammar.ActKeep) && mayCancel(s):
		return AskCancel // it is not wanted any more
	case s.leaves(u), u.Has(grammar.ActKeep):
		return s.farewell(u)
	case (u.Small || u.Agrees || u.Has(grammar.ActBook)) && s.misses == 0 && len(u.Rest) == 0:
		s.misses++
		s.again, s.eased = true, true
		return s.state
	}
	return s.miss(spoken.NotUnder)
}

// told returns the state that asks whether there is anything else.
func (s *Session) told() State {
	s.again, s.hush, s.more, s.misses = true, true, true, 0
	if s.state == AskCancel || s.state == SomeBooked {
		s.quiet, s.read = true, true
		s.again = false
		return OneBooked
	}
	return s.state
}

// wantsNew reports whether an utterance contains a whole trip that is not a change of the
// booking.
func (s *form) wantsNew(u grammar.Utterance) bool {
	if u.Has(grammar.ActChange) || u.Has(grammar.ActCancel) || u.Doubts || len(u.Questions) > 0 {
		return false
	}
	return u.Has(grammar.ActBook) && u.Pickup.Known() && u.Dropoff.Known()
}

// another starts an additional booking, with the information in the utterance.
func (s *Session) another(u grammar.Utterance) State {
	s.newTrip()
	if !u.Fields() {
		return Known
	}
	s.absorb(u)
	return s.onward()
}

// change changes the current booking.
func (s *Session) change(ctx context.Context, u grammar.Utterance) State {
	if next := beginEdit(ctx, s); next != Edit {
		return next
	}
	s.absorb(changed(&s.form, u))
	return s.onward()
}

// changeAsked asks what to change, unless the utterance says it.
func (s *Session) changeAsked(ctx context.Context, u grammar.Utterance) State {
	next := beginEdit(ctx, s)
	if next != Edit || !u.Has(grammar.ActPickup) && !u.Has(grammar.ActDropoff) && !u.Has(grammar.ActTime) {
		return next
	}
	return s.editSaid(ctx, u)
}

// references returns an utterance without the parts that only identify a booking.
func (s *form) references(u grammar.Utterance) grammar.Utterance {
	is := s.trip.At
	if s.journey != nil && !s.journey.Date.IsZero() {
		is = s.journey.Date.In(s.visit.zone).Time
	}
	if !is.IsZero() && !u.When.IsZero() && (!u.When.Now || u.When.Weak) {
		u.When = u.When.Without(s.now(), is)
		u.Times = nil
	}
	return u
}

// changed returns an utterance without the places that only identify the booking: "I've a cab coming to the uni, but I'm at the
// museum now".
func changed(s *form, u grammar.Utterance) grammar.Utterance {
	if s.journey == nil || u.Swapped || u.Turned {
		return u
	}
	t, ok := s.visit.tripOf(*s.journey)
	if !ok || len(t.Dropoffs) == 0 {
		return u
	}
	last := t.Dropoffs[len(t.Dropoffs)-1]
	if len(u.Bare) == 1 && u.Dropoff.Known() && !s.is(u.Dropoff, last) && !u.Pickup.Named() {
		u.Pickup, u.Bare = u.Bare[0], nil
	}
	switch {
	case u.Pickup.Known() && s.is(u.Dropoff, t.Pickup) && !s.is(u.Pickup, last):
		u.Dropoff = grammar.Spot{}
	case u.Dropoff.Known() && s.is(u.Pickup, last) && !s.is(u.Dropoff, t.Pickup):
		u.Pickup = grammar.Spot{}
	}
	return u
}

// changes reports whether an utterance contains new information about a trip.
func (s *form) changes(u grammar.Utterance) bool {
	t := s.trip
	if t.Edit == nil && s.journey != nil && s.state != Confirm {
		t, _ = s.visit.tripOf(*s.journey)
	}
	return !s.fits(u, t)
}
