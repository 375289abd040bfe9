package voice

import (
	"cmp"
	"errors"
)

// clearing returns the cause with which a call is hung up without an error: normal clearing, or another one if it was
// not answered.
func (c *Call) clearing() Cause {
	if c.state.Answered() {
		return CauseNormal
	}
	return CauseNoService
}

// hangUp hangs up, or refuses a call that was not answered.
func (c *Call) hangUp(cause Cause, reason string) {
	state := StateCompleted
	if !c.state.Answered() {
		state = StateOf(cause.SIP)
	}
	if state == StateCompleted && !c.state.Answered() {
		state = StateFailed // the plugin's cause says answered
	}
	c.end(state, cause, PartyPlatform, reason)
}

func (v Reject) run(c *Call) {
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

func (v Redirect) run(c *Call) {
	if c.program.Turn == nil {
		c.verbDone(VerbRedirect, "failed", "no hook answers this call")
		c.finish(OutcomeError, errors.New("redirect: no hook answers this call"))
		return
	}
	c.verbDone(VerbRedirect, "completed", "")
	c.ask(TurnRequest{Action: ActionRedirect, Reason: ReasonRedirect, URL: v.URL})
}

func (v Hangup) run(c *Call) {
	c.verbDone(VerbHangup, "completed", "")
	c.hangUp(cmp.Or(v.Cause, c.clearing()), v.Reason)
}
