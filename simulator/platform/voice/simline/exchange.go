package simline

import (
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Behaviour is what a phone does when it is called. The zero value is answered at
// once by somebody who listens and says nothing.
type Behaviour struct {
	Setup       time.Duration // from the dial to the first ring, or the refusal
	Refuse      int           // a SIP status to refuse with: 486 busy, 603 rejected, 503 no line …
	Dead        bool          // nothing is ever heard of it
	EarlyMedia  bool          // it is heard before it is answered
	AnswerAfter time.Duration // how long it rings; negative: until somebody answers it by hand, or never

	// Party is the person: it is told what they notice, and acts through the phone.
	// nil: somebody who does nothing.
	Party func(*Phone, Happening)
}

// Never is an AnswerAfter for a phone that nobody answers.
const Never time.Duration = -1

// Exchange connects an engine with phones.
type Exchange struct {
	Clock voice.Clock

	// Phone says how the phone behaves that is being called. nil: as the zero
	// Behaviour does.
	Phone func(voice.Offer) Behaviour
}

// Route is a route to a phone of the exchange, for [voice.Options.Route].
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
