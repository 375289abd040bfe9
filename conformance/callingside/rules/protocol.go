package rules

import (
	"encoding/json"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Want is the goal of the caller in a customer request.
type Want string

// The goals of a caller.
const (
	WantBook       Want = "book"
	WantEdit       Want = "edit"
	WantCancel     Want = "cancel"
	WantStatus     Want = "status"
	WantComingNow  Want = "comingNow"
	WantCallDriver Want = "callDriver"
	WantOffer      Want = "offer" // only the first menu
)

// The channels over which a customer request can be made.
const (
	ChannelVoice     = "voice"
	ChannelMessaging = "messaging"
)

// The ways in which a customer request can end.
const (
	OutcomeCompleted = "completed"
	OutcomePerson    = "person"   // the caller was put through to a person
	OutcomeRejected  = "rejected" // the call was not answered
	OutcomeFailed    = "failed"
)

// Ask is one customer request that a platform under test is asked to carry out.
type Ask struct {
	Scene           string         `json:"scene"`
	From            string         `json:"from"` // the caller's number; digits, unless the scene is about its form
	Withheld        bool           `json:"withheld"`
	Channel         string         `json:"channel"`
	Want            Want           `json:"want"`
	JourneyID       string         `json:"journeyId,omitempty"`
	Name            string         `json:"name,omitempty"` // the caller's answer when asked for a name; overrides the user's own
	Pickup          *taxi.Address  `json:"pickup,omitempty"`
	Dropoffs        []taxi.Address `json:"dropoffs,omitempty"`
	PickupTime      taxi.Time      `json:"pickupTime,omitzero"` // absent: now
	VehicleCategory string         `json:"vehicleCategory,omitempty"`
	Times           int            `json:"times,omitempty"`         // how often the caller presses; 0: once
	FollowSeconds   int            `json:"followSeconds,omitempty"` // how long the caller follows the journey
	Settings        *Settings      `json:"settings,omitempty"`      // the static configuration; nil: everything on
}

// Settings is the static configuration of the plugin for one customer request.
type Settings struct {
	Features    []string `json:"features"`
	Options     []string `json:"options"`
	SkipDropOff bool     `json:"skipDropOff"`
}

// Answer is a platform's report on a customer request. A nil slice means that the platform
// cannot report the member; an empty one means that there was nothing.
type Answer struct {
	Outcome string   `json:"outcome,omitempty"`
	Offered []string `json:"offered,omitzero"` // in the first menu
	Asked   []string `json:"asked,omitzero"`   // each question, answered or not
	Said    []string `json:"said,omitzero"`    // plain text, as a person would hear it
	Shown   []Shown  `json:"shown,omitzero"`
	Legs    []Leg    `json:"legs,omitzero"`
}

// Shown is something that a messaging channel displayed.
type Shown struct {
	Kind      string   `json:"kind"` // "location" or "text"
	Longitude *float64 `json:"longitude,omitempty"`
	Latitude  *float64 `json:"latitude,omitempty"`
	Text      string   `json:"text,omitempty"`
}

// A Leg is a telephone call that the platform placed to somebody.
type Leg struct {
	To       string `json:"to"` // "driver", "person" or "user"
	CallerID string `json:"callerId,omitempty"`
}

// Task is a customer request as sent by the run, with facts that only the run knows. It is
// recorded as an observation, so that rules need nothing else.
type Task struct {
	Ask
	Caller string   `json:"caller"`          // the expected number in /user, digits
	Checks []string `json:"checks"`          // ids of the checks of the scene
	Alone  bool     `json:"alone,omitempty"` // no other request was running, so its /config is known

	// About is the operation whose answer is unusual; "": none, or recorded by an older version.
	About conformance.Operation `json:"about,omitempty"`
}

// The kinds of observations. The text of the first two is JSON.
const (
	KindTask        conformance.ObservationKind = "asked for"     // a [Task]
	KindAnswer      conformance.ObservationKind = "answered"      // an [Answer]
	KindFailed      conformance.ObservationKind = "failed"        // why the platform failed at the request
	KindUnsupported conformance.ObservationKind = "not supported" // the platform does not support such a request
)

// Told is a decoded observation: at most one field is set.
type Told struct {
	Task        *Task   // the request as sent
	Answer      *Answer // the report of the platform or a person
	Failed      string  // why the platform failed at it; "": it did not
	Unsupported bool
}

// DecodeObservation decodes an observation. The result is zero if it cannot be decoded.
func DecodeObservation(o conformance.Observation) (t Told) {
	if o.Kind == "" {
		o = ofOlderRun(o)
	}
	switch o.Kind {
	case KindTask:
		t.Task = decoded[Task](o.Text)
	case KindAnswer:
		t.Answer = decoded[Answer](o.Text)
	case KindFailed:
		t.Failed = o.Text
	case KindUnsupported:
		t.Unsupported = true
	}
	return t
}

// ofOlderRun returns an observation from a run file without kinds, with its kind set from the start
// of its text.
func ofOlderRun(o conformance.Observation) conformance.Observation {
	for _, kind := range []conformance.ObservationKind{KindTask, KindAnswer, KindFailed} {
		if text, is := strings.CutPrefix(o.Text, string(kind)+" "); is {
			o.Kind, o.Text = kind, text
			return o
		}
	}
	if o.Text == string(KindUnsupported) {
		o.Kind, o.Text = KindUnsupported, ""
	}
	return o
}

// decoded returns the T in a JSON text, or nil if the text is no T.
func decoded[T any](text string) *T {
	var v T
	if json.Unmarshal([]byte(text), &v) != nil {
		return nil
	}
	return &v
}
