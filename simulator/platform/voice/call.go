package voice

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Call is a call that an engine runs.
type Call struct {
	e      *Engine
	info   Info
	began  time.Time
	next   Next
	done   func(Result)
	ctx    context.Context // ends with the call
	cancel context.CancelFunc
	box    mailbox

	// What follows belongs to whoever works on the mailbox.
	own      *side // the leg of whoever called, or was called
	legs     int   // that dials have rung
	answered time.Time
	seq      int
	prompts  int
	limit    Timer

	program  Program
	programs int
	turns    int         // of the program
	asked    int         // turns of the call
	rest     Document    // of the program's document
	at       activity    // what the call is doing; nil between two steps
	lastDial *DialResult // if the last verb was a dial
	sorry    bool        // the apology has been said

	mu    sync.Mutex // guards what View shows
	state State
	verb  string
	lines []Line
	bytes int // of lines
}

// activity is what a call is doing: a verb, or waiting for a turn.
type activity interface {
	// heard is told what happens on the call's own leg, but for its end.
	heard(LegEvent)
	// stop ends it because the call is over: timers, prompts and other legs.
	stop()
}

// View is what a call looks like from the outside at one moment.
type View struct {
	Info
	Began      time.Time
	State      State
	Verb       string // the verb that is running, or ""
	Transcript []Line
}

// ID returns the call's id.
func (c *Call) ID() string { return c.info.ID }

// View returns what the call looks like now.
func (c *Call) View() View {
	c.mu.Lock()
	defer c.mu.Unlock()
	return View{c.info, c.began, c.state, c.verb, slices.Clone(c.lines)}
}

// Summary is View without the transcript.
func (c *Call) Summary() View {
	c.mu.Lock()
	defer c.mu.Unlock()
	return View{c.info, c.began, c.state, c.verb, nil}
}

// Hangup ends the call from the outside. It may be called at any time, also when
// the call is over.
func (c *Call) Hangup(reason string) {
	c.post(func() {
		switch {
		case c.state.Answered():
			c.end(StateCompleted, CauseNormal, PartyPlatform, reason)
		case c.info.Direction == Inbound:
			c.end(StateCanceled, CauseNoService, PartyPlatform, reason)
		default:
			c.end(StateCanceled, CauseCanceled, PartyPlatform, reason)
		}
	})
}

// post has f happen to the call, unless it is over by then.
func (c *Call) post(f func()) {
	c.box.post(c.run, func() {
		if !c.state.Final() {
			f()
		}
	})
}

// run keeps a panic of a leg or of this package from taking the engine with it:
// it ends the call instead.
func (c *Call) run(f func()) {
	sound := false
	c.e.guard("a call", func() { f(); sound = true })
	if sound || c.state.Final() {
		return
	}
	c.e.guard("a call's end", func() {
		state := StateCompleted
		if !c.state.Answered() {
			state = StateFailed
		}
		c.end(state, CauseTrouble, PartyPlatform, "internal")
	})
}

// after has f happen in d, if the call is still doing the same thing by then.
func (c *Call) after(d time.Duration, f func()) Timer {
	at := c.at
	return c.e.options.Clock.AfterFunc(d, func() {
		c.post(func() {
			if c.at == at {
				f()
			}
		})
	})
}

// aside does work that may take its time, and has the function it returns happen
// to the call, if that is still doing the same thing by then. Work that panics
// counts as lost: nil happens.
func (c *Call) aside(work func(ctx context.Context) func(), lost func()) {
	at := c.at
	c.e.aside(func() {
		then := lost
		c.e.guard("what a call waits for", func() { then = work(c.ctx) })
		c.post(func() {
			if c.at == at {
				then()
			}
		})
	})
}

// side is a leg of a call, with what is known of it.
type side struct {
	Leg
	id     string
	number int // 0 the call's own
	party  Party
	label  string
	on     func(LegEvent)
	gone   bool // it has ended, or was hung up
}

// attach starts a leg. What it reports is noted and goes to the side's on.
func (c *Call) attach(s *side) {
	s.Start(func(ev LegEvent) {
		if (ev.Kind == LegKey || ev.Kind == LegSpeechEnded) && c.box.full() {
			return
		}
		c.post(func() {
			if s.gone {
				return
			}
			s.gone = ev.Kind == LegEnded
			c.note(s, ev)
			s.on(ev)
		})
	})
}

// drop hangs up a side.
func (c *Call) drop(s *side, cause Cause, reason string) {
	if s == nil || s.gone {
		return
	}
	s.gone = true
	c.e.guard("a leg", func() { s.Hangup(cause, reason) })
}

// ownEvent is what happens on the call's own leg once it is there.
func (c *Call) ownEvent(ev LegEvent) {
	if ev.Kind != LegEnded {
		if c.at != nil {
			c.at.heard(ev)
		}
		return
	}
	if c.state.Answered() {
		c.end(StateCompleted, CauseNormal, c.own.party, ev.Reason)
	} else {
		c.end(StateCanceled, CauseCanceled, c.own.party, ev.Reason)
	}
}
