package booking

import (
	"context"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// doubts are the states that make an answer certain.
func doubts() []row {
	return []row{
		{
			state: WhichPlace, about: "several places are meant equally well", says: []spoken.PromptID{spoken.Which}, slots: listed,
			pass: func(_ context.Context, s *Session) State {
				s.offer(s.doubt.places, spoken.MostChoices)
				return WhichPlace
			},
			wants: grammar.WantPlace, takes: "one of them",
			take: func(_ context.Context, s *Session, _ Input, m grammar.Meaning) (State, bool) {
				if s.doubt.dropoff {
					return s.takeDropoff(m.Place, WhichPlace)
				}
				return s.takePickup(m.Place, WhichPlace)
			},
			leads: []State{When, WhereTo, Confirm, WhichPlace},
		},
		{
			state: IsTime, about: "a time that can be read in two ways, or that is over today", says: []spoken.PromptID{spoken.IsTime}, asks: AsksTime,
			slots: func(s *Session, slots *spoken.Slots) { slots.When = s.trip.At },
			ways: []way{
				{choice: spoken.ChooseYes, key: "1", next: []State{WhereTo, Confirm}, take: func(_ context.Context, s *Session, _ grammar.Meaning) State {
					s.timed = true
					return s.onward()
				}},
				{choice: spoken.ChooseNo, key: "2", take: goTo(WhichTime), next: []State{WhichTime}},
			},
			wants: grammar.WantTime, keys: 1, takes: "another time", take: takeClock, leads: []State{WhichDay, IsTime, WhereTo, Confirm},
		},
	}
}
