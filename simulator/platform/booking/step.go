package booking

import (
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/operations"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// Step is one move of a conversation: what is said, and what happens then.
type Step struct {
	State   State
	Said    []string        // sentences, in order
	Offered []spoken.Choice // that the customer may choose now
	Asked   []Question      // what the customer is asked for now
	Asks    []Question      // with ThenListen: all that the platform waits for
	Frame   Frame           // with ThenListen: what is understood so far
	Then    Then
	Listen  Listen                   // with ThenListen and ThenWait
	Journey *operations.Journey      // the one that is spoken of, as it is now, or nil
	Keys    map[spoken.Choice]string // of what is offered, on the phone
	Places  []Place                  // that were read out, with the keys 1, 2, 3 …
	Telling *Telling                 // with ThenWait

	Bookings []operations.Journey // that were read out, with the keys 1, 2, 3 …
	Missed   bool                 // what the customer did was not understood, and is asked for again
}

// Then is what happens once a step's sentences have been said.
type Then string

// What happens then.
const (
	ThenListen Then = "listen" // for an answer
	ThenReject Then = "reject" // the call is refused unanswered; nothing was said
	ThenPerson Then = "person" // a person is rung; the answer is whether one came
	ThenDriver Then = "driver" // the driver is rung; the answer is how it went
	ThenWait   Then = "wait"   // a moment, for the driver to be told
	ThenEnd    Then = "end"    // it is over
	ThenFail   Then = "fail"   // it is over because nothing could be done
)

// Listen is what an answer may be.
type Listen struct {
	Keys   int      // at most so many
	Hash   bool     // keys may end with a hash, which is one of them
	Words  bool     // spoken answers are understood
	Hints  []string // what is likely to be said
	Within int      // seconds of silence
}

// Input is what a customer did. The zero value is silence.
type Input struct {
	Keys       string
	Words      string
	Confidence float64       // of Words, 0 to 1; 0: they were written
	Choice     spoken.Choice // a button
	Noise      bool          // something was said that nobody could make out
	Reached    Reached       // after ThenPerson and ThenDriver
}

// Reached is how a call to a person or a driver went.
type Reached string

// How it went.
const (
	ReachedNobody Reached = "nobody" // busy, no answer, no line
	ReachedThem   Reached = "them"   // they have talked
)

// Prompt is what a caller may answer to a step, for a telephone that shows it.
type Prompt struct {
	State   State
	Journey taxi.JourneyID // the one that is spoken of; "": none
	Answers []Answer
	Asks    []Question // what the platform waits for
	Frame   Frame      // what is understood so far
}

// Answer is something that a caller may press.
type Answer struct {
	Key   string `json:"key"`   // or keys
	Label string `json:"label"` // what it means, in the caller's language
}

// Prompt returns what a step is about, without answers: a chat has buttons.
func (s Step) Prompt() Prompt {
	p := Prompt{State: s.State}
	if s.Journey != nil {
		p.Journey = s.Journey.JourneyID
	}
	return p
}

// Frame is what is understood of a trip so far, for programs that follow a conversation.
// What is not known is left out.
type Frame struct {
	Journey    taxi.JourneyID `json:"journeyId,omitempty"` // the booking that is changed
	Pickup     *FramePlace    `json:"pickup,omitempty"`
	Dropoffs   []FramePlace   `json:"dropoffs,omitempty"`   // the last one is where the trip ends
	PickupTime string         `json:"pickupTime,omitempty"` // RFC 3339, in the firm's zone
	Now        bool           `json:"now,omitempty"`        // as soon as possible
	Name       string         `json:"name,omitempty"`
	People     int            `json:"people,omitempty"`
	Category   string         `json:"category,omitempty"`
}

// FramePlace is a place in a frame.
type FramePlace struct {
	Name      string      `json:"name"`      // what people call it
	Formatted string      `json:"formatted"` // the whole address
	Location  *taxi.Point `json:"location,omitempty"`
}
