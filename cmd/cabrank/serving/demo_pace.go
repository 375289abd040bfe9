package serving

import (
	"context"
	"sync"
)

// pace has the world live as fast as people talk while somebody is on the phone, so that
// the taxi does not come and go before they have hung up. Who sets another speed
// meanwhile keeps it.
type pace struct {
	talking int // how fast people talk
	speed   func() int
	set     func(int) error

	mu    sync.Mutex
	up    int
	news  chan struct{} // one: up is another number
	usual int           // the speed before the calls; 0: nobody is on the phone, or it is slow anyway
}

func newPace(talking int, speed func() int, set func(int) error) *pace {
	return &pace{talking: talking, speed: speed, set: set, news: make(chan struct{}, 1)}
}

// live notes how many calls are up. It does not wait.
func (p *pace) live(calls int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.up = calls
	select {
	case p.news <- struct{}{}:
	default: // the news before has not been seen
	}
}

// keep keeps the pace until ctx ends.
func (p *pace) keep(ctx context.Context) {
	for ctx.Err() == nil {
		p.adjust()
		select {
		case <-p.news:
		case <-ctx.Done():
		}
	}
}

// adjust sets the speed that the calls ask for.
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
			_ = p.set(p.usual) // a speed that it had
		}
		p.usual = 0
	}
}
