package booking

import (
	"context"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// mostMisses is how many prompts in a row go without an answer that is understood
// before a person is rung.
const mostMisses = 3

// answer says where an input leads.
func (s *Session) answer(ctx context.Context, in Input) State {
	r := conversation[s.state]
	s.again = false
	m := s.understand(r, in)
	if r.then != "" && r.then != ThenListen {
		if r.take == nil {
			return Over
		}
		next, _ := r.take(ctx, s, in, m)
		return next
	}
	if m.Kind == grammar.Repeat {
		s.misses = 0
		s.again = r.pass != nil && !r.menu
		return s.state
	}
	if m.Kind == grammar.Chosen {
		for _, w := range s.open(r) {
			if w.choice == m.Choice {
				return w.take(ctx, s, m)
			}
		}
	}
	if r.take != nil {
		if next, ok := r.take(ctx, s, in, m); ok {
			return next
		}
	}
	return s.miss(m)
}

// miss answers silence and what was not understood: the choices once more, then
// the whole prompt, then a person.
func (s *Session) miss(m grammar.Meaning) State {
	s.misses++
	if s.misses >= mostMisses {
		return Person
	}
	prompt := spoken.NotUnder
	if m.Kind == grammar.Nothing {
		prompt = spoken.NotHeard
	}
	s.say(prompt, spoken.Slots{})
	s.again = true
	return s.state
}

// understand says what an input means here.
func (s *Session) understand(r row, in Input) grammar.Meaning {
	if in.Choice != "" {
		return grammar.Meaning{Kind: grammar.Chosen, Choice: in.Choice}
	}
	if in.Noise {
		return grammar.Meaning{Kind: grammar.NoMatch}
	}
	if r.menu { // any place may be named along with a wish
		s.list, s.listed = s.visit.Places(), 0
	}
	confidence := in.Confidence
	if confidence == 0 {
		confidence = 1
	}
	c := grammar.Context{
		Language: s.visit.speaker.Language(), Menu: map[spoken.Choice]string{}, Want: r.wants,
		Listed: s.listed, Now: s.desk.opts.Now().In(s.visit.zone),
	}
	for _, w := range s.open(r) {
		c.Menu[w.choice] = w.key // also those that can be made in words only
	}
	if r.lists {
		for _, j := range s.bookings() {
			c.Entries = append(c.Entries, j.Date.Time)
		}
	}
	keys := in.Keys
	if r.hash {
		if number, ok := strings.CutSuffix(keys, "#"); ok {
			keys, c.Want, c.Menu = number, grammar.WantNumber, nil
		}
	}
	for _, p := range s.list {
		c.Places = append(c.Places, grammar.Place{Name: p.called(), Street: p.Street})
	}
	return grammar.Understand(grammar.Input{Digits: keys, Speech: in.Words, Confidence: confidence}, c)
}
