package voice

import (
	"strconv"
	"time"
)

// Info is what is known of a call from its beginning on; it does not change.
type Info struct {
	Owner     string    `json:"accountId,omitempty"` // whose call it is; the engine only passes it on
	ID        string    `json:"callId"`
	Parent    string    `json:"parentCallId,omitempty"` // the call that this one was placed for
	Direction Direction `json:"direction"`
	From      string    `json:"from"` // "anonymous" when withheld
	To        string    `json:"to"`   // the target's role, where it has one
	Tag       *Tag      `json:"tag,omitempty"`

	ToShown string `json:"-"` // of an outbound call: [Target.Shown] of its target, which is filled in
}

// Event tells the owner of a call what has become of it. As JSON it is the data
// of an event.generic delivery; which of the members are there goes by the type.
// The interface shows neither types nor members: all of it is this project's
// decision.
type Event struct {
	Type EventType `json:"-"`
	Time time.Time `json:"-"`

	Info
	Seq    int   `json:"seq"` // counts from 1 in each call, without gaps
	Status State `json:"status"`

	Verb    string `json:"verb,omitempty"`    // call.verb, verb.warning
	Outcome string `json:"outcome,omitempty"` // call.verb: how it came out; call.completed: [Outcome] of the call
	Detail  string `json:"detail,omitempty"`  // verb.warning, and a verb or turn that failed: what was wrong

	Reason     TurnReason `json:"reason,omitempty"` // call.gathered
	Digits     string     `json:"digits,omitempty"`
	Speech     string     `json:"speech,omitempty"`
	Confidence float64    `json:"confidence,omitempty"`

	Dial      *DialResult `json:"dial,omitempty"`      // dial.started, dial.completed
	Recording *Recording  `json:"recording,omitempty"` // recording.completed

	*Ending // call.completed
}

// Ending is how a call ended.
type Ending struct {
	RingDuration Seconds `json:"ringDuration"` // from the beginning to the answer or the end
	CallDuration Seconds `json:"callDuration"` // from the answer to the end
	Cause
	HangupParty  Party  `json:"hangupParty"`
	HangupReason string `json:"hangupReason,omitempty"`
}

// EventType is what kind of event it is.
type EventType string

// The types of events.
const (
	EventInitiated     EventType = "call.initiated"
	EventRinging       EventType = "call.ringing"
	EventEarlyMedia    EventType = "call.early-media"
	EventAnswered      EventType = "call.answered"
	EventVerb          EventType = "call.verb"      // a verb is done
	EventGathered      EventType = "call.gathered"  // a gather is done
	EventCompleted     EventType = "call.completed" // the last of each call, exactly once
	EventDialStarted   EventType = "dial.started"
	EventDialCompleted EventType = "dial.completed"
	EventRecorded      EventType = "recording.completed"
	EventWarning       EventType = "verb.warning"
)

// Seconds is a duration that goes over the wire as a number of seconds.
type Seconds time.Duration

// MarshalJSON writes the seconds with at most three decimals.
func (s Seconds) MarshalJSON() ([]byte, error) {
	ms := time.Duration(s).Round(time.Millisecond).Seconds()
	return strconv.AppendFloat(nil, ms, 'f', -1, 64), nil
}

// Line is one thing that was said or done in a call.
type Line struct {
	AtMs  int64    `json:"atMs"` // since the call began
	Party Party    `json:"party"`
	Leg   int      `json:"leg,omitempty"` // 0 the call's own; 1, 2 … those that dials have rung
	Kind  LineKind `json:"kind"`
	Text  string   `json:"text"` // never a whole phone number of somebody who was dialled
}

// LineKind is the kind of a transcript's line.
type LineKind string

// The kinds of lines.
const (
	LineSay    LineKind = "say"    // the platform begins to speak: the words
	LinePlay   LineKind = "play"   // the platform begins to play: the address or the tone
	LinePress  LineKind = "press"  // a party presses a key
	LineSpeech LineKind = "speech" // a party has said something: the words, if known
	LineRing   LineKind = "ring"   // a party's phone rings: whose, as [Target.Label] shows it
	LineAnswer LineKind = "answer" // a party answers; the platform does for an incoming call
	LineBridge LineKind = "bridge" // two legs are connected
	LineHangup LineKind = "hangup" // a party hangs up or is refused: why
)

// Where a transcript stops growing.
const (
	maxLines  = 2000
	maxBytes  = 256 << 10
	lineBytes = 64 // of a line besides its text
)
