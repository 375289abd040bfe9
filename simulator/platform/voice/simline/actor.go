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
// An expected text counts as heard when its last word has been spoken, not when the
// prompt begins: a person who presses 1 after "press 1" interrupts only what follows it.
type Actor struct {
	clock voice.Clock
	done  func(error)

	mu      sync.Mutex
	phone   *Phone
	steps   Script
	next    int
	begun   bool
	ended   bool
	heard   string // heard since the last expectation was met
	current string // the current prompt
	from    time.Time
	length  time.Duration
	waiting voice.Timer // for the end of the expected words, or for the next step
	late    voice.Timer // for words that are not spoken in time
}

// Notice handles an event of the phone.
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
		a.settle(a.clock.Now().Sub(a.from)) // the part spoken so far was heard
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

// settle adds the part of the current prompt that has been spoken to the text that was heard.
func (a *Actor) settle(spoken time.Duration) {
	if a.length > 0 {
		part := min(float64(spoken)/float64(a.length), 1)
		a.heard += " " + a.current[:int(part*float64(len(a.current)))]
	}
	const most = 16 << 10
	a.heard = a.heard[max(0, len(a.heard)-most):]
	a.current, a.length = "", 0
}

// step performs the next step; the lock is held.
func (a *Actor) step() {
	a.pause()
	if a.next >= len(a.steps) {
		return // listens until the other side hangs up
	}
	s := a.steps[a.next]
	switch {
	case s.Expect != "":
		a.late = a.clock.AfterFunc(a.patience(), a.expectationMissed)
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

// pause cancels the timer for the next step.
func (a *Actor) pause() {
	if a.waiting != nil {
		a.waiting.Stop()
	}
	if a.late != nil {
		a.late.Stop()
	}
}

// later performs the next step after d.
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

// listen looks for the expected text in what has been heard and in the current prompt.
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
	beyond := at - (len(whole) - len(a.current)) // characters of the current prompt
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

// met continues after an expected text was heard; the text up to its end is removed.
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

// patience returns the time limit for an expected text: on a fast clock at least [wallPatience] of real time, since a
// third party responds in real time.
func (a *Actor) patience() time.Duration { return max(Patience, voice.While(a.clock, wallPatience)) }

// expectationMissed ends the script because the expected text was not heard in time.
func (a *Actor) expectationMissed() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return
	}
	err := fmt.Errorf("step %d: did not hear %q within %s", a.next+1, a.steps[a.next].Expect, a.patience())
	a.end(err)
	a.clock.AfterFunc(0, a.phone.Hangup)
}

// end ends the script. Remaining steps are an error.
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

// through reports whether no required step is left: the other side may hang up during the last keys or a last wait.
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

// plain normalises words for comparison.
func plain(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }
