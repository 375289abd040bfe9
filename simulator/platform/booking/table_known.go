package booking

import (
	"context"

	"github.com/cabrank/cabrank/simulator/platform/booking/keypad"
	"github.com/cabrank/cabrank/simulator/platform/booking/operations"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// knownCaller are the first menus of a caller whom the third party knows.
func knownCaller() []row {
	return []row{
		{
			state: Known, about: "a known caller without a booking, or one who wants another taxi; a trip that they made twice lately is proposed", says: []spoken.PromptID{spoken.Known},
			menu: true,
			pass: func(_ context.Context, s *Session) State {
				s.newTrip()
				if _, ok := s.usual(); ok {
					return Known
				}
				s.say(spoken.Known, spoken.Slots{Name: s.visit.User.Name})
				return AskPickup
			},
			passes: []State{AskPickup},
			slots: func(s *Session, slots *spoken.Slots) {
				caller(s, slots)
				usual, _ := s.usual()
				slots.Pickup = placeNameAt(usual, s.visit.settings.Places)
				if trip, ok := s.usualTrip(); ok {
					slots.Usual = placeNameAt(trip.dropoff, s.visit.settings.Places)
				}
			},
			ways: []way{
				{choice: spoken.ChooseBook, key: "1", take: bookUsual, next: []State{WhereTo, HowMany, Confirm, WherePick, When}},
				{choice: spoken.ChooseOther, key: "2", take: func(context.Context, *Session) State { return WherePick }, next: []State{WherePick}},
			},
		},
		{
			state: SomeBooked, about: "a known caller with several bookings", says: []spoken.PromptID{spoken.SomeBooked}, menu: true,
			slots: func(s *Session, slots *spoken.Slots) {
				slots.Count = s.visit.booked()
				for _, j := range s.bookings() {
					d := s.visit.details(j)
					slots.Taxis = append(slots.Taxis, spoken.Taxi{When: d.When, Pickup: d.Pickup})
				}
			},
			ways:  []way{another("4")},
			lists: true, takes: "the number of one of the first three bookings; in words also \"the second\", or its time",
			take: func(_ context.Context, s *Session, _ Input, m keypad.Meaning) (State, bool) {
				if m.Kind != keypad.Listed {
					return "", false
				}
				j := s.bookings()[m.Entry]
				s.journey = &j
				return OneBooked, true
			},
			leads: []State{OneBooked},
		},
	}
}

// bookings returns the first bookings, as many as the menu lists; for the others, the caller is connected to a person.
func (s *form) bookings() []operations.Journey {
	return s.visit.Journeys[:min(len(s.visit.Journeys), spoken.MostTaxis)]
}

// another returns the choice to book an additional taxi.
func another(key string) way {
	return way{
		choice: spoken.ChooseAnother, key: key, next: []State{Known, WhereTo, HowMany, Confirm, WherePick, When, AskPickup},
		take: func(_ context.Context, s *Session) State {
			s.newTrip()
			return Known
		},
	}
}

// bookUsual starts a booking with the caller's usual pickup.
func bookUsual(_ context.Context, s *Session) State {
	s.trip.Pickup, _ = s.usual()
	s.timed = true
	return s.onward()
}

// greet chooses the first state of the conversation.
func (s *Session) greet(ctx context.Context) State {
	v := s.visit
	switch v.Standing {
	case StandingDown:
		s.say(spoken.Down, spoken.Slots{})
		return Down
	case StandingOff, StandingWithheld:
		s.say(spoken.Welcome, spoken.Slots{Firm: v.settings.Firm})
		s.say(spoken.NoVoice, spoken.Slots{})
		return Down
	case StandingBarred:
		return Barred
	case StandingDisabled:
		return Disabled
	case StandingUnknown:
		return Welcome
	}
	v.Read(ctx)
	switch n := len(v.Journeys); {
	case n == 0 && v.Unread > 0:
		s.say(spoken.Down, spoken.Slots{})
		return Down
	case n == 0:
		return Known
	case n == 1 && v.booked() == 1:
		s.say(spoken.Known, spoken.Slots{Name: v.User.Name})
		s.journey = &v.Journeys[0]
		s.read = true
		return OneBooked
	}
	s.say(spoken.Known, spoken.Slots{Name: v.User.Name})
	return SomeBooked
}
