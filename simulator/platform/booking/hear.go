package booking

import (
	"context"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/booking/keypad"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// mostMisses is the number of consecutive answers that were not understood after which the caller is connected to a
// person.
const mostMisses = 3

// answer returns the state that an input leads to.
func (s *Session) answer(ctx context.Context, in Input) State {
	r := conversation[s.state]
	s.again, s.hush, s.more, s.asked, s.ear.strange, s.ear.doubted, s.ear.slips = false, false, false, s.more, false, false, slips{}
	if in.Sound != nil || len(s.ear.unsure) > 0 {
		before := s.trip.parts(s.timed)
		defer func() { s.ear.noteUnsure(before, s.trip.parts(s.timed)) }()
	}
	s.voiced = s.voiced || in != Input{} && in.Reached == ""
	switch {
	case r.then != "" && r.then != ThenListen:
		return s.reached(ctx, r, in)
	case in.Keys == "" && in.Choice == "" && keypad.IsKey(strings.TrimSpace(in.Words)):
		in.Keys, in.Words = strings.TrimSpace(in.Words), "" // in a chat, where text cannot be keys
	case in.Noise, in.Words != "" && in.Keys == "" && in.Choice == "":
		return s.hears(ctx, r, in)
	}
	s.ear = ear{unsure: s.ear.unsure}
	if in.Keys != "" {
		s.keyed = true
	}
	return s.press(ctx, r, in)
}

// hears handles a spoken or written answer, including noise, and returns the next state.
func (s *Session) hears(ctx context.Context, r row, in Input) State {
	asked := s.ear.surely
	s.ear.surely, s.ear.aloud = "", in.Noise || in.Sound != nil
	s.ear.loud = s.ear.aloud && in.Sound != nil && in.Sound.Loud
	if in.Noise || s.ear.loud && in.Confidence < sureInNoise && !same(in.Sound.Witness, in.Words) || in.Confidence != 0 && !(in.Confidence >= grammar.LeastConfidence) {
		return s.miss(spoken.NotUnder)
	}
	u := s.talks(in.Words)
	yes := in.Sound == nil && u.Agrees && !u.Fields() || in.Sound != nil && (agrees(in.Words) || assents(in.Sound.Witness) && !u.Fields())
	switch {
	case asked != "" && (yes || same(in.Words, asked)):
		return s.talk(ctx, r, asked)
	case asked != "" && u.Has(grammar.ActNo) && !u.Fields():
		return s.repeat(r)
	case in.Sound == nil:
		return s.talk(ctx, r, in.Words)
	}
	readings := []grammar.Utterance{u}
	for _, other := range in.Sound.Others {
		readings = append(readings, s.talks(other))
	}
	if !s.yesOrNo() {
		if i := whole(readings); i > 0 {
			u, in.Words = readings[i], in.Sound.Others[i-1]
			readings[0], readings[i] = readings[i], readings[0]
		}
		s.ear.slips = misheardNumbersOf(readings, in)
	}
	if u.Fields() {
		s.ear.doubted = in.Confidence < sureTrip || shared(readings) < sharedTrip
	}
	if s.yesOrNo() {
		words, ask := judge(in, u, s.state == Confirm || s.state == Reconfirm, s.fits(u, s.trip))
		if ask {
			return s.askWhether(words)
		} else if words == "" {
			return s.miss(spoken.NotUnder)
		}
		return s.talk(ctx, r, words)
	}
	return s.talk(ctx, r, in.Words)
}

// reached handles the result of a call to a person or driver, and returns the next state.
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
	if m.Kind == keypad.Repeat {
		return s.repeat(r)
	}
	if m.Kind == keypad.Chosen {
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
	if m.Kind == keypad.Nothing {
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
	s.ear.strange = prompt == spoken.NotUnder && s.ear.aloud
	switch {
	case s.ear.strange && s.misses <= mostMisses && !s.keyed:
		return s.missAloud()
	case s.misses >= mostMisses && !s.voiced: // no caller on the line
		s.event(Event{Kind: EventAbandoned, State: s.state})
		s.say(spoken.Goodbye, spoken.Slots{})
		s.done, s.absent = true, true
		return Over
	case s.misses >= mostMisses:
		return Person
	}
	s.say(prompt, spoken.Slots{})
	s.again = true
	return s.state
}

// askWhether asks whether the caller has said some words.
func (s *Session) askWhether(words string) State {
	s.ear.strange = true
	if s.misses++; s.misses > mostMisses {
		return Person
	}
	s.ear.surely = words
	s.say(spoken.DidYouSay, spoken.Slots{Heard: strings.TrimRight(words, ".,;!?… ")}) // some programs write sentences
	s.again, s.hush, s.eased = true, true, true
	return s.state
}

// missAloud handles speech that was not understood: a short question, then an example; keys are offered third.
func (s *Session) missAloud() State {
	s.again = true
	switch {
	case s.misses == mostMisses:
		s.say(spoken.NotUnder, spoken.Slots{})
		return s.state
	case s.ear.loud:
		s.say(spoken.TooLoud, spoken.Slots{})
	case s.misses == 1 && s.state == When: // the answer that is heard worst
		s.misses--
		return s.askWhether("now")
	case s.misses == 1 || s.yesOrNo():
		s.say(spoken.Sorry, spoken.Slots{})
	default:
		var places []string
		for _, p := range s.places()[:min(2, len(s.places()))] {
			places = append(places, p.called())
		}
		s.say(spoken.Example, spoken.Slots{Places: places})
		s.hush = true
	}
	s.eased = true
	return s.state
}

// pressed returns the meaning of keys or a button in this state.
func (s *Session) pressed(r row, in Input) keypad.Meaning {
	if in.Choice != "" {
		return keypad.Meaning{Kind: keypad.Chosen, Choice: in.Choice}
	}
	pad := keypad.Pad{Menu: map[spoken.Choice]string{}, Want: r.wants, Listed: min(s.listed, len(s.list)), Now: s.now()}
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
			keys, pad.Want, pad.Menu = number, keypad.WantNumber, nil
		}
	}
	return keypad.Press(keys, pad)
}
