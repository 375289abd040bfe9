package booking

import (
	"context"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// doubts are the states that resolve uncertain answers.
func doubts() []row {
	return []row{
		{
			state: WhichPlace, about: "several places are meant equally well", says: []spoken.PromptID{spoken.Which}, slots: listed,
			pass: func(_ context.Context, s *Session) State {
				s.offer(s.doubted(), spoken.MostChoices)
				return WhichPlace
			},
			wants: grammar.WantPlace, takes: "one of them",
			take: func(_ context.Context, s *Session, _ Input, m grammar.Meaning) (State, bool) {
				if m.Kind != grammar.Listed || len(s.doubts) == 0 {
					return "", false
				}
				d := s.doubts[0]
				s.doubts = s.doubts[1:]
				return s.takeListed(m, d.dropoff)
			},
			leads: []State{When, WhereTo, Confirm, WhichPlace},
		},
		{
			state: IsTime, about: "a time that can be read in two ways, or that is over today", says: []spoken.PromptID{spoken.IsTime}, asks: AsksTime,
			slots: func(s *Session, slots *spoken.Slots) { slots.When = s.trip.At },
			ways: []way{
				{choice: spoken.ChooseYes, key: "1", next: []State{WhereTo, Confirm}, take: func(_ context.Context, s *Session) State {
					s.timed = true
					return s.onward()
				}},
				{choice: spoken.ChooseNo, key: "2", take: goTo(WhichTime), next: []State{WhichTime}},
			},
			wants: grammar.WantTime, keys: 1, takes: "another time", take: takeClock, leads: []State{WhichDay, IsTime, WhereTo, Confirm},
		},
	}
}

// doubted returns the places to choose from.
func (s *Session) doubted() []Place {
	if len(s.doubts) == 0 {
		return nil
	}
	var list []Place
	for _, i := range s.doubts[0].index {
		p := s.places()[i]
		list = append(list, Place{Name: p.Name, Address: p.At(s.doubts[0].house)})
	}
	return list
}
