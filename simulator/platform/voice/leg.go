package voice

import "time"

// Leg is one side of a call: a line with a person or a machine at its far end.
// An engine calls its methods one at a time and in an order that makes sense; none
// of them blocks. What happens on the line comes back through the function given
// to Start, at any time and from anywhere, also while a method runs.
//
// Drivers: simline, a simulated line, and a SIP line that is its own package.
type Leg interface {
	// Start is called first, once. From then on the leg reports what happens; one
	// that was made by a [Route] sets off to ring its far end.
	Start(report func(LegEvent))

	// Ring lets an incoming leg hear that it rings, Answer answers it.
	Ring()
	Answer()

	// Play lets the far end hear a prompt and reports [LegPromptEnded] when it has
	// been heard. A prompt that is still being played makes way and is not
	// reported, nor is one that Stop stops.
	Play(p Prompt)
	Stop()

	// Bridge connects the leg with another one: from now on it passes on what its
	// far end says and presses to the Hear method of the other. nil parts them.
	Bridge(peer Leg)
	Hear(s Sound)

	// Tap passes on what the far end says, from now on: 8 kHz mono samples with
	// the time of the first one. Gaps are silence. nil ends it.
	Tap(sink func(at time.Time, pcm []int16))

	// Hangup ends the leg, whatever state it is in. It reports nothing after it.
	Hangup(cause Cause, reason string)
}

// LegEvent is something that happened on a leg.
type LegEvent struct {
	Kind   LegEventKind
	Prompt int       // LegPromptEnded: which one
	Key    byte      // LegKey: 0-9 * #
	Speech Utterance // LegSpeechEnded
	Cause  Cause     // LegEnded
	Reason string    // LegEnded: in words, if the far end gave any
}

// LegEventKind is what kind of thing happened on a leg.
type LegEventKind int

// What happens on a leg.
const (
	LegRinging       LegEventKind = iota + 1 // outgoing: the far end rings
	LegEarlyMedia                            // outgoing: the far end is heard before it answers
	LegAnswered                              // outgoing: the far end has answered
	LegPromptEnded                           // a prompt was heard to its end
	LegKey                                   // the far end has pressed a key
	LegSpeechStarted                         // the far end begins to speak
	LegSpeechEnded                           // the far end has paused
	LegEnded                                 // the far end has hung up, refused or cannot be reached
)

// Prompt is something that a leg plays to its far end.
type Prompt struct {
	ID    int // counts up in each call
	Kind  PromptKind
	Text  string // the words, the address of a recording, or the name of a tone
	Audio Audio
	Loop  bool // again and again until it is stopped: tones only
}

// PromptKind is where a prompt comes from.
type PromptKind string

// The kinds of prompts.
const (
	PromptSay  PromptKind = "say"
	PromptPlay PromptKind = "play"
	PromptTone PromptKind = "tone"
)

// The tones that an engine plays, by [Prompt.Text].
const (
	ToneRingback = "ringback" // the caller, already answered, waits for a dial
	ToneComfort  = "comfort"  // a turn takes long
	ToneBeep     = "beep"     // a recording begins
)

// Sound is what one side of a bridge lets the other one hear: samples, and what
// is known of their meaning.
type Sound struct {
	Audio Audio
	Text  string // the words, where the line knows them
	Key   byte   // a key that was pressed, or 0
}

// Route is one way to reach a target: it makes a leg that has not been started.
type Route func(Offer) Leg

// Offer is what a leg is to be placed with.
type Offer struct {
	CallID string // the call that the leg belongs to
	LegID  string // its own: dialCallId in events
	From   string // the number shown to the far end, or "anonymous"
	Target Target
}
