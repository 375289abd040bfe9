package booking

import (
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/operations"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Step is one move of a conversation: what is said, and what follows.
type Step struct {
	State   State
	Said    []string        // sentences, in order
	Offered []spoken.Choice // current choices
	Asked   []Question      // current questions
	Asks    []Question      // with ThenListen: all questions that may be answered
	Frame   Frame           // with ThenListen: what is understood so far
	Then    Then
	Listen  Listen                   // with ThenListen and ThenWait
	Journey *operations.Journey      // the current journey, or nil
	Keys    map[spoken.Choice]string // of the offered choices, on the phone
	Places  []Place                  // places that were read out, with the keys 1, 2, 3 …
	Telling *Telling                 // with ThenWait

	Bookings []operations.Journey // bookings that were read out, with the keys 1, 2, 3 …
	Missed   bool                 // the input was not understood, and the question is repeated
	Absent   bool                 // with ThenEnd: the customer never did anything
	Strange  bool                 // likewise of words of a sound, or they are asked for once more
}

// Then says what happens after the sentences of a step.
type Then string

// What can follow.
const (
	ThenListen Then = "listen" // wait for an answer
	ThenReject Then = "reject" // refuse the call without answering it; nothing was said
	ThenPerson Then = "person" // call a person; the next input is the result
	ThenDriver Then = "driver" // call the driver; the next input is the result
	ThenWait   Then = "wait"   // wait briefly for the driver to be told
	ThenEnd    Then = "end"    // end
	ThenFail   Then = "fail"   // end because nothing could be done
)

// Listen describes possible answers.
type Listen struct {
	Keys   int      // maximum number
	Hash   bool     // keys may end with a hash, which counts as a key
	Words  bool     // speech is possible
	Hints  []string // likely words
	Within int      // seconds of silence
	Firm   bool     // speech does not interrupt the sentences: what interrupted the last ones was not understood

	Expected voice.Expected // what may be said
}

// Input is an action of a customer. The zero value is silence.
type Input struct {
	Keys       string
	Words      string
	Confidence float64       // of Words, 0 to 1; 0: written text
	Choice     spoken.Choice // a button
	Sound      *Sound        // nil: written text, or the words of a line without sound
	Noise      bool          // unintelligible speech
	Reached    Reached       // the result after ThenPerson and ThenDriver
}

// Reached is the result of a call to a person or a driver.
type Reached string

// The results.
const (
	ReachedNobody Reached = "nobody" // busy, no answer, no line
	ReachedThem   Reached = "them"   // they have talked
)

// Prompt contains the possible answers to a step, for a telephone with a display.
type Prompt struct {
	State   State
	Journey taxi.JourneyID // the current journey; "": none
	Answers []Answer
	Asks    []Question // the questions
	Frame   Frame      // what is understood so far
	Strange bool       // of [Step]
}

// Answer is a possible key.
type Answer struct {
	Key   string `json:"key"`   // one or more keys
	Label string `json:"label"` // its meaning, in the caller's language
}

// Prompt returns the prompt of a step without answers: a chat has buttons.
func (s Step) Prompt() Prompt {
	p := Prompt{State: s.State, Strange: s.Strange}
	if s.Journey != nil {
		p.Journey = s.Journey.JourneyID
	}
	return p
}

// Frame contains the known parts of a trip, for programs that follow a conversation. Unknown members are left out.
type Frame struct {
	Journey    taxi.JourneyID `json:"journeyId,omitempty"` // the booking that is being changed
	Pickup     *FramePlace    `json:"pickup,omitempty"`
	Dropoffs   []FramePlace   `json:"dropoffs,omitempty"`   // the last one is the end of the trip
	PickupTime string         `json:"pickupTime,omitempty"` // RFC 3339, in the firm's time zone
	Now        bool           `json:"now,omitempty"`        // as soon as possible
	Name       string         `json:"name,omitempty"`
	People     int            `json:"people,omitempty"`
	Category   string         `json:"category,omitempty"`
	Unsure     []Question     `json:"unsure,omitempty"` // of pickup, dropoff, time and people: what may have been heard wrongly
}

// FramePlace is a place in a frame.
type FramePlace struct {
	Name      string      `json:"name"`      // the usual name
	Formatted string      `json:"formatted"` // the whole address
	Location  *taxi.Point `json:"location,omitempty"`
}
