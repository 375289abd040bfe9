package serving

import (
	"context"
	"sync"
)

// pace runs the world's clock at the speed of speech while a call is up, so that the taxi
// does not arrive before the caller has hung up. If somebody else sets another speed
// meanwhile, pace leaves it.
type pace struct {
	talking int // the speed during calls
	speed   func() int
	set     func(int) error

	mu    sync.Mutex
	up    int
	news  chan struct{} // of length one: the number of calls has changed
	usual int           // the speed before the calls; 0: no call is up, or the clock was slow already
}

func newPace(talking int, speed func() int, set func(int) error) *pace {
	return &pace{talking: talking, speed: speed, set: set, news: make(chan struct{}, 1)}
}

// live sets the number of calls that are up. It does not block.
func (p *pace) live(calls int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.up = calls
	select {
	case p.news <- struct{}{}:
	default: // the last change has not been read yet
	}
}

// keep adjusts the speed until ctx ends.
func (p *pace) keep(ctx context.Context) {
	for ctx.Err() == nil {
		p.adjust()
		select {
		case <-p.news:
		case <-ctx.Done():
		}
	}
}

// adjust sets the speed for the current number of calls.
func (p *pace) adjust() {
	p.mu.Lock()
	up := p.up
	p.mu.Unlock()
	now := p.speed()
	switch {
	case up > 0 && p.usual == 0 && now > p.talking:
		if p.set(p.talking) == nil {
			p.usual = now
		}
	case up == 0 && p.usual > 0:
		if now == p.talking {
			_ = p.set(p.usual) // a speed that was set before, so it is valid
		}
		p.usual = 0
	}
}
