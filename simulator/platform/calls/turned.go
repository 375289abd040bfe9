package calls

import (
	"context"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Turned is a turn of a call, with the verbs that answered it.
type Turned struct {
	Call            string
	Asked, Answered time.Time // by the clock of the line
	Request         voice.TurnRequest
	Verbs           voice.Document
	Err             error // the turn has failed
}

// telling is a turn that is told of. That a call is over is no turn that leads to
// anything, and is not told.
func (c *Calls) telling(turn voice.Turn) voice.Turn {
	return func(ctx context.Context, r voice.TurnRequest) (voice.Document, error) {
		asked := c.opts.Clock.Now()
		verbs, err := turn(ctx, r)
		if r.Action != voice.ActionHangup {
			c.opts.Turned(Turned{Call: r.ID, Asked: asked, Answered: c.opts.Clock.Now(), Request: r, Verbs: verbs, Err: err})
		}
		return verbs, err
	}
}

// given tells of the verbs that a call is placed with, as of a turn that was answered when
// the call began.
func (c *Calls) given(call string, verbs voice.Document) {
	if len(verbs) == 0 {
		return
	}
	now := c.opts.Clock.Now()
	c.opts.Turned(Turned{Call: call, Asked: now, Answered: now, Verbs: verbs, Request: voice.TurnRequest{Action: voice.ActionStart, Reason: voice.ReasonStart}})
}
