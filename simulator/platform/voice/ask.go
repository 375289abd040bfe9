package voice

import (
	"context"
	"errors"
	"fmt"
)

// asking is the activity of a call that waits for the response of a turn.
type asking struct {
	c              *Call
	limit, comfort Timer
	tone           bool
	cancel         context.CancelFunc
}

func (a *asking) heard(LegEvent) {}

// stop ends the wait; a later response is ignored.
func (a *asking) stop() {
	a.limit.Stop()
	a.comfort.Stop()
	a.cancel()
	if a.tone && !a.c.own.gone {
		a.c.own.Stop()
	}
}

// ask requests the call's next turn.
func (c *Call) ask(request TurnRequest) {
	c.turns++
	c.asked++
	if c.asked > MaxTurns {
		c.finish(OutcomeError, fmt.Errorf("more than %d turns", MaxTurns))
		return
	}
	request.Info, request.Number = c.info, c.turns
	ctx, cancel := context.WithCancel(c.ctx)
	a := &asking{c: c, cancel: cancel}
	c.at = a
	fail := func(err error) {
		a.stop()
		c.finish(OutcomeError, err)
	}
	a.limit = c.after(c.e.options.TurnTimeout, func() {
		fail(fmt.Errorf("no answer within %s", c.e.options.TurnTimeout))
	})
	a.comfort = c.after(c.e.options.ComfortAfter, func() {
		if c.state.Answered() {
			a.tone = true
			c.tone(ToneComfort, true)
		}
	})
	turn := c.program.Turn
	c.aside(func(context.Context) func() {
		document, err := turn(ctx, request)
		return func() {
			if err != nil {
				fail(err)
				return
			}
			a.stop()
			c.rest = document
			c.step()
		}
	}, func() { fail(errors.New("internal")) })
}
