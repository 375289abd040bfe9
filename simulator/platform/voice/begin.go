package voice

import (
	"cmp"
	"time"
)

// receive begins an incoming call.
func (c *Call) receive(leg Leg) {
	c.own = &side{Leg: leg, id: c.info.ID, party: PartyCaller, on: c.ownEvent}
	c.begin()
	c.enter(StateTrying)
	c.attach(c.own)
	c.enter(StateRinging)
	c.emit(Event{Type: EventRinging})
	leg.Ring()
	c.start(c.program)
}

// place begins an outgoing call.
func (c *Call) place(target CallTarget) {
	c.begin()
	c.enter(StateTrying)
	h := &hunt{c: c, targets: []Target{target.Target}, from: c.info.From, first: 0, id: func() string { return c.info.ID }}
	h.progress = c.progress
	h.won = func(t *try) {
		c.own = t.side
		c.own.on = c.ownEvent
		c.pickUp()
		c.start(c.program)
	}
	h.lost = func(cause Cause, reason string) {
		c.end(StateOf(cause.SIP), cause, h.loser(), reason)
	}
	c.at = h
	h.begin(ringTime(target.Timeout))
}

// ringTime returns how long a target rings, given its timeout in seconds.
func ringTime(seconds int) time.Duration { return time.Duration(cmp.Or(seconds, 30)) * time.Second }

// begin sends the first event of the call.
func (c *Call) begin() {
	c.emit(Event{Type: EventInitiated})
	c.limit = c.e.options.Clock.AfterFunc(c.e.options.MaxCallTime, func() { c.Hangup("the call has reached its time limit") })
}

// progress handles the progress of the call's target before it answers.
func (c *Call) progress(kind LegEventKind) {
	switch {
	case kind == LegRinging && c.state.May(StateRinging):
		c.enter(StateRinging)
		c.emit(Event{Type: EventRinging})
	case kind == LegEarlyMedia && c.state.May(StateEarlyMedia):
		c.enter(StateEarlyMedia)
		c.emit(Event{Type: EventEarlyMedia})
	}
}

// answer answers the call, unless it has been answered.
func (c *Call) answer() {
	if c.state.Answered() {
		return
	}
	c.own.Answer()
	c.line(PartyPlatform, 0, LineAnswer, "")
	c.pickUp()
}

// pickUp records that either side has answered.
func (c *Call) pickUp() {
	c.answered = c.now()
	c.enter(StateInProgress)
	c.emit(Event{Type: EventAnswered})
}

// enter changes the state of the call. It panics if [State.May] does not allow the change.
func (c *Call) enter(state State) {
	if !c.state.May(state) {
		panic("voice: " + string(c.state) + " is not followed by " + string(state))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state = state
}

func (c *Call) now() time.Time { return c.e.options.Clock.Now() }
