package voice

import (
	"context"
	"slices"
	"time"
)

// end ends the call: it stops the current activity, hangs up the leg and sends the last
// event. It is the only way to a final state.
func (c *Call) end(state State, cause Cause, by Party, reason string) {
	if at := c.at; at != nil {
		c.at = nil
		c.e.guard("what a call was doing", at.stop)
	}
	c.limit.Stop()
	if c.own != nil && !c.own.gone {
		c.line(PartyPlatform, 0, LineHangup, reason)
		c.drop(c.own, cause, reason)
	}
	c.show("")
	c.enter(state)
	result := c.result(state, Ending{Cause: cause, HangupParty: by, HangupReason: reason})
	c.emit(Event{Type: EventCompleted, Outcome: string(result.Outcome), Ending: &result.Ending})
	c.cancel()
	c.e.forget(c)
	if c.done != nil {
		c.e.guard("Done of a call", func() { c.done(result) })
	}
	c.notice(result)
}

// result returns the result of a call that ends now.
func (c *Call) result(state State, ending Ending) Result {
	now := c.now()
	r := Result{Info: c.info, State: state, Ending: ending, Began: c.began, Answered: c.answered, Ended: now}
	switch {
	case c.answered.IsZero():
		r.RingDuration = Seconds(now.Sub(c.began))
		r.Outcome = OutcomeOf(state)
	default:
		r.RingDuration = Seconds(c.answered.Sub(c.began))
		r.CallDuration = Seconds(now.Sub(c.answered))
		r.Outcome = OutcomeComplete
		if c.lastDial != nil {
			r.Outcome = OutcomeOf(c.lastDial.Status)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	r.Transcript = slices.Clone(c.lines)
	return r
}

// notice reports the end of the call in a last turn, if the call has made a turn before. It does not wait for the
// response.
func (c *Call) notice(result Result) {
	turn := c.program.Turn
	if turn == nil || c.turns == 0 {
		return
	}
	request := TurnRequest{Info: c.info, Number: c.turns + 1, Action: ActionHangup, Reason: ReasonHangup, Result: &result}
	c.e.aside(func() {
		ctx, cancel := context.WithCancel(c.e.ctx)
		limit := c.e.options.Clock.AfterFunc(c.e.options.TurnTimeout, cancel)
		defer cancel()
		defer limit.Stop()
		_, _ = turn(ctx, request)
	})
}

// emit sends an event.
func (c *Call) emit(ev Event) {
	const most = 10000 // per call; after that only changes of state
	if c.seq >= most && ev.Type != EventAnswered && ev.Type != EventCompleted {
		return
	}
	c.seq++
	ev.Info, ev.Seq, ev.Status, ev.Time = c.info, c.seq, c.state, c.now()
	c.e.guard("Events", func() { c.e.options.Events(ev) })
}

// verbDone sends the event of a completed verb.
func (c *Call) verbDone(verb, outcome, detail string) {
	c.show("")
	c.emit(Event{Type: EventVerb, Verb: verb, Outcome: outcome, Detail: detail})
}

// warn sends a warning that a verb could not do exactly what was requested.
func (c *Call) warn(verb, detail string) {
	c.emit(Event{Type: EventWarning, Verb: verb, Detail: detail})
}

// note adds a leg's event to the transcript.
func (c *Call) note(s *side, ev LegEvent) {
	switch ev.Kind {
	case LegRinging:
		c.line(s.party, s.number, LineRing, s.label)
	case LegAnswered:
		c.line(s.party, s.number, LineAnswer, "")
	case LegKey:
		c.line(s.party, s.number, LinePress, string(ev.Key))
	case LegSpeechEnded:
		if ev.Speech.Text != "" { // a line that does not know the words: a recogniser may
			c.line(s.party, s.number, LineSpeech, ev.Speech.Text)
		}
	case LegEnded:
		c.line(s.party, s.number, LineHangup, Mask(ev.Reason))
	}
}

// line adds a line to the transcript.
func (c *Call) line(party Party, leg int, kind LineKind, text string) {
	line := Line{AtMs: c.now().Sub(c.began).Round(time.Millisecond).Milliseconds(), Party: party, Leg: leg, Kind: kind, Text: text}
	if c.write(line) {
		c.e.guard("Heard", func() { c.e.options.Heard(c.info, line) })
	}
}

// write adds a line to the transcript. It returns false if the transcript is full.
func (c *Call) write(line Line) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	bytes := c.bytes + len(line.Text) + lineBytes
	if len(c.lines) >= maxLines || bytes > maxBytes {
		c.bytes = maxBytes // shorter lines after it would leave a gap
		return false
	}
	c.lines, c.bytes = append(c.lines, line), bytes
	return true
}

// show sets the verb that [Call.View] returns as the current one.
func (c *Call) show(verb string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.verb = verb
}
