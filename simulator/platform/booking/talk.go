package booking

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// now returns the current time in the customer's time zone.
func (s *dialogue) now() time.Time { return s.desk.opts.Callers().In(s.visit.zone) }

// talks parses words in the current state.
func (s *Session) talks(words string) grammar.Utterance {
	c := grammar.Context{
		Language: s.visit.speaker.Language(), Gazetteer: s.gazetteer(), Now: s.now(), Asked: asked[s.state], Ends: s.where,
	}
	switch s.state {
	case WhichPlace:
		if len(s.doubts) > 0 && s.doubts[0].number {
			c.Asked = grammar.AskedHouse
		}
	case Confirm, Reconfirm:
		c.ReadBack, c.Is, c.People, c.Houses = true, s.trip.At, s.trip.People, s.trip.houses()
	case OneBooked, ArrivedMenu:
		if s.journey != nil && !s.journey.Date.IsZero() {
			c.Is = s.journey.Date.In(s.visit.zone).Time
		}
	}
	return grammar.Hear(words, c)
}

// asked maps each state to the question that an answer without further words refers to.
var asked = map[State]grammar.Asked{
	AskName: grammar.AskedName, AskPickup: grammar.AskedPickup, WherePick: grammar.AskedPickup, When: grammar.AskedTime, WhichTime: grammar.AskedTime,
	WhichDay: grammar.AskedTime, IsTime: grammar.AskedTime, HowMany: grammar.AskedPeople, WhereTo: grammar.AskedDropoff, Elsewhere: grammar.AskedDropoff,
}

// mostUnknown is the number of consecutive answers with an unknown place after which the caller is connected to a
// person.
const mostUnknown = 2

// mostSeats is how many people one taxi takes.
const mostSeats = 8

// talk handles words.
func (s *Session) talk(ctx context.Context, r row, words string) State {
	u := s.ear.slips.without(s.talks(words))
	if r.state == AskName {
		return s.nameSaid(words, u)
	}
	plain := !u.Fields() && len(u.Questions) == 0
	if (u.Several || u.People > mostSeats) && !u.Has(grammar.ActCancel) {
		s.say(spoken.TooMany, spoken.Slots{})
		s.hush = true
		return Person
	}
	switch {
	case u.Has(grammar.ActPerson), u.Has(grammar.ActTrouble) && !u.Places() && !u.Has(grammar.ActBook), u.Has(grammar.ActHelp) && plain && !u.Has(grammar.ActBook) && !u.Agrees:
		return Person
	case u.Has(grammar.ActRepeat) && plain && len(u.Acts) == 1:
		return s.repeat(r)
	case u.Has(grammar.ActWait) && plain && !u.Agrees && !u.Has(grammar.ActBook):
		s.say(spoken.Waiting, spoken.Slots{})
		return s.repeat(r)
	}
	switch r.state {
	case Confirm, Reconfirm:
		return s.readBackSaid(ctx, u, words)
	case AskCancel:
		return s.cancelSaid(ctx, u)
	case OneBooked, ArrivedMenu:
		return s.bookingSaid(ctx, u)
	case SomeBooked:
		return s.listSaid(ctx, u)
	case Edit:
		return s.editSaid(ctx, u)
	case WhichPlace:
		return s.whichSaid(ctx, u)
	}
	return s.questionSaid(ctx, u)
}

