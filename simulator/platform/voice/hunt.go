package voice

import (
	"cmp"
	"errors"
	"slices"
	"time"
)

// hunt calls several targets at once, each by one route after the other, until one
// answers or all have failed. Both outgoing calls and dials use it.
type hunt struct {
	c       *Call
	targets []Target
	from    string        // the number shown to them
	first   int           // number of the first leg in the transcript
	id      func() string // returns the id of the next leg

	progress func(LegEventKind)               // a target rings or sends early media
	won      func(*try)                       // a target has answered; the others have been cancelled
	lost     func(cause Cause, reason string) // no target has answered
	tries    []*try
	timer    Timer
	over     bool
}

// try is the attempt to reach one target of a hunt.
type try struct {
	target Target
	routes []Route // remaining routes
	side   *side   // of the current route
	began  time.Time
	ended  bool
	cause  Cause
	reason string
}

// begin calls all targets for at most the given time.
func (h *hunt) begin(ringing time.Duration) {
	for i, target := range h.targets {
		t := &try{target: target, began: h.c.now()}
		h.tries = append(h.tries, t)
		var err error
		h.c.e.guard("Route", func() {
			err = errors.New("internal")
			t.routes, err = h.c.e.options.Route(h.c.info, target)
		})
		t.cause, t.reason = CauseUnrouted, "no route"
		if failure, ok := errors.AsType[*Failure](err); ok {
			t.cause, t.reason = failure.Cause, failure.Reason
		}
		if err != nil {
			t.routes = nil
		}
		h.advance(t, h.first+i)
	}
	h.timer = h.c.after(ringing, func() { h.cancel(CauseRingTime, "no answer"); h.settle() })
	h.settle()
}

// advance tries the next route to a target.
func (h *hunt) advance(t *try, number int) {
	if len(t.routes) == 0 {
		t.ended = true
		return
	}
	route := t.routes[0]
	t.routes = t.routes[1:]
	id := h.id()
	var leg Leg
	h.c.e.guard("a route", func() { leg = route(Offer{CallID: h.c.info.ID, LegID: id, From: h.from, Target: t.target}) })
	if leg == nil {
		t.cause, t.reason = CauseTransport, "no line"
		h.advance(t, number)
		return
	}
	s := &side{Leg: leg, id: id, number: number, party: PartyCallee, label: t.target.Label()}
	s.on = func(ev LegEvent) { h.event(t, s, ev) }
	t.side = s
	h.c.attach(s)
}

// event handles events of a leg that is being called.
func (h *hunt) event(t *try, s *side, ev LegEvent) {
	if h.over {
		return
	}
	switch ev.Kind {
	case LegRinging, LegEarlyMedia:
		h.progress(ev.Kind)
	case LegAnswered:
		h.over = true
		h.timer.Stop()
		t.ended, t.cause = true, CauseNormal
		h.cancel(CauseElsewhere, "answered by another target")
		h.won(t)
	case LegEnded:
		t.cause, t.reason = ev.Cause, ev.Reason
		if !ev.Cause.elsewhere() {
			t.routes = nil
		}
		h.advance(t, s.number)
		h.settle()
	}
}

// settle ends the hunt when all targets have failed.
func (h *hunt) settle() {
	if h.over || slices.ContainsFunc(h.tries, func(t *try) bool { return !t.ended }) {
		return
	}
	h.over = true
	if h.timer != nil {
		h.timer.Stop()
	}
	best := h.best()
	h.lost(best.cause, best.reason)
}

// best returns the target whose result counts if none has answered: first a busy one,
// then one that did not answer, then one that could not be reached.
func (h *hunt) best() *try {
	rank := []State{StateBusy, StateNoAnswer, StateFailed}
	return slices.MinFunc(h.tries, func(a, b *try) int {
		return cmp.Compare(slices.Index(rank, StateOf(a.cause.SIP)), slices.Index(rank, StateOf(b.cause.SIP)))
	})
}

// loser returns the party that ended a hunt without an answer: the platform after the ring time, or else the called
// party.
func (h *hunt) loser() Party {
	if best := h.best(); best.cause == CauseRingTime || best.side == nil {
		return PartyPlatform
	}
	return PartyCallee
}

// cancel cancels all targets that have not answered.
func (h *hunt) cancel(cause Cause, reason string) {
	for _, t := range h.tries {
		if t.ended {
			continue
		}
		t.ended, t.cause, t.reason = true, cause, reason
		if t.side != nil && !t.side.gone {
			h.c.line(PartyPlatform, t.side.number, LineHangup, reason)
			h.c.drop(t.side, cause, reason)
		}
	}
}

// heard and stop implement activity, for a call without an own leg.
func (h *hunt) heard(LegEvent) {}

func (h *hunt) stop() {
	h.over = true
	if h.timer != nil {
		h.timer.Stop()
	}
	h.cancel(CauseCanceled, "given up")
}
