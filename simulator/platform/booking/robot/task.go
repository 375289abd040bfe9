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

// Task is one customer's wish in full.
type Task struct {
	Want     Want
	Name     string                   // "": they would rather not say
	Pickup   *taxi.Address            // nil: what is offered first
	Dropoffs []taxi.Address           // none: they will tell the driver
	At       time.Time                // zero: now
	Times    int                      // that "Coming Now" is pressed; 0 is 1
	Follow   func(now time.Time) bool // whether they stay for more news; nil: they do not
}

// Places are the addresses of a task, for the customer to choose from.
func (t Task) Places() []booking.Place {
	var places []booking.Place
	if t.Pickup != nil {
		places = append(places, booking.Place{Address: *t.Pickup})
	}
	if n := len(t.Dropoffs); n > 0 {
		places = append(places, booking.Place{Address: t.Dropoffs[n-1]})
	}
	return places
}

// Stops are the drop-offs before the last one.
func (t Task) Stops() []taxi.Address { return t.Dropoffs[:max(len(t.Dropoffs)-1, 0)] }
