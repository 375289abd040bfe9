package booking

import (
	"context"

	"github.com/cabrank/cabrank/simulator/platform/booking/keypad"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// endings are the states that end a conversation.
func endings() []row {
	return []row{
		{
			state: Down, about: "the third party cannot be asked, or booking by this channel is switched off",
			then: ThenPerson, takes: "whether a person has answered", take: personOrGiveUp, leads: []State{Over},
		},
		{state: Barred, about: "a BLACKLISTED caller: the call is refused unanswered, and no reason is told", then: ThenReject},
		{
			state: Disabled, about: "a DISABLED caller", says: []spoken.PromptID{spoken.Disabled}, slots: caller,
			then: ThenPerson, takes: "whether a person has answered", take: personOrGiveUp, leads: []State{Over},
		},
		{
			state: Person, about: "a person is rung: at 0 or \"person\" from anywhere, after two prompts without an answer, and when the third party fails",
			says: []spoken.PromptID{spoken.Hold}, then: ThenPerson, takes: "whether a person has answered",
			pass: func(_ context.Context, s *Session) State {
				s.event(Event{Kind: EventPerson, State: s.menu})
				return Person
			},
			take: personOrMenu, leads: []State{Over, Known, OneBooked, SomeBooked, Welcome, ArrivedMenu},
		},
		{state: Over, about: "the end; a caller who hangs up before key 1 in B3 has booked nothing", then: ThenEnd},
	}
}

// personOrGiveUp ends the conversation after a call to a person, with an apology if nobody answered.
func personOrGiveUp(_ context.Context, s *Session, in Input, _ keypad.Meaning) (State, bool) {
	s.done = true
	if in.Reached != ReachedThem {
		s.failed = true
		s.say(spoken.TryAgain, spoken.Slots{})
	}
	return Over, true
}

// personOrMenu handles the result of a call to a person: if nobody answered, it returns to the menu once, and ends the
// conversation the next time.
func personOrMenu(_ context.Context, s *Session, in Input, _ keypad.Meaning) (State, bool) {
	if in.Reached == ReachedThem {
		s.done = true
		return Over, true
	}
	s.say(spoken.Nobody, spoken.Slots{})
	if s.menu == "" || s.back {
		s.failed = true
		s.say(spoken.TryAgain, spoken.Slots{})
		return Over, true
	}
	s.back = true
	return s.menu, true
}

// caller sets the slots with the names of the caller and the firm.
func caller(s *Session, slots *spoken.Slots) {
	slots.Name, slots.Firm = s.visit.User.Name, s.visit.settings.Firm
}

// unknownCaller are the states for a caller whom the third party does not know.
func unknownCaller() []row {
	return []row{
		{
			state: Welcome, about: "a caller whom the third party does not know", says: []spoken.PromptID{spoken.Welcome},
			slots: caller, menu: true,
			ways: []way{{choice: spoken.ChooseBook, key: "1", take: func(_ context.Context, s *Session) State { return s.onward() }, next: []State{AskName, AskPickup, When, WhereTo, HowMany, Confirm}}},
		},
		{
			state: AskName, about: "their name", says: []spoken.PromptID{spoken.AskName}, asks: AsksName,
			takes: "a name; silence goes on without one",
			ways:  []way{{choice: spoken.ChooseSkip, key: "1", take: unnamed, next: []State{AskPickup, When, WhereTo, HowMany, Confirm}}},
			take: func(ctx context.Context, s *Session, _ Input, m keypad.Meaning) (State, bool) {
				return unnamed(ctx, s), m.Kind == keypad.Nothing
			},
			leads: []State{AskPickup, When, WhereTo, HowMany, Confirm},
		},
	}
}

// unnamed continues the booking without the passenger's name.
func unnamed(_ context.Context, s *Session) State {
	s.named = true
	return s.onward()
}
