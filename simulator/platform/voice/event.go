package voice

import (
	"strconv"
	"time"
)

// Info contains the data of a call that do not change.
type Info struct {
	Owner     string    `json:"accountId,omitempty"` // id of the owner, which the engine only passes on
	ID        string    `json:"callId"`
	Parent    string    `json:"parentCallId,omitempty"` // the call on whose behalf this one was placed
	Direction Direction `json:"direction"`
	From      string    `json:"from"` // "anonymous" when withheld
	To        string    `json:"to"`   // the target's role, if it has one
	Tag       *Tag      `json:"tag,omitempty"`

	ToShown string `json:"-"` // for an outbound call, the [Target.Shown] of its target, which the engine sets
}

// Event is an event of a call for its owner. As JSON it is the data of an event.generic
// delivery; the type determines which members are present. The interface shows neither
// types nor members: all are this project's decision.
type Event struct {
	Type EventType `json:"-"`
	Time time.Time `json:"-"`

	Info
	Seq    int   `json:"seq"` // counts from 1 in each call, without gaps
	Status State `json:"status"`

	Verb    string `json:"verb,omitempty"`    // call.verb, verb.warning
	Outcome string `json:"outcome,omitempty"` // call.verb: its result; call.completed: [Outcome] of the call
	Detail  string `json:"detail,omitempty"`  // verb.warning, and a verb or turn that failed: the reason

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
	RingDuration Seconds `json:"ringDuration"` // until the answer or the end
	CallDuration Seconds `json:"callDuration"` // from the answer to the end
	Cause
	HangupParty  Party  `json:"hangupParty"`
	HangupReason string `json:"hangupReason,omitempty"`
}

// EventType is the type of an event.
type EventType string

// The types of events.
const (
	EventInitiated     EventType = "call.initiated"
	EventRinging       EventType = "call.ringing"
	EventEarlyMedia    EventType = "call.early-media"
	EventAnswered      EventType = "call.answered"
	EventVerb          EventType = "call.verb"      // a verb is complete
	EventGathered      EventType = "call.gathered"  // a gather is complete
	EventCompleted     EventType = "call.completed" // the last of each call, exactly once
	EventDialStarted   EventType = "dial.started"
	EventDialCompleted EventType = "dial.completed"
	EventRecorded      EventType = "recording.completed"
	EventWarning       EventType = "verb.warning"
)

// Seconds is a duration that is encoded as a number of seconds.
type Seconds time.Duration

// MarshalJSON writes the seconds with at most three decimals.
func (s Seconds) MarshalJSON() ([]byte, error) {
	ms := time.Duration(s).Round(time.Millisecond).Seconds()
	return strconv.AppendFloat(nil, ms, 'f', -1, 64), nil
}

// Line is one line of a call's transcript.
type Line struct {
	AtMs  int64    `json:"atMs"` // since the call began
	Party Party    `json:"party"`
	Leg   int      `json:"leg,omitempty"` // 0: the call's own leg; 1, 2 …: legs of dials
	Kind  LineKind `json:"kind"`
	Text  string   `json:"text"` // never a complete phone number of a called person
}

// LineKind is the kind of a transcript's line.
type LineKind string

// The kinds of lines.
const (
	LineSay    LineKind = "say"    // the platform begins to speak: the text
	LinePlay   LineKind = "play"   // the platform begins to play: the address or the tone
	LinePress  LineKind = "press"  // a party presses a key
	LineSpeech LineKind = "speech" // a party has spoken: the text, if known
	LineRing   LineKind = "ring"   // a party's phone rings: its [Target.Label]
	LineAnswer LineKind = "answer" // a party answers; for an incoming call, the platform
	LineBridge LineKind = "bridge" // two legs are connected
	LineHangup LineKind = "hangup" // a party hangs up or is refused: the reason
)

// Limits of a transcript.
const (
	maxLines  = 2000
	maxBytes  = 256 << 10
	lineBytes = 64 // of a line besides its text
)
