package voice

import (
	"cmp"
	"context"
	"errors"
	"fmt"
)

// start begins a program.
func (c *Call) start(p Program) {
	c.program, c.turns, c.rest, c.lastDial = p, 0, p.Verbs, nil
	c.programs++
	switch {
	case p.Verbs == nil && p.Turn != nil:
		c.ask(TurnRequest{Action: ActionStart, Reason: ReasonStart})
	default:
		if err := p.Verbs.Check(); err != nil {
			c.finish(OutcomeError, err)
			return
		}
		c.step()
	}
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
	switch v := verb.(type) {
	case Say, Play:
		c.speak(verb)
	case Gather:
		c.gather(v)
	case Dial:
		c.dial(v)
	case Reject:
		c.reject(v)
	case Hangup:
		c.verbDone(VerbHangup, "completed", "")
		c.hangUp(cmp.Or(v.Cause, c.clearing()), v.Reason)
	case Redirect:
		c.redirect(v)
	}
}

// clearing is the cause of a call that is hung up with nothing amiss.
func (c *Call) clearing() Cause {
	if c.state.Answered() {
		return CauseNormal
	}
	return CauseNoService
}

// verbDone says how a verb came out.
func (c *Call) verbDone(verb, outcome, detail string) {
	c.show("")
	c.emit(Event{Type: EventVerb, Verb: verb, Outcome: outcome, Detail: detail})
}

// warn says that a verb did not do quite what was asked.
func (c *Call) warn(verb, detail string) {
	c.emit(Event{Type: EventWarning, Verb: verb, Detail: detail})
}

// hangUp is the platform hanging up, or refusing a call that was not answered.
func (c *Call) hangUp(cause Cause, reason string) {
	state := StateCompleted
	if !c.state.Answered() {
		state = StateOf(cause.SIP)
	}
	if state == StateCompleted && !c.state.Answered() {
		state = StateFailed // a plugin's cause that says answered
	}
	c.end(state, cause, PartyPlatform, reason)
}

func (c *Call) reject(v Reject) {
	cause, reason := CauseRejected, string(cmp.Or(v.Reason, RejectRejected))
	if v.Reason == RejectBusy {
		cause = CauseBusy
	}
	if c.state.Answered() {
		c.warn(VerbReject, "the call has been answered, so it is hung up")
		cause.SIP = CauseNormal.SIP
	}
	c.verbDone(VerbReject, reason, "")
	c.hangUp(cause, reason)
}

func (c *Call) redirect(v Redirect) {
	if c.program.Turn == nil {
		c.verbDone(VerbRedirect, "failed", "no hook answers this call")
		c.finish(OutcomeError, errors.New("redirect: no hook answers this call"))
		return
	}
	c.verbDone(VerbRedirect, "completed", "")
	c.ask(TurnRequest{Action: ActionRedirect, Reason: ReasonRedirect, URL: v.URL})
}

// following waits for [Next] to name a program.
type following struct{ limit Timer }

func (f *following) heard(LegEvent) {}
func (f *following) stop()          { f.limit.Stop() }

// finish ends a program, and goes on with the one that follows.
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

// close hangs up after the last program. If that failed the caller hears so.
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
		c.program.Turn, c.turns = turn, turns // it still gets its last notice
	case c.state.Answered():
		c.end(StateCompleted, CauseNormal, PartyPlatform, "")
	case ended.Dial != nil:
		cause := ended.Dial.Cause
		if cause.SIP == CauseRingTime.SIP {
			cause.SIP = 480 // 487 answers a CANCEL, and the caller has sent none
		}
		c.hangUp(cause, "")
	default:
		c.hangUp(CauseNoService, "")
	}
}

// asking waits for a turn.
type asking struct {
	c              *Call
	limit, comfort Timer
	tone           bool
	cancel         context.CancelFunc
}

func (a *asking) heard(LegEvent) {}

// stop ends the wait; what the turn still answers is lost.
func (a *asking) stop() {
	a.limit.Stop()
	a.comfort.Stop()
	a.cancel()
	if a.tone && !a.c.own.gone {
		a.c.own.Stop()
	}
}

// ask takes the call to its next turn.
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
		if err == nil {
			err = document.Check()
		}
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
