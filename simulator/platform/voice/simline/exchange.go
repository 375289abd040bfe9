package simline

import (
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Behaviour is how a phone reacts to a call. With the zero value, a person answers at
// once, listens and says nothing.
type Behaviour struct {
	Setup       time.Duration // time from the dial to the first ring, or to the refusal
	Refuse      int           // a SIP status to refuse with: 486 busy, 603 rejected, 503 no line …
	Dead        bool          // it never responds
	EarlyMedia  bool          // it sends sound before it is answered
	AnswerAfter time.Duration // how long it rings; negative: it is answered by a method call, or never

	// Party is the person: it receives events, and acts through the phone. nil: a person
	// who does nothing.
	Party func(*Phone, Happening)
}

// Never is an AnswerAfter for a phone that nobody answers.
const Never time.Duration = -1

// Exchange connects an engine with phones.
type Exchange struct {
	Clock voice.Clock

	// Phone returns the behaviour of the called phone. nil: the zero Behaviour.
	Phone func(voice.Offer) Behaviour
}

// Route returns the leg to a phone of the exchange, for [voice.Options.Route].
func (x *Exchange) Route(offer voice.Offer) voice.Leg {
	p := &Phone{clock: x.Clock}
	if x.Phone != nil {
		p.setup = x.Phone(offer)
	}
	if party := p.setup.Party; party != nil {
		p.listener = func(h Happening) { party(p, h) }
	}
	return p.Leg()
}
