package booking

import (
	"context"

	"github.com/cabrank/cabrank/simulator/platform/booking/keypad"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// row is one state of the conversation: its prompts, the possible answers, and the
// following states.
type row struct {
	state State
	about string            // purpose of the state, for the documentation
	says  []spoken.PromptID // spoken on entry, after Session.carry
	then  Then              // "": ThenListen
	menu  bool              // a caller may return to it
	asks  Question

	slots func(s *Session, slots *spoken.Slots) // sets the values of the prompts; may be nil

	// pass decides on entry to continue with another state; may be nil.
	pass   func(ctx context.Context, s *Session) State
	passes []State // the states that pass may return

	ways []way // the choices

	// take handles keys that are not a choice: a place of the list, four digits, a house
	// number. With another Then than ThenListen it handles the result. Words are handled
	// by [Session.talk], in the same way in every state.
	wants keypad.Want
	keys  int  // maximum number of keys of an answer; 0: one
	hash  bool // a hash ends a house number
	lists bool // the bookings to choose from are read out
	takes string
	take  func(ctx context.Context, s *Session, in Input, m keypad.Meaning) (State, bool)
	leads []State // the states that take may return
}

// way is a choice in a state: its key on the phone, and the states that may follow. It can also be made in words.
type way struct {
	choice spoken.Choice
	key    string
	open   func(*Session) bool // nil: always
	when   string              // the condition open, in words
	take   func(ctx context.Context, s *Session) State
	next   []State
}

// toPerson is the choice to speak to a person, which every state that listens offers.
var toPerson = way{
	choice: spoken.ChoosePerson, key: "0",
	take: func(context.Context, *Session) State { return Person }, next: []State{Person},
}

// conversation is the state table, by state. It is filled in init, since its functions
// refer to it.
var conversation map[State]row

// order lists the states in the order of the documentation.
var order []State

func init() {
	conversation = map[State]row{}
	for _, rows := range [][]row{endings(), unknownCaller(), knownCaller(), tripQuestions(), bookingRows(), journeyRows(), driverRows(), doubts()} {
		for _, r := range rows {
			conversation[r.state] = r
			order = append(order, r.state)
		}
	}
}
