package voice

import "context"

// start begins a program.
func (c *Call) start(p Program) {
	c.program, c.turns, c.rest, c.lastDial = p, 0, p.Verbs, nil
	c.programs++
	if p.Verbs == nil && p.Turn != nil {
		c.ask(TurnRequest{Action: ActionStart, Reason: ReasonStart})
		return
	}
	c.step()
}

// step runs the next verb.
func (c *Call) step() {
	c.at = nil
	if len(c.rest) == 0 {
		outcome := OutcomeComplete
		if c.lastDial != nil {
			outcome = OutcomeOf(c.lastDial.Status)
		}
		c.finish(outcome, nil)
		return
	}
	verb := c.rest[0]
	c.rest, c.lastDial = c.rest[1:], nil
	c.show(verb.Name())
	verb.run(c)
}

// following is the activity of a call that waits for [Next] to return a program.
type following struct{ limit Timer }

func (f *following) heard(LegEvent) {}
func (f *following) stop()          { f.limit.Stop() }

// finish ends a program, and continues with the next one.
func (c *Call) finish(outcome Outcome, err error) {
	c.at = nil
	c.show("")
	ended := Ended{Outcome: outcome, Dial: c.lastDial, Err: err}
	if c.next == nil || c.sorry || c.programs >= MaxPrograms {
		c.close(ended)
		return
	}
	f := &following{}
	c.at = f
	f.limit = c.after(c.e.options.TurnTimeout, func() { c.close(ended) })
	c.aside(func(ctx context.Context) func() {
		program := c.next(ctx, c.info, ended)
		return func() {
			f.limit.Stop()
			if program == nil {
				c.close(ended)
				return
			}
			c.start(*program)
		}
	}, func() { f.limit.Stop(); c.close(ended) })
}

// close hangs up after the last program. If that program failed, the caller hears an apology first.
func (c *Call) close(ended Ended) {
	c.at = nil
	switch {
	case ended.Outcome == OutcomeError && !c.sorry:
		c.sorry = true
		detail := "a turn failed"
		if ended.Err != nil {
			detail = ended.Err.Error()
		}
		c.warn("", detail)
		turn, turns := c.program.Turn, c.turns
		c.start(Program{Verbs: Document{Say{Text: []string{c.e.options.Apology}}, Hangup{Reason: "a turn failed", Cause: Cause{CauseNormal.SIP, CauseTrouble.Q850}}}})
		c.program.Turn, c.turns = turn, turns // it still receives its last notice
	case c.state.Answered():
		c.end(StateCompleted, CauseNormal, PartyPlatform, "")
	case ended.Dial != nil:
		cause := ended.Dial.Cause
		if cause.SIP == CauseRingTime.SIP {
			cause.SIP = 480 // 487 is the response to a CANCEL, which the caller has not sent
		}
		c.hangUp(cause, "")
	default:
		c.hangUp(CauseNoService, "")
	}
}
