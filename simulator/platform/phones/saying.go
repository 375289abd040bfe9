package phones

import "github.com/cabrank/cabrank/simulator/platform/voice/simline"

// maxUnsaid is how many sentences may wait to be said.
const maxUnsaid = 20

// turns is whose turn it is to speak. Who types is quicker than who speaks: what is typed
// while the platform has yet to answer is said once it speaks or listens, so that none of
// it is lost between two gathers.
type turns struct {
	theirs  bool // the platform has yet to answer
	bridged bool // with a person, who hears everything
	unsaid  []string
}

// Say says something. On a line where that cannot be done nothing happens.
func (p *Phone) Say(text string) {
	p.mu.Lock()
	p.see()
	line := p.line
	wait := p.turns.theirs && !p.turns.bridged && !p.dialled
	if wait && line != nil && len(p.turns.unsaid) < maxUnsaid {
		p.turns.unsaid = append(p.turns.unsaid, text)
	}
	p.turns.theirs = true
	p.mu.Unlock()
	if line != nil && !wait {
		line.Say(text)
	}
}

// hears notes what is heard on the line.
func (p *Phone) hears(line *simline.Phone, h simline.Happening) {
	p.mu.Lock()
	switch h.Kind {
	case simline.Bridged:
		p.turns.bridged = true
	case simline.Parted:
		p.turns.bridged = false
	case simline.Ended:
		p.turns.unsaid = nil
	}
	p.mu.Unlock()
	if h.Kind == simline.Bridged || h.Kind == simline.Heard && h.From != simline.FromTone {
		p.mayspeak(line)
	}
}

// mayspeak has the person say what waits to be said.
func (p *Phone) mayspeak(line *simline.Phone) {
	p.mu.Lock()
	if p.scripted || line == nil {
		p.mu.Unlock()
		return
	}
	next := ""
	if p.turns.theirs = len(p.turns.unsaid) > 0; p.turns.theirs {
		next, p.turns.unsaid = p.turns.unsaid[0], p.turns.unsaid[1:]
	}
	p.mu.Unlock()
	if next != "" {
		line.Say(next)
	}
}
