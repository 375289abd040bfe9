package booking

import (
	"context"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// row is one state of the conversation: what is said there, what may be answered,
// and where answers lead.
type row struct {
	state State
	about string            // what the state is for, for the documents
	says  []spoken.PromptID // on entry, after what was said on the way
	then  Then              // "": ThenListen
	menu  bool              // a caller may come back to it
	asks  Question

	slots func(s *Session, slots *spoken.Slots) // what the prompts speak of; nil: nothing

	// pass decides on entry to go on elsewhere; nil: the state is where it is.
	pass   func(ctx context.Context, s *Session) State
	passes []State // where that may be

	ways []way // the choices

	// take understands keys that are no choice: a place of the list, four digits, a house
	// number. With another Then than ThenListen it takes how that went. Words are
	// understood by [Session.talk], in every state alike.
	wants grammar.Want
	keys  int  // that an answer may have; 0: one
	hash  bool // a hash ends a house number
	lists bool // the bookings to choose from
	takes string
	take  func(ctx context.Context, s *Session, in Input, m grammar.Meaning) (State, bool)
	leads []State // where that may be
}

// way is a choice in a state: the key that makes it on the phone, and where it
// leads. In words it can be made in any case.
type way struct {
	choice spoken.Choice
	key    string
	open   func(*Session) bool // nil: always
	when   string              // open, in words
	take   func(ctx context.Context, s *Session) State
	next   []State
}

// toPerson is the way that is open wherever a caller is listened to.
var toPerson = way{
	choice: spoken.ChoosePerson, key: "0",
	take: func(context.Context, *Session) State { return Person }, next: []State{Person},
}

// conversation is the state table, by state. It is filled once, in init, since its
// functions look at it themselves.
var conversation map[State]row

// order is the table's rows in the order in which they are documented.
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
