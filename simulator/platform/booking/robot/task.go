// Package robot plays customers who know what they want: it makes the next move
// of a conversation from what its step offers, never from the words of a prompt.
// On the phone and in a chat the same robot decides; who carries its moves out
// presses keys or buttons.
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
	WantOffer      Want = "offer" // only what the first menu offers
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

// How requests end.
const (
	Completed Outcome = "completed"
	Person    Outcome = "person"   // handed over to one
	Rejected  Outcome = "rejected" // the call was not taken
	Failed    Outcome = "failed"
)

// Result is what came of a customer's wish.
type Result struct {
	Outcome Outcome            `json:"outcome"`
	Offered []Want             `json:"offered"` // in the first menu
	Asked   []booking.Question `json:"asked"`
	Said    []string           `json:"said"`
	Shown   []Shown            `json:"shown"` // by a chat
	Legs    []Leg              `json:"legs"`
}

// Shown is something that a chat showed.
type Shown struct {
	Kind      string   `json:"kind"` // "location" or "text"
	Longitude *float64 `json:"longitude,omitempty"`
	Latitude  *float64 `json:"latitude,omitempty"`
	Text      string   `json:"text,omitempty"`
}

// Leg is a call that was placed to somebody.
type Leg struct {
	To       string `json:"to"` // "driver", "person" or "user"
	CallerID string `json:"callerId"`
}

// Task is one customer's wish in full.
type Task struct {
	Want     Want
	From     string                   // E.164 digits; "": withheld
	Journey  taxi.JourneyID           // that the wish is about; "": the customer's own
	Category string                   // of the vehicle; "": any
	Name     string                   // "": they would rather not say
	Pickup   *taxi.Address            // nil: what is offered first
	Dropoffs []taxi.Address           // none: they will tell the driver
	At       time.Time                // zero: now
	Times    int                      // that "Coming Now" is pressed; 0 is 1
	Follow   func(now time.Time) bool // whether they stay for more news; nil: they do not
}

// Wish returns what the platform is told of a task beforehand: the addresses to choose from, and
// as stops the drop-offs before the last one.
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
