package phones

import (
	"errors"

	"github.com/cabrank/cabrank/simulator/platform/voice/simline"
)

// maxUnsaid limits how many sentences may wait to be spoken.
const maxUnsaid = 20

// errTooMuch means that too many sentences are waiting to be spoken.
var errTooMuch = errors.New("too many sentences wait until the platform listens")

// turns decides when the caller speaks. People type faster than they speak: what is typed
// before the platform has answered waits until the platform listens, so that it is not
// lost between two questions and does not confirm anything that was not heard.
type turns struct {
	theirs  bool // the platform must answer first
	bridged bool // connected to a person, who hears everything
	unsaid  []string
}

// Say speaks a text, at once or when it is the caller's turn. It does nothing if there is
// no call. Its error is errTooMuch.
func (p *Phone) Say(text string) error {
	p.mu.Lock()
	p.restartTimer()
	line, t := p.line, &p.turns
	wait := len(t.unsaid) > 0 || t.theirs && !t.bridged
	switch {
	case line == nil:
	case p.scripted || p.dialled:
		wait = false
	case wait && len(t.unsaid) >= maxUnsaid:
		p.mu.Unlock()
		return errTooMuch
	case wait:
		t.unsaid = append(t.unsaid, text)
	default:
		t.theirs = true
	}
	p.mu.Unlock()
	if line != nil && !wait {
		line.Say(text)
	}
	return nil
}

// handleLineEvent handles events of the line: a prompt may be interrupted, and a caller who is
// connected to a person speaks all that waits.
func (p *Phone) handleLineEvent(line *simline.Phone, h simline.Happening) {
	p.mu.Lock()
	t := &p.turns
	var all []string
	switch h.Kind {
	case simline.Bridged:
		t.bridged = true
		all, t.unsaid = t.unsaid, nil
	case simline.Parted:
		t.bridged = false
	case simline.Ended:
		t.unsaid = nil
	case simline.Heard:
		t.theirs = t.theirs && h.From == simline.FromTone
	}
	p.mu.Unlock()
	for _, text := range all {
		line.Say(text)
	}
}

// sayNext speaks the next typed sentence that has been waiting until the platform listens.
func (p *Phone) sayNext() {
	p.mu.Lock()
	line, t := p.line, &p.turns
	next := ""
	if len(t.unsaid) > 0 && line != nil {
		next, t.unsaid = t.unsaid[0], t.unsaid[1:]
	}
	t.theirs = next != ""
	p.mu.Unlock()
	if next != "" {
		line.Say(next)
	}
}
