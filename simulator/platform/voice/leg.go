package voice

import "time"

// Leg is one side of a call: a line with a person or a machine at its far end. An engine
// calls its methods one at a time and in a valid order; none of them blocks. The leg
// reports events through the function given to Start, at any time and from any goroutine,
// even during a method call.
//
// Implementations: simline, a simulated line, and a SIP line in a separate package.
type Leg interface {
	// Start is called first, and once. From then on the leg reports events; a leg of a
	// [Route] begins to call its far end.
	Start(report func(LegEvent))

	// Ring rings an incoming leg, Answer answers it.
	Ring()
	Answer()

	// Play plays a prompt to the far end and reports [LegPromptEnded] when it is
	// complete. It replaces a prompt that is still playing; prompts that are replaced or
	// stopped by Stop are not reported.
	Play(p Prompt)
	Stop()

	// Bridge connects the leg to another one: from now on it passes speech and keys of
	// its far end to the Hear method of the other. nil disconnects them.
	Bridge(peer Leg)
	Hear(s Sound)

	// Tap passes on the sound of the far end from now on: 8 kHz mono samples with the
	// time of the first one. Gaps are silence. nil ends it.
	Tap(sink func(at time.Time, pcm []int16))

	// Hangup ends the leg in any state. The leg reports nothing after it.
	Hangup(cause Cause, reason string)
}

// LegEvent is an event of a leg.
type LegEvent struct {
	Kind    LegEventKind
	Prompt  int           // LegPromptEnded: the id of the prompt
	Key     byte          // LegKey: 0-9 * #
	Speech  Utterance     // LegSpeechPaused, LegSpeechEnded
	Silence time.Duration // LegSpeechEnded: how long the far end had been silent
	Cause   Cause         // LegEnded
	Reason  string        // LegEnded: a text of the far end, if there is one
}

// LegEventKind is the kind of a leg's event.
type LegEventKind int

// The kinds of events.
const (
	LegRinging       LegEventKind = iota + 1 // outgoing: the far end rings
	LegEarlyMedia                            // outgoing: the far end sends sound before it answers
	LegAnswered                              // outgoing: the far end has answered
	LegPromptEnded                           // a prompt was played completely
	LegKey                                   // the far end has pressed a key
	LegSpeechStarted                         // the far end begins to speak
	// LegSpeechPaused means that the far end is silent, perhaps only between two words. Speech
	// is what it has said until now. A line that knows no pauses does not report it.
	LegSpeechPaused
	LegSpeechEnded // the far end was silent for long enough; Speech is as in the last pause, unless it spoke again
	LegEnded       // the far end has hung up, refused or cannot be reached
)

// Prompt is a sound that a leg plays to its far end.
type Prompt struct {
	ID    int // increases within each call
	Kind  PromptKind
	Text  string // the words, the URL of a recording, or the name of a tone
	Voice string // PromptSay: whose voice it is
	Audio Audio
	Loop  bool // repeat until it is stopped; only for tones
}

// PromptKind is the source of a prompt.
type PromptKind string

// The kinds of prompts.
const (
	PromptSay  PromptKind = "say"
	PromptPlay PromptKind = "play"
	PromptTone PromptKind = "tone"
)

// The tones of an engine, in [Prompt.Text].
const (
	ToneRingback = "ringback" // for a caller whose call was answered, during a dial
	ToneComfort  = "comfort"  // during a long turn
	ToneBeep     = "beep"     // at the beginning of a recording
)

// Sound is what one side of a bridge sends to the other: samples, words and keys.
type Sound struct {
	Audio Audio
	Text  string // the words, if the line knows them
	Key   byte   // a pressed key, or 0
}

// Route is a route to a target: it returns a leg that has not been started.
type Route func(Offer) Leg

// Offer contains the parameters of a new leg.
type Offer struct {
	CallID string // id of the call that the leg belongs to
	LegID  string // id of the leg: dialCallId in events
	From   string // the number shown to the far end, or "anonymous"
	Target Target
}
