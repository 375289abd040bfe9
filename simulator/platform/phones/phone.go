package phones

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/simline"
)

// Status is what a phone is doing.
type Status string

// What phones do.
const (
	Waiting Status = "waiting" // to be rung
	Ringing Status = "ringing" // it is rung, or the one that it calls is
	Talking Status = "talking"
	Over    Status = "over"
)

// Phone is an attached telephone.
type Phone struct {
	id       string
	clock    voice.Clock
	wall     voice.Clock    // by which whoever holds it is away
	actor    *simline.Actor // follows a script
	scripted bool

	mu       sync.Mutex
	at       Far
	line     *simline.Phone
	turns    turns
	call     string
	from, to string
	dialled  bool
	status   Status
	ended    string // why it is over
	lines    []voice.Line
	listens  []Listening
	result   *voice.Result
	failed   string // what the script missed
	acting   bool   // the script has come to its end
	looking  int    // people who wait for news of it
	looked   time.Time
	waited   bool        // somebody has waited for news of it
	away     voice.Timer // runs while nobody does; nil: it never ran
	changes  voice.Changes
}

// View is what a phone looks like at one moment.
type View struct {
	ID         string        `json:"id"`
	Status     Status        `json:"status"`
	Reason     string        `json:"reason,omitempty"` // why it is over
	CallID     string        `json:"callId,omitempty"`
	From       string        `json:"from,omitempty"`
	To         string        `json:"to,omitempty"`
	Rung       bool          `json:"rung"`    // it was called, rather than calls
	Dialled    bool          `json:"dialled"` // by the verb dial or a device: the call may go on without it
	Version    int           `json:"version"` // counts changes
	Transcript []voice.Line  `json:"transcript"`
	Listens    []Listening   `json:"listens,omitempty"` // when the platform waited for an answer of the caller
	Script     string        `json:"script,omitempty"`  // "running", "done", or what it missed
	Result     *voice.Result `json:"-"`                 // of the call, once it is over
}

// Listening is a moment at which the platform began to wait for an answer.
type Listening struct {
	AtMs  int64 `json:"atMs"`  // since the call began
	After int   `json:"after"` // how many lines of the transcript were there
	Asks  any   `json:"asks"`  // what is asked for
	Frame any   `json:"frame"` // what is understood so far
}

// View returns what the phone looks like now, with the transcript from a line on.
func (p *Phone) View(from int) View {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.see()
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

// State returns what the phone is doing.
func (p *Phone) State() Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.status
}

// place is where the phone can be rung, or could.
func (p *Phone) place() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.at.key()
}

// Answer picks up. On a line where that cannot be done nothing happens.
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

// Hangup hangs up; a phone that waits to be rung waits no longer.
func (p *Phone) Hangup() {
	p.with(func(line *simline.Phone) { line.Hangup() })
	if p.State() == Waiting {
		p.over("hung up")
	}
}

func (p *Phone) with(do func(*simline.Phone)) {
	p.mu.Lock()
	p.see()
	line := p.line
	p.mu.Unlock()
	if line != nil {
		do(line)
	}
}

// behaviour is how the phone takes the call that rings it.
func (p *Phone) behaviour() simline.Behaviour {
	b := simline.Behaviour{Setup: setsUpIn, AnswerAfter: simline.Never, Party: p.notice}
	if p.scripted {
		b.AnswerAfter = scriptAnswers
	}
	return b
}

// notice follows what happens on the line.
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
	p.hears(line, h)
}

// acted is told when the script has come to its end.
func (p *Phone) acted(err error) {
	p.change(func() {
		p.acting = true
		if err != nil {
			p.failed = err.Error()
		}
	})
}

// finish records what became of the call.
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

// change changes the phone and tells those who wait.
func (p *Phone) change(do func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	do()
	p.changes.Tell()
}

// Wait returns once something has changed about a phone since a version of its
// [View], or ctx ends.
func (p *Phone) Wait(ctx context.Context, version int) {
	p.look(1)
	defer p.look(-1)
	p.changes.Wait(ctx, version)
}

// look notes that somebody begins to look at the phone, or has looked.
func (p *Phone) look(more int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.looking += more
	p.waited = true
	p.see()
}

// see notes that the phone is in use just now; it is locked.
func (p *Phone) see() {
	p.looked = p.clock.Now()
	if p.away != nil {
		p.away.Stop()
	}
	if p.waited && p.looking == 0 && p.status != Over {
		p.away = p.wall.AfterFunc(awayAfter, p.leave)
	}
}

// leave hangs up a phone that nobody holds any more: the program that waited for news of it
// was killed. A script goes on by itself, and the phone of a role that waits may be taken up
// again.
func (p *Phone) leave() {
	p.mu.Lock()
	held := p.looking > 0 || p.status == Over || p.at.Kind == Role && p.status == Waiting
	acts := p.scripted && !p.acting
	if !held && acts {
		p.see()
	}
	p.mu.Unlock()
	if !held && !acts {
		p.Hangup()
	}
}

// waits reports whether the phone can be rung. That of a role is rung as long as somebody
// looks at it: who goes away leaves the calls to nobody, who answers.
func (p *Phone) waits() bool {
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

// awayAfter is how long nobody has looked at a phone, by the wall, until it is left alone.
const awayAfter = 10 * time.Second
