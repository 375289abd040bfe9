package rules

import (
	"encoding/json"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Want is what the caller of a customer request is after.
type Want string

// The wants.
const (
	WantBook       Want = "book"
	WantEdit       Want = "edit"
	WantCancel     Want = "cancel"
	WantStatus     Want = "status"
	WantComingNow  Want = "comingNow"
	WantCallDriver Want = "callDriver"
	WantOffer      Want = "offer" // only as far as the first menu
)

// The channels of a customer request.
const (
	ChannelVoice     = "voice"
	ChannelMessaging = "messaging"
)

// The outcomes of a customer request.
const (
	OutcomeCompleted = "completed"
	OutcomePerson    = "person"   // the caller was put through to a person
	OutcomeRejected  = "rejected" // the call was not taken
	OutcomeFailed    = "failed"
)

// Ask is what a platform under test is asked to act out: one customer request.
type Ask struct {
	Scene           string         `json:"scene"`
	From            string         `json:"from"` // the caller's number, digits unless the scene is about its form
	Withheld        bool           `json:"withheld"`
	Channel         string         `json:"channel"`
	Want            Want           `json:"want"`
	JourneyID       string         `json:"journeyId,omitempty"`
	Name            string         `json:"name,omitempty"` // said when the caller is asked, and wins over the user's own
	Pickup          *taxi.Address  `json:"pickup,omitempty"`
	Dropoffs        []taxi.Address `json:"dropoffs,omitempty"`
	PickupTime      taxi.Time      `json:"pickupTime,omitzero"` // absent: now
	VehicleCategory string         `json:"vehicleCategory,omitempty"`
	Times           int            `json:"times,omitempty"`         // how often the caller presses; 0: once
	FollowSeconds   int            `json:"followSeconds,omitempty"` // how long the caller goes on following the journey
	Settings        *Settings      `json:"settings,omitempty"`      // the static configuration; nil: everything on
}

// Settings is the static configuration of the plugin for one customer request.
type Settings struct {
	Features    []string `json:"features"`
	Options     []string `json:"options"`
	SkipDropOff bool     `json:"skipDropOff"`
}

// Answer is what a platform tells of a customer request. A nil slice is a member that
// it cannot tell; an empty one says that there was nothing.
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

// Leg is a call that the platform placed to somebody.
type Leg struct {
	To       string `json:"to"` // "driver", "person" or "user"
	CallerID string `json:"callerId,omitempty"`
}

// Task is a customer request as the run asked for it, with what only the run knows. It
// is taken down as an observation, so that rules need nothing else.
type Task struct {
	Ask
	Caller string   `json:"caller"`          // the number that /user is to be asked for, digits
	Checks []string `json:"checks"`          // that the scene is for
	Alone  bool     `json:"alone,omitempty"` // no other request was under way, so that its /config is known

	// About is the operation whose answer is special; "": none is, or an older program asked.
	About conformance.Operation `json:"about,omitempty"`
}

// The kinds of observations. The text of the first two is JSON.
const (
	KindTask        conformance.ObservationKind = "asked for"     // a [Task]
	KindAnswer      conformance.ObservationKind = "answered"      // an [Answer]
	KindFailed      conformance.ObservationKind = "failed"        // why the platform failed at the request
	KindUnsupported conformance.ObservationKind = "not supported" // the platform does not act out such a request
)

// Told is what an observation tells of a customer request: one of these, or nothing.
type Told struct {
	Task        *Task   // what it was asked for
	Answer      *Answer // what the platform or a person says came of it
	Failed      string  // why the platform failed at it; "": it did not
	Unsupported bool
}

// ToldBy reads an observation. What cannot be read tells nothing.
func ToldBy(o conformance.Observation) (t Told) {
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

// ofOlderRun finds the kind of an observation in a run file without kinds: its text
// began with the kind.
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

// decoded returns what a text holds; nil: no such thing.
func decoded[T any](text string) *T {
	var v T
	if json.Unmarshal([]byte(text), &v) != nil {
		return nil
	}
	return &v
}
