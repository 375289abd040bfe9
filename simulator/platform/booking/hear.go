package booking

import (
	"context"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// mostMisses is the number of consecutive prompts without an understood answer after
// which a person is called.
const mostMisses = 3

// answer returns the state that an input leads to.
func (s *Session) answer(ctx context.Context, in Input) State {
	r := conversation[s.state]
	s.again, s.hush, s.more, s.asked = false, false, false, s.more
	s.voiced = s.voiced || in != Input{} && in.Reached == ""
	switch {
	case r.then != "" && r.then != ThenListen:
		return s.reached(ctx, r, in)
	case in.Keys == "" && in.Choice == "" && grammar.IsKey(strings.TrimSpace(in.Words)):
		in.Keys, in.Words = strings.TrimSpace(in.Words), "" // in a chat, where text cannot be keys
	case in.Noise, in.Words != "" && in.Keys == "" && in.Choice == "" && in.Confidence != 0 && !(in.Confidence >= grammar.LeastConfidence):
		return s.miss(spoken.NotUnder)
	case in.Words != "" && in.Keys == "" && in.Choice == "" && in.Confidence != 0 && in.Confidence < grammar.AgreeConfidence && s.talks(in.Words).Agrees:
		return s.miss(spoken.NotUnder)
	case in.Words != "" && in.Keys == "" && in.Choice == "":
		return s.talk(ctx, r, in.Words)
	}
	if in.Keys != "" {
		s.keyed = true
	}
	return s.press(ctx, r, in)
}

// reached continues after a call to a person or driver.
func (s *Session) reached(ctx context.Context, r row, in Input) State {
	if r.take == nil {
		return Over
	}
	if in.Words != "" && s.talks(in.Words).Has(grammar.ActPerson) {
		in.Choice = spoken.ChoosePerson
	}
	next, _ := r.take(ctx, s, in, s.pressed(r, in))
	return next
}

// press handles keys or a button.
func (s *Session) press(ctx context.Context, r row, in Input) State {
	m := s.pressed(r, in)
	if m.Kind == grammar.Repeat {
		return s.repeat(r)
	}
	if m.Kind == grammar.Chosen {
		for _, w := range s.open(r) {
			if w.choice == m.Choice {
				return w.take(ctx, s)
			}
		}
	}
	if r.take != nil {
		if next, ok := r.take(ctx, s, in, m); ok {
			return next
		}
	}
	if m.Kind == grammar.Nothing {
		return s.miss(spoken.NotHeard)
	}
	return s.miss(spoken.NotUnder)
}

// repeat repeats the prompt.
func (s *Session) repeat(r row) State {
	s.misses = 0
	s.again = r.pass != nil && !r.menu
	return s.state
}

// miss handles silence and input that was not understood: first it repeats the choices,
// then the whole prompt, then it calls a person. It hangs up on a caller who has never
// responded.
func (s *Session) miss(prompt spoken.PromptID) State {
	s.misses++
	switch {
	case s.misses >= mostMisses && !s.voiced: // no caller on the line
		s.event(Event{Kind: EventAbandoned, State: s.state})
		s.say(spoken.Goodbye, spoken.Slots{})
		s.done = true
		return Over
	case s.misses >= mostMisses:
		return Person
	}
	s.say(prompt, spoken.Slots{})
	s.again = true
	return s.state
}

// pressed returns the meaning of keys or a button in this state.
func (s *Session) pressed(r row, in Input) grammar.Meaning {
	if in.Choice != "" {
		return grammar.Meaning{Kind: grammar.Chosen, Choice: in.Choice}
	}
	pad := grammar.Pad{Menu: map[spoken.Choice]string{}, Want: r.wants, Listed: min(s.listed, len(s.list)), Now: s.now()}
	for _, w := range s.open(r) {
		if w.key != "" {
			pad.Menu[w.choice] = w.key
		}
	}
	if r.menu {
		pad.Want = 0 // no places are read out in this state
	}
	if r.lists {
		pad.Entries = len(s.bookings())
	}
	keys := in.Keys
	if r.hash {
		if number, ok := strings.CutSuffix(keys, "#"); ok {
			keys, pad.Want, pad.Menu = number, grammar.WantNumber, nil
		}
	}
	return grammar.Press(keys, pad)
}
