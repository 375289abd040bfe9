// Package phones is the far end of the simulated network: telephones that people and
// programs attach, and a simulated answer for every other number.
package phones

import (
	"strconv"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/simline"
)

// Far is the destination of a call outside the platform: a number, an extension or a trunk.
type Far struct {
	Kind    Kind
	Account string       // whose call it is
	Address string       // E.164 digits, a trunk's id, a device's extension or a SIP address
	Port    int          // of a trunk
	From    string       // the caller's number, as formatted for the far end
	To      string       // the called number, as formatted for the far end
	Login   voice.SIPURI // of a SIP address: the credentials and headers
}

// Kind is a kind of far end.
type Kind string

// The kinds of far ends.
const (
	Number    Kind = "number"
	Extension Kind = "extension"
	Trunk     Kind = "trunk"
	SIP       Kind = "sip"
	Role      Kind = "role" // a person whom a plugin calls: "driver", "person" or "user"
)

// key identifies where a phone can be attached. A number is unique in the whole network,
// an extension only within an account.
func (f Far) key() string {
	if f.Kind == Number {
		return string(f.Kind) + " " + f.Address
	}
	return string(f.Kind) + " " + f.Account + " " + f.Address
}

// How a far end without a phone behaves: it rings briefly, and answers.
const (
	setsUpIn    = 200 * time.Millisecond
	answersIn   = 2 * time.Second
	givenUpIn   = 4 * time.Second
	magicDigits = 3
	magicPort   = 5000
)

// simulatedAnswer returns the behaviour of a far end without a phone: the last three digits of a
// number, and the port of a trunk above 5000, may be a SIP status with which it refuses
// the call. With 480 it rings and is never answered, with 408 it does not respond at all;
// without such a status it answers after two seconds.
func (f Far) simulatedAnswer() simline.Behaviour {
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

// refuses are the statuses that a number can select.
var refuses = map[int]bool{403: true, 404: true, 410: true, 484: true, 486: true, 488: true, 500: true, 503: true, 504: true, 600: true, 603: true}

func (f Far) magic() int {
	switch {
	case f.Kind == Trunk:
		return f.Port - magicPort
	case f.Kind == Number && len(f.Address) > magicDigits:
		n, _ := strconv.Atoi(f.Address[len(f.Address)-magicDigits:]) // the digits always parse
		return n
	}
	return 0
}

// Reach returns the route to a far end: the phone that is attached there when it is
// called, or a simulated answer.
func (r *Registry) Reach(far Far) voice.Route {
	return func(offer voice.Offer) voice.Leg {
		offer.From = far.From
		x := simline.Exchange{Clock: r.clock, Phone: func(voice.Offer) simline.Behaviour {
			if p := r.waitingAt(far, offer); p != nil {
				return p.behaviour()
			}
			return far.simulatedAnswer()
		}}
		return x.Route(offer)
	}
}

// Tie returns a leg of a call to one of the platform's own numbers: after the usual time,
// arrive receives the leg of an incoming call ([simline.Tie]).
func (r *Registry) Tie(arrive func(voice.Leg) error) voice.Leg {
	return simline.Tie(r.clock, setsUpIn, arrive)
}