// questionSaid handles words in a menu without a booking, or after a question about the
// trip.
func (s *Session) questionSaid(ctx context.Context, u grammar.Utterance) State {
	if u.Fields() || u.Has(grammar.ActBook) { // "is this the taxi firm? I want a taxi"
		u.Questions = slices.DeleteFunc(u.Questions, func(q grammar.Question) bool { return q == grammar.AsksOther })
	}
	if next, ok := s.usualSaid(u); ok {
		return next
	}
	switch {
	case s.leaves(u):
		return s.farewell(u)
	case u.Has(grammar.ActCancel) && !u.Places():
		return s.nothingToCancel()
	case u.Fields() || len(u.Refused) > 0:
		s.absorb(u)
		if next := s.onward(); len(u.Questions) == 0 {
			if next == s.state && s.placeAsked() && u.Places() { // another place that is not known
				s.ear.strange = s.ear.aloud
				if s.misses++; s.misses >= mostUnknown {
					return Person
				}
			}
			return next
		}
		s.tell(ctx, u.Questions)
		if s.menuState() && u.When.IsZero() { // a caller who asks has not ordered yet
			return s.told()
		}
		return s.onward()
	case len(u.Questions) > 0:
		s.tell(ctx, u.Questions)
		s.again = true
		s.more = s.menuState()
		s.hush = s.more
		return s.state
	}
	if next, ok := s.choiceSaid(ctx, u); ok {
		return next
	}
	switch {
	case len(u.Rest) > 0 && s.placeAsked():
		s.unknownPlace(grammar.Spot{Text: strings.Join(u.Rest, " ")}, s.state == WhereTo || s.state == Elsewhere)
		s.again, s.eased, s.ear.strange = true, s.ear.aloud, s.ear.aloud
		if s.misses++; s.misses >= mostUnknown {
			return Person
		}
		if len(s.doubts) > 0 {
			s.again = false
			return WhichPlace
		}
		return s.state
	case u.Small && s.menuState() && s.visit.Channel != FeatureMessaging:
		return s.onward() // a caller who only says hello to a taxi firm wants a taxi
	case u.Small && s.misses == 0 && s.visit.Channel != FeatureMessaging:
		s.misses++
		s.again, s.eased = true, true
		return s.state
	}
	return s.miss(spoken.NotUnder)
}

// choiceSaid handles a wish without information about a trip.
func (s *Session) choiceSaid(ctx context.Context, u grammar.Utterance) (State, bool) {
	switch {
	case u.Has(grammar.ActTellDriver) && (s.state == WhereTo || s.state == Elsewhere):
		return tellLater(ctx, s), true
	case u.Has(grammar.ActOther) && s.state == WhereTo:
		return Elsewhere, true
	case s.state == When && u.Has(grammar.ActLater):
		return WhichTime, true
	case s.state == IsTime && u.Agrees && !u.Doubts, s.state == WhichDay && u.Agrees && !u.Doubts:
		s.timed, s.arrive, s.unclear = true, grammar.When{}, false
		return s.onward(), true
	case s.state == IsTime && u.Has(grammar.ActNo):
		return WhichTime, true
	case s.state == WherePick && u.Agrees && !u.Doubts && s.proposed():
		s.trip.Pickup, _ = s.usual()
		return s.onward(), true
	case u.Has(grammar.ActNo) && s.state == WherePick && s.proposed():
		s.refused = true
		s.again = true
		return s.state, true
	case u.Has(grammar.ActBook), u.Has(grammar.ActAnother), u.Has(grammar.ActLater), (u.Agrees || u.Has(grammar.ActPickup) || u.Has(grammar.ActDropoff)) && s.menuState(), u.Has(grammar.ActChange) && s.state == Known:
		if next := s.onward(); next != s.state {
			return next, true
		}
		s.again, s.eased = true, true
		if s.misses++; s.misses >= mostMisses {
			return Person, true
		}
		return s.state, true
	}
	return "", false
}

// menuState reports whether the state is a menu rather than a question.
func (s *dialogue) menuState() bool { return conversation[s.state].menu }

func (s *dialogue) placeAsked() bool {
	switch s.state {
	case AskPickup, WherePick, WhereTo, Elsewhere, AskStreet:
		return true
	}
	return false
}

// proposed reports whether the usual pickup is proposed: it is known and was not rejected, and no booking is being
// changed.
func (s *form) proposed() bool {
	_, known := s.usual()
	return known && !s.refused && s.trip.Edit == nil
}

// leaves reports whether the caller wants to end the conversation.
func (s *Session) leaves(u grammar.Utterance) bool {
	nothing, bye := u.Has(grammar.ActNothing), u.Has(grammar.ActBye)
	if s.asked && s.meansNothingElse(u) {
		return true
	}
	no := u.Has(grammar.ActNo) && s.menuState()
	switch {
	case u.Fields() && u.Places(), asked[s.state] == grammar.AskedTime && !u.When.IsZero() && !nothing:
		return false
	case len(u.Questions) > 0 && !bye && !u.Has(grammar.ActNo):
		other := slices.ContainsFunc(u.Questions, func(q grammar.Question) bool { return q != grammar.AsksOther })
		return nothing && !other && !u.Fields() // "is that the library?" is a wrong number
	}
	return nothing || bye || no && !u.Fields() && !u.Has(grammar.ActBook) && !u.Has(grammar.ActCancel) && len(u.Rest) == 0
}

