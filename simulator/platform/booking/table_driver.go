package booking

import (
	"context"

	"github.com/cabrank/cabrank/simulator/platform/booking/keypad"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// driverRows are the states in which the driver is called.
func driverRows() []row {
	return []row{
		{
			state: ArrivedMenu, about: "ARRIVED with a driver's number: what the driver can be told", says: []spoken.PromptID{spoken.Arrived, spoken.OneBooked}, menu: true,
			pass: func(_ context.Context, s *Session) State {
				if s.journey == nil || !s.arrived() {
					return OneBooked
				}
				return ArrivedMenu
			},
			passes: []State{OneBooked},
			ways: []way{
				{choice: spoken.ChooseComingNow, key: "1", open: mayComeNow, when: "the option comingNow is on", take: goTo(TellingDriver), next: []State{TellingDriver}},
				{choice: spoken.ChooseCallDriver, key: "2", open: mayCall, when: "the option callDriver is on", take: goTo(CallingDriver), next: []State{CallingDriver}},
				another("3"),
				{choice: spoken.ChooseCancel, key: "4", open: mayCancel, when: "the option cancel is on", take: goTo(AskCancel), next: []State{AskCancel}},
			},
		},
		{
			state: TellingDriver, about: "the platform rings the driver itself and says it twice; once a minute for a journey",
			then: ThenWait, pass: tellDriver, passes: []State{OneBooked},
			takes: "whether the driver has heard it",
			take:  driverTold, leads: []State{TellingDriver, OneBooked, Person},
		},
		{
			state: CallingDriver, about: "the caller is put through to the driver who is on the way now; neither sees the other's number",
			then: ThenDriver, pass: callDriver, passes: []State{OneBooked},
			says: []spoken.PromptID{spoken.Connecting}, takes: "whether the driver has answered",
			take: func(_ context.Context, s *Session, in Input, _ keypad.Meaning) (State, bool) {
				s.done = true
				if in.Reached != ReachedThem {
					s.say(spoken.NoAnswer, spoken.Slots{})
					s.quiet = true
				}
				return OneBooked, true
			},
			leads: []State{OneBooked},
		},
	}
}

func mayComeNow(s *Session) bool { return s.visit.mayComeNow(*s.journey) }

// tellDriver starts the call to the driver.
func tellDriver(ctx context.Context, s *Session) State {
	if s.telling != nil {
		return TellingDriver // the call has begun
	}
	j, telling, told := s.visit.comingNow(ctx, *s.journey)
	s.journey = &j
	switch told {
	case toldNow:
		s.telling, s.done = telling, true
		s.say(spoken.Wait, spoken.Slots{})
		return TellingDriver
	case toldJustNow:
		s.say(spoken.JustTold, spoken.Slots{})
		s.quiet = true
	default:
		s.say(spoken.NotReached, spoken.Slots{})
	}
	return OneBooked
}

// driverTold checks whether the driver has been told.
func driverTold(_ context.Context, s *Session, in Input, m keypad.Meaning) (State, bool) {
	if m.Kind == keypad.Chosen && m.Choice == spoken.ChoosePerson || in.Choice == spoken.ChoosePerson {
		s.telling = nil
		return Person, true
	}
	select {
	case <-s.telling.Done():
	default:
		return TellingDriver, true
	}
	prompt := spoken.NotReached
	if s.telling.Told() {
		prompt = spoken.DriverTold
		s.event(Event{Kind: EventTold, Journey: s.journey.Ref.Text()})
	}
	s.say(prompt, spoken.Slots{})
	s.telling, s.quiet = nil, true
	return OneBooked, true
}

// callDriver reads the journey before the driver is called, since the driver may have
// changed.
func callDriver(ctx context.Context, s *Session) State {
	j, err := s.visit.Status(ctx, *s.journey)
	if err == nil {
		s.journey = &j
	}
	if err != nil || !s.visit.mayCallDriver(j) {
		s.say(spoken.NoAnswer, spoken.Slots{})
		return OneBooked
	}
	return CallingDriver
}
