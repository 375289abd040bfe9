package client

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// How a pace changes. For a server that answers 429 without a waiting time, the rate is
// halved; after each recovery of served calls, it rises by a quarter.
const (
	slowest  = rate.Limit(1)          // minimum rate, in calls a second
	settle   = time.Second            // minimum time between two reductions: calls in progress are no new evidence
	recovery = 20                     // calls served before the pace rises
	soon     = 300 * time.Millisecond // the first waiting time if the server gives none; doubled each time
	mostRest = 6                      // maximum tries of a call
)

// pace delays calls so that their rate stays within the operator's limit and what the server can serve.
type pace struct {
	mu      sync.Mutex
	most    rate.Limit // the operator's limit
	limiter *rate.Limiter
	slowed  time.Time   // when the rate was halved last
	served  int         // calls served since the rate last changed
	recent  []time.Time // when calls of the last second were served
}

// newPace returns a pace of perSecond calls a second; 0: no limit.
func newPace(perSecond float64) *pace {
	most := rate.Inf
	if perSecond > 0 {
		most = rate.Limit(perSecond)
	}
	return &pace{most: most, limiter: rate.NewLimiter(most, 1)}
}

// turn reserves the next call and returns how long it has to wait. If that is longer than most, ok is false
// and nothing is reserved.
func (p *pace) turn(now time.Time, most time.Duration) (wait time.Duration, ok bool) {
	if p.limiter.Limit() == rate.Inf {
		return 0, true
	}
	turn := p.limiter.ReserveN(now, 1)
	if wait = turn.DelayFrom(now); wait > most {
		turn.CancelAt(now)
		return 0, false
	}
	return wait, true
}

// halveRate halves the rate, unless it was halved within the last second.
func (p *pace) halveRate(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.slowed.IsZero() && now.Sub(p.slowed) < settle {
		return
	}
	current := p.limiter.Limit()
	if current == rate.Inf {
		current = rate.Limit(p.lastSecond(now))
	}
	p.slowed, p.served = now, 0
	p.limiter.SetLimitAt(now, max(current/2, slowest))
}

// lastSecond counts the calls that were served in the last second.
func (p *pace) lastSecond(now time.Time) int {
	for len(p.recent) > 0 && now.Sub(p.recent[0]) > time.Second {
		p.recent = p.recent[1:]
	}
	return len(p.recent)
}

// serve records a served call, and raises the rate after every 20 of them, up to the operator's limit.
func (p *pace) serve(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.recent = append(p.recent, now)
	p.lastSecond(now)
	current := p.limiter.Limit()
	if p.served++; p.served < recovery || current >= p.most {
		return
	}
	p.served = 0
	p.limiter.SetLimitAt(now, min(current*5/4, p.most))
}

// backoff returns the waiting time after the nth refusal of a call by a server that gives no waiting time.
func backoff(n int) time.Duration { return soon << (n - 1) }

// Pause waits for a duration. It returns false if ctx ended first.
func Pause(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