// meansNothingElse reports whether an answer to "Is there anything else?" means no: "no, just the car", "no changes".
func (s *form) meansNothingElse(u grammar.Utterance) bool {
	no := u.Has(grammar.ActNo) || u.Has(grammar.ActNothing) || u.Has(grammar.ActKeep) || u.Has(grammar.ActAsIs) || u.Has(grammar.ActBye)
	if !no || u.Has(grammar.ActChange) || u.Has(grammar.ActCancel) || u.Has(grammar.ActAnother) || len(u.Rest) > 0 || s.changes(u) {
		return false
	}
	return !slices.ContainsFunc(u.Questions, func(q grammar.Question) bool { return !slices.Contains(s.answered, q) })
}

// farewell ends the conversation with a caller who wants nothing more.
func (s *Session) farewell(u grammar.Utterance) State {
	switch {
	case s.trip.Edit != nil:
		s.say(spoken.Kept, spoken.Slots{})
	case s.begun() || u.Has(grammar.ActNothing) && s.journey == nil:
		s.say(spoken.NothingBooked, spoken.Slots{})
	}
	s.event(Event{Kind: EventAbandoned, State: s.state})
	s.say(spoken.Goodbye, spoken.Slots{})
	s.done = true
	return Over
}

// begun reports whether any part of a new trip is known.
func (s *form) begun() bool {
	return s.trip.Pickup.Address != "" || len(s.trip.Dropoffs) > 0 || s.timed
}

// nothingToCancel handles a cancellation without a booking.
func (s *Session) nothingToCancel() State {
	switch {
	case s.trip.Edit != nil:
		return AskCancel
	case s.begun():
		return s.farewell(grammar.Utterance{})
	}
	s.say(spoken.NoBooking, spoken.Slots{})
	s.again, s.hush, s.more = true, true, true
	return s.state
}

// nameSaid handles a name. A caller who names parts of the trip instead is asked again.
func (s *Session) nameSaid(words string, u grammar.Utterance) State {
	only := len(u.Rest) == 0
	switch {
	case u.Has(grammar.ActPerson) && only:
		return Person
	case u.Has(grammar.ActRepeat) && only && !u.Has(grammar.ActBook):
		return s.repeat(conversation[s.state])
	case (u.Has(grammar.ActNothing) || u.Has(grammar.ActCancel) || u.Has(grammar.ActBye)) && (only || u.Has(grammar.ActBye)):
		return s.farewell(u)
	case u.Has(grammar.ActSkip), u.Has(grammar.ActNo) && only, u.Has(grammar.ActNothing):
		s.named = true
		return s.onward()
	}
	name := u.Name
	if u.Places() || u.When.Clock || u.When.In != 0 { // a day alone is a name, too: Sonntag
		s.absorb(u)
	}
	if name == "" && (!u.Small || grammar.MayBeName(words)) && !u.Places() {
		name = grammar.AsName(s.visit.speaker.Language(), words)
	}
	if name == "" {
		if u.Places() {
			return s.onward()
		}
		return s.miss(spoken.NotUnder)
	}
	s.trip.Name, s.named = name, true
	return s.onward()
}

// otherEnd reports whether the utterance names only one place, and that is the other end of the trip.
func (s *form) otherEnd(u grammar.Utterance, dropoff bool) bool {
	if len(u.Bare) != 1 || u.Pickup.Named() || u.Dropoff.Named() {
		return false
	}
	return dropoff && s.is(u.Bare[0], s.trip.Pickup) || !dropoff && s.where && s.isEnd(u.Bare[0])
}

