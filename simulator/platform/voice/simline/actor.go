package simline

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Actor is a person who follows a script: [Actor.Notice] is the party of a
// [Behaviour], or the listener of a caller.
//
// What a script expects counts as heard at the moment its last word has been
// spoken, not when the prompt begins: a person who presses 1 after "press 1" cuts
// short what comes behind it and nothing before.
type Actor struct {
	clock voice.Clock
	done  func(error)

	mu      sync.Mutex
	phone   *Phone
	steps   Script
	next    int
	begun   bool
	ended   bool
	heard   string // since the last expectation was met
	current string // what is being heard
	from    time.Time
	length  time.Duration
	waiting voice.Timer // for the words expected to be spoken, or a step to be done
	late    voice.Timer // for the words never to come
}

// Notice is told what happens on the phone.
func (a *Actor) Notice(p *Phone, h Happening) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return
	}
	a.phone = p
	switch h.Kind {
	case Heard:
		if h.From != FromTone {
			a.current, a.from, a.length = plain(h.Text), a.clock.Now(), h.Length
		}
	case Silence:
		a.settle(a.length)
	case Cut:
		a.settle(a.clock.Now().Sub(a.from))
	case Ended:
		a.settle(a.clock.Now().Sub(a.from)) // what was spoken by now was heard
		if a.begun {
			a.listen()
		}
		a.end(nil)
		return
	}
	switch {
	case !a.begun && h.Kind == Answered:
		a.begun = true
		a.step()
	case a.begun && (h.Kind == Heard || h.Kind == Silence || h.Kind == Cut):
		a.listen()
	}
}

// settle keeps as much of what is being heard as has been spoken.
func (a *Actor) settle(spoken time.Duration) {
	if a.length > 0 {
		part := min(float64(spoken)/float64(a.length), 1)
		a.heard += " " + a.current[:int(part*float64(len(a.current)))]
	}
	const most = 16 << 10
	a.heard = a.heard[max(0, len(a.heard)-most):]
	a.current, a.length = "", 0
}

// step does the next step; the lock is held.
func (a *Actor) step() {
	a.pause()
	if a.next >= len(a.steps) {
		return // listens until the other side hangs up
	}
	s := a.steps[a.next]
	switch {
	case s.Expect != "":
		a.late = a.clock.AfterFunc(Patience, a.missed)
		a.listen()
	case s.Press != "":
		a.later(a.phone.Press(s.Press))
	case s.Say != "":
		a.later(a.phone.Say(s.Say))
	case s.Hangup:
		a.end(nil)
		a.clock.AfterFunc(0, a.phone.Hangup)
	default:
		a.later(s.Wait)
	}
}

// pause stops waiting.
func (a *Actor) pause() {
	if a.waiting != nil {
		a.waiting.Stop()
	}
	if a.late != nil {
		a.late.Stop()
	}
}

// later goes on with the next step in d.
func (a *Actor) later(d time.Duration) {
	at := a.next
	a.waiting = a.clock.AfterFunc(d, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if !a.ended && a.next == at {
			a.next++
			a.step()
		}
	})
}

// listen looks for what is expected in what has been and is being heard.
func (a *Actor) listen() {
	if a.next >= len(a.steps) || a.steps[a.next].Expect == "" {
		return
	}
	if a.waiting != nil {
		a.waiting.Stop()
	}
	words := plain(a.steps[a.next].Expect)
	before := plain(a.heard)
	whole := plain(before + " " + a.current)
	i := strings.Index(whole, words)
	if i < 0 {
		return
	}
	at := i + len(words)
	beyond := at - (len(whole) - len(a.current)) // characters of what is being heard
	if beyond <= 0 || a.length == 0 {
		a.met(at, whole)
		return
	}
	due := time.Duration(float64(a.length) * float64(beyond) / float64(len(a.current)))
	step, current := a.next, a.current
	a.waiting = a.clock.AfterFunc(due-a.clock.Now().Sub(a.from), func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.ended || a.next != step || a.current != current {
			return
		}
		a.met(at, whole)
	})
}

// met goes on after an expectation; what was heard up to there is done with.
func (a *Actor) met(at int, whole string) {
	if a.current == "" {
		a.heard = whole[at:]
	} else {
		a.heard = ""
		rest := whole[at:]
		if a.length > 0 {
			spoken := len(a.current) - len(rest)
			gone := time.Duration(float64(a.length) * float64(spoken) / float64(len(a.current)))
			a.from, a.length = a.from.Add(gone), a.length-gone
		}
		a.current = rest
	}
	a.next++
	a.step()
}

// missed is when what is expected has not been heard for too long.
func (a *Actor) missed() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return
	}
	err := fmt.Errorf("step %d: did not hear %q within %s", a.next+1, a.steps[a.next].Expect, Patience)
	a.end(err)
	a.clock.AfterFunc(0, a.phone.Hangup)
}

// end ends the script. Steps that are left are an error.
func (a *Actor) end(err error) {
	a.pause()
	a.ended = true
	if err == nil && !a.through() {
		err = fmt.Errorf("step %d: the other side has hung up", a.next+1)
	}
	if a.done != nil {
		a.clock.AfterFunc(0, func() { a.done(err) })
	}
}

// through tells whether nothing is left that should have happened: the other side
// may hang up on the last key or during a last wait.
func (a *Actor) through() bool {
	switch len(a.steps) - a.next {
	case 0:
		return true
	case 1:
		last := a.steps[a.next]
		return last.Hangup || last.Press != "" || last.Wait > 0
	}
	return false
}

// plain makes words comparable.
func plain(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }
