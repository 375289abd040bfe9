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
	ctx    context.Context // cancelled at the end of the call
	cancel context.CancelFunc
	box    mailbox

	// The following fields are only used within the mailbox.
	own      *side // the leg of the caller, or of the called target
	legs     int   // number of legs that dials have placed
	answered time.Time
	seq      int
	prompts  int
	limit    Timer

	program  Program
	programs int
	turns    int         // turns of the program
	asked    int         // turns of the call
	rest     Document    // remaining verbs of the program's document
	at       activity    // the current activity; nil between two verbs
	lastDial *DialResult // if the last verb was a dial
	sorry    bool        // the apology has been spoken

	mu    sync.Mutex // guards the fields that View reads
	state State
	verb  string
	lines []Line
	bytes int // size of lines
}

// activity is what a call is doing: a verb, or waiting for a turn.
type activity interface {
	// heard handles an event on the call's own leg, except its end.
	heard(LegEvent)
	// stop ends the activity because the call is over: timers, prompts and other legs.
	stop()
}

// View is the state of a call.
type View struct {
	Info
	Began      time.Time
	State      State
	Verb       string // the current verb, or ""
	Transcript []Line
}

// ID returns the call's id.
func (c *Call) ID() string { return c.info.ID }

// View returns the current state of the call.
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

// Hangup ends the call from outside. It may be called at any time, even after the end.
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

// post runs f within the call's mailbox, unless the call is over by then.
func (c *Call) post(f func()) {
	c.box.post(c.run, func() {
		if !c.state.Final() {
			f()
		}
	})
}

// run ends the call if f panics, so that a panic of a leg or of this package does not end
// the process.
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

// after runs f after d, if the call is still in the same activity.
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

// aside runs work that may block, and then the function that it returns within the
// mailbox, if the call is still in the same activity. If work panics, it runs lost.
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

// side is a leg of a call with its state.
type side struct {
	Leg
	id     string
	number int // 0: the call's own leg
	party  Party
	label  string
	on     func(LegEvent)
	gone   bool // it has ended, or was hung up
}

// attach starts a leg. Its events are added to the transcript and passed to the side's
// on.
func (c *Call) attach(s *side) {
	s.Start(func(ev LegEvent) {
		if (ev.Kind == LegKey || ev.Kind == LegSpeechPaused || ev.Kind == LegSpeechEnded) && c.box.full() {
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

// ownEvent handles events on the call's own leg.
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
