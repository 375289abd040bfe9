package phones

import (
	"errors"

	"github.com/cabrank/cabrank/simulator/platform/voice/simline"
)

// maxUnsaid is how many sentences may wait to be said.
const maxUnsaid = 20

// ErrTooMuch means that as many sentences wait to be said as may.
var ErrTooMuch = errors.New("too many sentences wait until the platform listens")

// turns is whose turn it is to speak. People type faster than they speak: what is typed while
// the platform has yet to answer waits until the platform listens, so that it is not lost
// between two questions, and confirms nothing that was not heard.
type turns struct {
	theirs  bool // the platform has yet to answer
	bridged bool // with a person, who hears everything
	unsaid  []string
}

// Say says something, at once or when it is the caller's turn. On a line where that cannot be
// done nothing happens. Its error is [ErrTooMuch].
func (p *Phone) Say(text string) error {
	p.mu.Lock()
	p.see()
	line, t := p.line, &p.turns
	wait := len(t.unsaid) > 0 || t.theirs && !t.bridged
	switch {
	case line == nil:
	case p.scripted || p.dialled:
		wait = false
	case wait && len(t.unsaid) >= maxUnsaid:
		p.mu.Unlock()
		return ErrTooMuch
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

// hears notes what is heard on the line: a prompt may be cut short, and who is put through to
// a person says all that waits.
func (p *Phone) hears(line *simline.Phone, h simline.Happening) {
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

// listened says the next sentence that waits, now that the platform listens.
func (p *Phone) listened() {
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
