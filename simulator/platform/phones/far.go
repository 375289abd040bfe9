// Package phones is the far end of the simulated network: telephones that people
// and programs attach, and, for every other number, somebody who answers.
package phones

import (
	"strconv"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/simline"
)

// Far is what a call is placed to outside the platform.
type Far struct {
	Kind    Kind
	Account string // whose call it is
	Address string // E.164 digits, a trunk's id, a device's extension or a SIP address
	Port    int    // of a trunk
	From    string // the number shown, spelled as the far end wants it
	To      string // the number called, spelled as the far end wants it
}

// Kind is a kind of far end.
type Kind string

// The kinds of far ends.
const (
	Number    Kind = "number"
	Extension Kind = "extension"
	Trunk     Kind = "trunk"
	SIP       Kind = "sip"
	Role      Kind = "role" // whoever it is that a plugin rings: "driver", "person" or "user"
)

// key is where a phone can be attached. A number is somebody's in the whole
// network, an extension in one account only.
func (f Far) key() string {
	if f.Kind == Number {
		return string(f.Kind) + " " + f.Address
	}
	return string(f.Kind) + " " + f.Account + " " + f.Address
}

// What nobody attached a phone to: it rings for a moment, and is answered.
const (
	setsUpIn    = 200 * time.Millisecond
	answersIn   = 2 * time.Second
	givenUpIn   = 4 * time.Second
	magicDigits = 3
	magicPort   = 5000
)

// nobody is how a far end behaves that has no phone: the last three digits of a
// number, and the port of a trunk above 5000, may be a SIP status to refuse with.
// 480 rings and is never answered, 408 is not heard of until it is given up;
// anything that is no refusal is answered after two seconds.
func (f Far) nobody() simline.Behaviour {
	b := simline.Behaviour{Setup: setsUpIn, AnswerAfter: answersIn}
	switch status := f.magic(); {
	case status == 408:
		b.Setup, b.Refuse = givenUpIn, status
	case status == 480:
		b.AnswerAfter = simline.Never
	case refuses[status]:
		b.Refuse = status
	}
	return b
}

// refuses are the statuses that a far end can be asked for.
var refuses = map[int]bool{403: true, 404: true, 410: true, 484: true, 486: true, 488: true, 500: true, 503: true, 504: true, 600: true, 603: true}

func (f Far) magic() int {
	switch {
	case f.Kind == Trunk:
		return f.Port - magicPort
	case f.Kind == Number && len(f.Address) > magicDigits:
		n, _ := strconv.Atoi(f.Address[len(f.Address)-magicDigits:]) // digits always are
		return n
	}
	return 0
}

// Reach returns the way to a far end: the phone that is attached there by then,
// or nobody's.
func (r *Registry) Reach(far Far) voice.Route {
	return func(offer voice.Offer) voice.Leg {
		offer.From = far.From
		x := simline.Exchange{Clock: r.clock, Phone: func(voice.Offer) simline.Behaviour {
			if p := r.rung(far, offer); p != nil {
				return p.behaviour()
			}
			return far.nobody()
		}}
		return x.Route(offer)
	}
}

// Tie returns a leg of a call to one of the platform's own numbers: after the
// usual time a call comes in, whose leg arrive is given ([simline.Tie]).
func (r *Registry) Tie(arrive func(voice.Leg) error) voice.Leg {
	return simline.Tie(r.clock, setsUpIn, arrive)
}
