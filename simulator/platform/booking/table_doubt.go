package booking

import (
	"context"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/keypad"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// doubts are the states that resolve uncertain answers.
func doubts() []row {
	return []row{
		{
			state: WhichPlace, about: "several places are meant equally well", says: []spoken.PromptID{spoken.Which},
			slots: func(s *Session, slots *spoken.Slots) {
				listed(s, slots)
				if d := s.doubts[0]; d.number {
					slots.Number, slots.Places = true, []string{s.streetOf(d.index[0]).called()}
				} else {
					slots.Heard = d.heard
				}
			},
			pass: func(_ context.Context, s *Session) State {
				s.offer(s.doubted(), spoken.MostChoices)
				return WhichPlace
			},
			wants: keypad.WantPlace, takes: "one of them",
			take: func(_ context.Context, s *Session, _ Input, m keypad.Meaning) (State, bool) {
				if m.Kind != keypad.Listed || len(s.doubts) == 0 {
					return "", false
				}
				d := s.doubts[0]
				s.doubts = s.doubts[1:]
				return s.takeListed(m, d.dropoff)
			},
			leads: []State{When, WhereTo, HowMany, Confirm, WhichPlace},
		},
		{
			state: IsTime, about: "a time that can be read in two ways, or that is over today", says: []spoken.PromptID{spoken.IsTime}, asks: AsksTime,
			slots: func(s *Session, slots *spoken.Slots) {
				slots.When = s.trip.At
				if !s.arrive.IsZero() {
					slots.Arrival, _ = s.arrive.At(s.now(), time.Time{})
				}
			},
			ways: []way{
				{choice: spoken.ChooseYes, key: "1", next: []State{WhereTo, HowMany, Confirm}, take: func(_ context.Context, s *Session) State {
					s.timed = true
					return s.onward()
				}},
				{choice: spoken.ChooseNo, key: "2", take: goTo(WhichTime), next: []State{WhichTime}},
			},
			wants: keypad.WantTime, keys: 1, takes: "another time", take: takeClock, leads: []State{WhichDay, IsTime, WhereTo, HowMany, Confirm},
		},
	}
}

// streetOf returns the street of a place: itself, or that of a house.
func (s *form) streetOf(i int) Place {
	p := s.places()[i]
	if p.Street {
		return p
	}
	_, street, _ := strings.Cut(p.Address.Address, " ")
	return s.street(street, p.Location)
}

// street returns the street with an address from the known places. If there is none, the result is located at near.
func (s *form) street(address string, near *taxi.Point) Place {
	for _, p := range s.places() {
		if p.Street && p.Address.Address == address {
			return p
		}
	}
	return Place{Address: taxi.Address{Address: address, Location: near}, Street: true}
}

// doubted returns the places among which the caller must choose.
func (s *form) doubted() []Place {
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
