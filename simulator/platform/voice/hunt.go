package voice

import (
	"cmp"
	"errors"
	"slices"
	"time"
)

// hunt rings targets at once, and each of them by one route after the other, until
// somebody answers or nobody is left. It is how a call of the platform's own begins
// and how a dial does.
type hunt struct {
	c       *Call
	targets []Target
	from    string        // the number that they see
	first   int           // the number of the first leg in the transcript
	id      func() string // names the next leg

	progress func(LegEventKind)               // somebody rings or is heard
	won      func(*try)                       // somebody has answered; the others are cancelled by then
	lost     func(cause Cause, reason string) // nobody did
	tries    []*try
	timer    Timer
	over     bool
}

// try is one target being rung.
type try struct {
	target Target
	routes []Route // still to be tried
	side   *side   // of the route that is being tried
	began  time.Time
	ended  bool
	cause  Cause
	reason string
}

// begin rings everybody for at most so long.
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

// event is what happens on a leg that is being rung.
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

// settle ends the hunt when nobody is left.
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

// best is the target that speaks for all when nobody has answered: a busy one
// before one that did not answer, and that before one that could not be reached.
func (h *hunt) best() *try {
	rank := []State{StateBusy, StateNoAnswer, StateFailed}
	return slices.MinFunc(h.tries, func(a, b *try) int {
		return cmp.Compare(slices.Index(rank, StateOf(a.cause.SIP)), slices.Index(rank, StateOf(b.cause.SIP)))
	})
}

// loser is the party that ended a hunt which nobody answered.
func (h *hunt) loser() Party {
	if best := h.best(); best.cause == CauseRingTime || best.side == nil {
		return PartyPlatform
	}
	return PartyCallee
}

// cancel gives up on everybody who has not answered.
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

// heard and stop make a hunt what a call is doing before it has a leg of its own.
func (h *hunt) heard(LegEvent) {}

func (h *hunt) stop() {
	h.over = true
	if h.timer != nil {
		h.timer.Stop()
	}
	h.cancel(CauseCanceled, "given up")
}
