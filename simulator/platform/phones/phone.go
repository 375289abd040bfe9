package phones

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/simline"
)

// Status is the status of a phone.
type Status string

// The statuses.
const (
	Waiting Status = "waiting" // waits for a call
	Ringing Status = "ringing" // it is ringing, or the phone that it calls is
	Talking Status = "talking"
	Over    Status = "over"
)

// Phone is an attached telephone.
type Phone struct {
	id       string
	clock    voice.Clock
	wall     voice.Clock    // for detecting that its user has gone
	actor    *simline.Actor // performs a script
	scripted bool

	mu       sync.Mutex
	at       Far
	line     *simline.Phone
	turns    turns
	call     string
	from, to string
	dialled  bool
	status   Status
	ended    string // why the call ended
	lines    []voice.Line
	listens  []Listening
	result   *voice.Result
	failed   string // the text that the script did not hear
	acting   bool   // the script is complete
	looking  int    // number of requests that wait for changes
	looked   time.Time
	waited   bool        // a request has waited for changes
	away     voice.Timer // runs while no request waits; nil: it never ran
	changes  voice.Changes
}

// View is the state of a phone.
type View struct {
	ID         string        `json:"id"`
	Status     Status        `json:"status"`
	Reason     string        `json:"reason,omitempty"` // why the call ended
	CallID     string        `json:"callId,omitempty"`
	From       string        `json:"from,omitempty"`
	To         string        `json:"to,omitempty"`
	Rung       bool          `json:"rung"`    // it was called, and is not the caller
	Dialled    bool          `json:"dialled"` // it was called by the verb dial or a device: the call may continue without it
	Version    int           `json:"version"` // counts changes
	Transcript []voice.Line  `json:"transcript"`
	Listens    []Listening   `json:"listens,omitempty"` // when the platform waited for an answer of the caller
	Script     string        `json:"script,omitempty"`  // "running", "done", or the text that it did not hear
	Result     *voice.Result `json:"-"`                 // of the call, when it is over
}

// Listening is a time at which the platform began to wait for an answer.
type Listening struct {
	AtMs  int64 `json:"atMs"`  // since the call began
	After int   `json:"after"` // number of lines in the transcript at that time
	Asks  any   `json:"asks"`  // the question
	Frame any   `json:"frame"` // what is understood so far
}

// View returns the current state of the phone, with the transcript from a line on.
func (p *Phone) View(from int) View {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.restartTimer()
	v := View{
		ID: p.id, Status: p.status, Reason: p.ended, CallID: p.call, From: p.from, To: p.to,
		Rung: p.at.Kind != "", Dialled: p.dialled, Version: p.changes.Version(),
		Transcript: slices.Clone(p.lines[min(max(from, 0), len(p.lines)):]), Result: p.result,
	}
	v.Listens = slices.Clone(p.listens)
	if v.Transcript == nil {
		v.Transcript = []voice.Line{}
	}
	switch {
	case p.failed != "":
		v.Script = p.failed
	case p.acting:
		v.Script = "done"
	case p.scripted:
		v.Script = "running"
	}
	return v
}

// state returns the status of the phone.
func (p *Phone) state() Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.status
}

// place returns the key of the far end at which the phone is or was attached.
func (p *Phone) place() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.at.key()
}

// Answer answers a call. It does nothing if there is no call to answer.
func (p *Phone) Answer() {
	p.with(func(line *simline.Phone) {
		line.Answer()
		p.change(func() {
			if p.status == Ringing {
				p.status = Talking
			}
		})
	})
}

// Press presses keys.
func (p *Phone) Press(keys string) { p.with(func(line *simline.Phone) { line.Press(keys) }) }

// Hangup hangs up; a phone that waits for a call is detached.
func (p *Phone) Hangup() {
	p.with(func(line *simline.Phone) { line.Hangup() })
	if p.state() == Waiting {
		p.over("hung up")
	}
}

func (p *Phone) with(do func(*simline.Phone)) {
	p.mu.Lock()
	p.restartTimer()
	line := p.line
	p.mu.Unlock()
	if line != nil {
		do(line)
	}
}

// behaviour returns how the phone handles an incoming call.
func (p *Phone) behaviour() simline.Behaviour {
	b := simline.Behaviour{Setup: setsUpIn, AnswerAfter: simline.Never, Party: p.notice}
	if p.scripted {
		b.AnswerAfter = scriptAnswers
	}
	return b
}

// notice handles an event of the line.
func (p *Phone) notice(line *simline.Phone, h simline.Happening) {
	p.change(func() {
		p.line = line
		switch h.Kind {
		case simline.Ringing:
			p.status = Ringing
		case simline.Answered, simline.Bridged:
			p.status = Talking
		case simline.Ended:
			p.status, p.ended = Over, h.Text
		}
	})
	if p.actor != nil {
		p.actor.Notice(line, h)
	}
	p.handleLineEvent(line, h)
}

// scriptEnded is called when the script is complete.
func (p *Phone) scriptEnded(err error) {
	p.change(func() {
		p.acting = true
		if err != nil {
			p.failed = err.Error()
		}
	})
}

// finish stores the result of the call.
func (p *Phone) finish(result voice.Result) {
	p.change(func() {
		p.result, p.status = &result, Over
		if p.ended == "" {
			p.ended = result.HangupReason
		}
	})
}

func (p *Phone) over(why string) {
	p.change(func() {
		if p.status != Over {
			p.status, p.ended = Over, why
		}
	})
}

// change changes the phone and notifies waiting requests.
func (p *Phone) change(do func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	do()
	p.changes.Tell()
}

// Wait returns when the phone's [View] has a newer version, or ctx ends.
func (p *Phone) Wait(ctx context.Context, version int) {
	p.countWaiting(1)
	defer p.countWaiting(-1)
	p.changes.Wait(ctx, version)
}

// countWaiting adds more to the number of waiting requests.
func (p *Phone) countWaiting(more int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.looking += more
	p.waited = true
	p.restartTimer()
}

// restartTimer restarts the timer for an abandoned phone; the phone is locked.
func (p *Phone) restartTimer() {
	p.looked = p.clock.Now()
	if p.away != nil {
		p.away.Stop()
	}
	if p.waited && p.looking == 0 && p.status != Over {
		p.away = p.wall.AfterFunc(awayAfter, p.leave)
	}
}

// leave hangs up an abandoned phone, one whose program no longer waits for its changes. A phone with a script continues
// by itself, and a waiting phone of a role stays attached.
func (p *Phone) leave() {
	p.mu.Lock()
	held := p.looking > 0 || p.status == Over || p.at.Kind == Role && p.status == Waiting
	acts := p.scripted && !p.acting
	if !held && acts {
		p.restartTimer()
	}
	p.mu.Unlock()
	if !held && !acts {
		p.Hangup()
	}
}

// canBeCalled reports whether the phone can be called. A phone of a role can only be called
// while a request waits for its changes; otherwise calls go to the simulated answer.
func (p *Phone) canBeCalled() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.status != Waiting:
		return false
	case p.at.Kind != Role || p.looking > 0 || p.scripted:
		return true
	}
	return p.clock.Now().Sub(p.looked) <= voice.While(p.clock, awayAfter)
}

// awayAfter is how long, in real time, no request may wait for a phone's changes before
// it counts as abandoned.
const awayAfter = 10 * time.Second