// turn assigns a spot to the end that the doubt is about, and the doubtful place to the other end.
func (d doubt) turn(s *form, spot grammar.Spot) {
	s.doubts = s.doubts[1:]
	if d.dropoff {
		s.trip.Pickup, s.refused = taxi.Address{}, true
	} else {
		s.where = false
	}
	s.end(spot, d.dropoff)
	d.dropoff = !d.dropoff
	s.doubts = append(s.doubts, d)
}

// whichSaid handles the choice between several places.
func (s *Session) whichSaid(ctx context.Context, u grammar.Utterance) State {
	d := s.doubts[0]
	var meant, refused []int
	for _, spot := range append([]grammar.Spot{u.Pickup, u.Dropoff}, u.Bare...) {
		meant = append(meant, spot.Index...)
		d.house = cmp.Or(spot.House, d.house)
	}
	for _, spot := range u.Refused {
		refused = append(refused, spot.Index...)
	}
	if u.Pickup.Known() && u.Dropoff.Known() { // the hospital to the museum
		s.doubts = nil
		s.absorb(u)
		return s.onward()
	}
	left := slices.DeleteFunc(slices.Clone(d.index), func(i int) bool { return slices.Contains(refused, i) && !slices.Contains(meant, i) })
	if d.number && (u.House != "" || u.Has(grammar.ActSkip)) && !slices.ContainsFunc(meant, func(i int) bool { return i != d.index[0] }) {
		s.doubts = s.doubts[1:]
		street := s.streetOf(d.index[0])
		return s.takePlace(street.At(u.House), d.dropoff)
	}
	if both := slices.DeleteFunc(slices.Clone(left), func(i int) bool { return !slices.Contains(meant, i) }); len(both) > 0 && !d.number {
		left = both
	} else if s.otherEnd(u, d.dropoff) { // which number in Mill Lane, to which they go? "To the museum."
		if s.misses++; s.misses >= mostMisses {
			return Person
		}
		d.turn(&s.form, u.Bare[0])
		return s.onward()
	} else if named := u.Pickup.Named() || u.Dropoff.Named() || len(u.Bare) > 0; named { // a place other than the proposed ones
		s.doubts = s.doubts[1:]
		u.Refused = nil
		if len(u.Bare) > 0 && !u.Pickup.Named() && !u.Dropoff.Named() {
			s.end(u.Bare[0], d.dropoff)
			u.Bare = u.Bare[1:]
		}
		s.absorb(u)
		return s.onward()
	}
	if len(d.index) == 1 && len(meant) == 0 && (!u.Agrees || u.Doubts || len(u.Rest) > 0 || d.number) {
		left = nil
	}
	if len(d.index) == 1 && u.Has(grammar.ActNo) && len(u.Rest) == 0 {
		s.doubts = s.doubts[1:]
		return s.onward()
	}
	switch {
	case u.Has(grammar.ActOther) && len(d.index) == 2, u.Has(grammar.ActNo) && len(d.index) == 2 && len(meant) == 0:
		left = d.index[1:]
	case u.Ordinal > 0 && u.Ordinal <= len(d.index):
		left = d.index[u.Ordinal-1 : u.Ordinal]
	case u.Agrees && len(meant) == 0 && !u.Doubts && len(u.Rest) == 0:
		left = d.index[:1]
	}
	if len(left) == 1 && s.places()[left[0]].Street && d.house == "" {
		s.doubts[0] = doubt{index: left, dropoff: d.dropoff, number: true}
		return s.state
	}
	if len(left) == 1 {
		s.doubts = s.doubts[1:]
		s.takePlace(s.places()[left[0]].At(d.house), d.dropoff)
		u.Pickup, u.Dropoff, u.Bare, u.Refused, u.Ordinal = grammar.Spot{}, grammar.Spot{}, nil, nil, 0
		s.absorb(u)
		return s.onward()
	}
	switch {
	case s.leaves(u):
		return s.farewell(u)
	case len(u.Questions) > 0:
		s.tell(ctx, u.Questions)
		return s.repeat(conversation[s.state])
	case !u.When.IsZero() || u.People > 0:
		s.absorb(grammar.Utterance{When: u.When, People: u.People})
		return s.repeat(conversation[s.state])
	}
	return s.miss(spoken.NotUnder)
}
