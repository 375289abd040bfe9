package booking

import (
	"context"
	"strconv"

	"github.com/cabrank/cabrank/simulator/platform/booking/keypad"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// Limits of answers with keys.
const (
	houseKeys = 5 // digits and the hash
	clockKeys = 4
)

// tripQuestions are the states that ask for a trip.
func tripQuestions() []row {
	pickup := func(state State, prompt spoken.PromptID, about string) row {
		return row{
			state: state, about: about, says: []spoken.PromptID{prompt}, asks: AsksPickup, slots: listed,
			pass: func(_ context.Context, s *Session) State {
				s.offer(s.visit.places(), mostPickups)
				return state
			},
			wants: keypad.WantPlace | keypad.WantNumber, keys: houseKeys, hash: true,
			takes: "a place of the list, or a house number with a hash; in words any place",
			take: func(_ context.Context, s *Session, in Input, m keypad.Meaning) (State, bool) {
				if m.Kind == keypad.Numbered {
					s.house, s.forDropoff = m.Text, false
					return AskStreet, s.streets() != nil
				}
				return s.takeListed(m, false)
			},
			leads: []State{AskStreet, WhichPlace, When, WhereTo, HowMany, Confirm},
		}
	}
	return []row{
		pickup(AskPickup, spoken.AskPickup, "the pickup of a caller without a usual one"),
		pickup(WherePick, spoken.WherePick, "another pickup"),
		{
			state: AskStreet, about: "the street of a house number", says: []spoken.PromptID{spoken.AskStreet}, asks: AsksPickup,
			slots: func(s *Session, slots *spoken.Slots) {
				listed(s, slots)
				slots.House = s.house
			},
			pass: func(_ context.Context, s *Session) State {
				s.offer(s.streets(), spoken.MostChoices)
				return AskStreet
			},
			wants: keypad.WantPlace, takes: "a street",
			take: func(_ context.Context, s *Session, _ Input, m keypad.Meaning) (State, bool) {
				if m.Kind != keypad.Listed || m.Entry >= len(s.list) {
					return "", false
				}
				return s.takePlace(s.list[m.Entry].At(s.house), s.forDropoff), true
			},
			leads: []State{WhichPlace, When, WhereTo, HowMany, Confirm},
		},
		{
			state: When, about: "now or later", says: []spoken.PromptID{spoken.When}, asks: AsksTime,
			slots: func(s *Session, slots *spoken.Slots) {
				slots.WhichDay, slots.PickupTime = s.when.Undated, s.unclear
			},
			wants: keypad.WantTime, keys: clockKeys, takes: "a time, as four digits or in words",
			ways: []way{
				{choice: spoken.ChooseNow, key: "1", take: takeNow, next: []State{WhereTo, HowMany, Confirm}},
			},
			take: takeClock, leads: []State{WhichDay, IsTime, WhereTo, HowMany, Confirm},
		},
		{
			state: WhichTime, about: "a time once more", says: []spoken.PromptID{spoken.WhichTime}, asks: AsksTime,
			wants: keypad.WantTime, keys: clockKeys, takes: "a time, as four digits or in words",
			take: takeClock, leads: []State{WhichDay, IsTime, WhereTo, HowMany, Confirm},
		},
		{
			state: WhichDay, about: "the day of a keyed time", says: []spoken.PromptID{spoken.WhichDay}, asks: AsksTime,
			ways: []way{
				{choice: spoken.ChooseToday, key: "1", next: []State{WhereTo, HowMany, Confirm}, take: func(_ context.Context, s *Session) State {
					s.timed = true
					return s.onward()
				}},
				{choice: spoken.ChooseTomorrow, key: "2", next: []State{WhereTo, HowMany, Confirm}, take: func(_ context.Context, s *Session) State {
					s.trip.At, s.timed = s.trip.At.AddDate(0, 0, 1), true
					return s.onward()
				}},
			},
		},
		{
			state: HowMany, about: "the number of people, if it is not certain", says: []spoken.PromptID{spoken.HowMany}, asks: AsksPeople,
			wants: keypad.WantNumber, takes: "a number",
			take: func(_ context.Context, s *Session, _ Input, m keypad.Meaning) (State, bool) {
				n, err := strconv.Atoi(m.Text)
				if m.Kind != keypad.Numbered || err != nil || n == 0 || n > mostSeats {
					return "", false
				}
				s.trip.People, s.company = n, false
				return s.onward(), true
			},
			leads: []State{Confirm},
		},
		{
			state: WhereTo, about: "the drop-off; left out when skipDropOff is on", says: []spoken.PromptID{spoken.WhereTo}, asks: AsksDropoff, slots: listed,
			pass: func(_ context.Context, s *Session) State {
				if s.visit.skipDropOff() {
					s.trip.Dropoffs, s.where = nil, true
					return s.onward()
				}
				s.offer(s.notPickup(s.visit.places()), mostDropoffs)
				return WhereTo
			},
			passes: []State{HowMany, Confirm},
			wants:  keypad.WantPlace, takes: "a place",
			ways: []way{
				{choice: spoken.ChooseElsewhere, key: "3", take: func(context.Context, *Session) State { return Elsewhere }, next: []State{Elsewhere}},
				{choice: spoken.ChooseTellDriver, key: "4", take: tellLater, next: []State{HowMany, Confirm}},
			},
			take: func(_ context.Context, s *Session, _ Input, m keypad.Meaning) (State, bool) {
				return s.takeListed(m, true)
			},
			leads: []State{WhichPlace, HowMany, Confirm},
		},
		{
			state: Elsewhere, about: "a drop-off that is not in the list", says: []spoken.PromptID{spoken.Elsewhere}, asks: AsksDropoff, slots: listed,
			pass: func(_ context.Context, s *Session) State {
				s.offer(s.notPickup(s.visit.places()), 0)
				return Elsewhere
			},
			wants: keypad.WantPlace | keypad.WantNumber, keys: houseKeys, hash: true, takes: "a place, or a house number with a hash",
			take: func(_ context.Context, s *Session, _ Input, m keypad.Meaning) (State, bool) {
				if m.Kind == keypad.Numbered {
					s.house, s.forDropoff = m.Text, true
					return AskStreet, s.streets() != nil
				}
				return s.takeListed(m, true)
			},
			leads: []State{AskStreet, WhichPlace, HowMany, Confirm},
		},
	}
}

// How many places a menu lists.
const (
	mostPickups  = 3
	mostDropoffs = 2
)

// listed sets the slots for the places on offer and for the known parts of the trip.
func listed(s *Session, slots *spoken.Slots) {
	s.soFar(slots)
	slots.Streets = s.streets() != nil
	for _, p := range s.list[:min(len(s.list), s.listed)] {
		slots.Places = append(slots.Places, p.called())
	}
}

func (p Place) called() string {
	if p.Name != "" {
		return p.Name
	}
	return p.Address.Address
}

func takeNow(_ context.Context, s *Session) State { return s.takeNow() }

func tellLater(_ context.Context, s *Session) State {
	s.trip.Dropoffs, s.where = nil, true
	return s.onward()
}

func takeClock(_ context.Context, s *Session, _ Input, m keypad.Meaning) (State, bool) {
	if m.Kind != keypad.Timed {
		return "", false
	}
	return s.takeTime(m.When), true
}

// soFar sets the slots for the known parts of the trip, so that they can be repeated to the caller.
func (s *form) soFar(slots *spoken.Slots) {
	if s.trip.Edit != nil || s.misses > 0 {
		return
	}
	places := s.visit.settings.Places
	if s.trip.Pickup.Address != "" {
		slots.Pickup = placeNameAt(s.trip.Pickup, places)
	} else if usual, ok := s.usual(); ok && s.proposed() {
		slots.Usual = placeNameAt(usual, places)
	}
	if n := len(s.trip.Dropoffs); n > 0 && s.where {
		slots.Dropoff = placeNameAt(s.trip.Dropoffs[n-1], places)
	}
}
