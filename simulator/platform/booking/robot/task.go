// Package robot plays customers with a task: it decides the next move of a conversation
// from what a step offers, never from the words of a prompt. The same robot is used on
// the phone and in a chat; its user presses the keys or buttons.
package robot

import (
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking"
)

// Want is what a customer wants.
type Want string

// What customers want.
const (
	WantBook       Want = "book"
	WantEdit       Want = "edit"
	WantCancel     Want = "cancel"
	WantStatus     Want = "status"
	WantComingNow  Want = "comingNow"
	WantCallDriver Want = "callDriver"
	WantOffer      Want = "offer" // only read what the first menu offers
)

// Wants lists what customers may want.
func Wants() []string {
	var names []string
	for _, w := range []Want{WantBook, WantEdit, WantCancel, WantStatus, WantComingNow, WantCallDriver, WantOffer} {
		names = append(names, string(w))
	}
	return names
}

// Outcome is how a request ended.
type Outcome string

// The outcomes.
const (
	Completed Outcome = "completed"
	Person    Outcome = "person"   // connected to a person
	Rejected  Outcome = "rejected" // the call was refused
	Failed    Outcome = "failed"
)

// Result is the result of a customer's task.
type Result struct {
	Outcome Outcome            `json:"outcome"`
	Offered []Want             `json:"offered"` // in the first menu
	Asked   []booking.Question `json:"asked"`
	Said    []string           `json:"said"`
	Shown   []Shown            `json:"shown"` // by a chat
	Legs    []Leg              `json:"legs"`
}

// Shown is a message that a chat showed.
type Shown struct {
	Kind      string   `json:"kind"` // "location" or "text"
	Longitude *float64 `json:"longitude,omitempty"`
	Latitude  *float64 `json:"latitude,omitempty"`
	Text      string   `json:"text,omitempty"`
}

// Leg is a call that was placed to a person.
type Leg struct {
	To       string `json:"to"` // "driver", "person" or "user"
	CallerID string `json:"callerId"`
}

// Task is what a customer wants.
type Task struct {
	Want     Want
	From     string                   // E.164 digits; "": withheld
	Journey  taxi.JourneyID           // the booking that it is about; "": the customer's own
	Category string                   // of the vehicle; "": any
	Name     string                   // "": not told
	Pickup   *taxi.Address            // nil: the first one offered
	Dropoffs []taxi.Address           // empty: the driver will be told
	At       time.Time                // zero: now
	Times    int                      // number of "Coming Now"; 0 is 1
	Follow   func(now time.Time) bool // whether they stay for more news; may be nil
}

// Wish returns the part of the task that the platform knows beforehand: the addresses to choose from, and all drop-offs
// but the last as stops.
func (t Task) Wish() booking.Wish {
	w := booking.Wish{Journey: t.Journey, Name: t.Name, Category: t.Category}
	if t.Pickup != nil {
		w.Places = append(w.Places, booking.Place{Address: *t.Pickup})
	}
	if last := len(t.Dropoffs) - 1; last >= 0 {
		w.Places = append(w.Places, booking.Place{Address: t.Dropoffs[last]})
		w.Stops = t.Dropoffs[:last]
	}
	return w
}
