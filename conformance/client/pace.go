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

// pace delays calls so that their rate stays within the operator's limit and the server's
// capacity.
type pace struct {
	mu      sync.Mutex
	most    rate.Limit // the operator's limit
	limiter *rate.Limiter
	slowed  time.Time   // when it was halved last
	served  int         // calls since it last changed
	recent  []time.Time // when calls of the last second were served
}

// newPace returns a pace of perSecond calls; 0: no limit.
func newPace(perSecond float64) *pace {
	most := rate.Inf
	if perSecond > 0 {
		most = rate.Limit(perSecond)
	}
	return &pace{most: most, limiter: rate.NewLimiter(most, 1)}
}

// turn returns how long the next call has to wait at a time. ok is false if that is longer than most: the call is not
// made, and takes nobody's turn.
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

// slow halves the pace.
func (p *pace) slow(now time.Time) {
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

// serve records a served call, and raises the pace after recovery of them.
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

// backoff returns the waiting time after the nth refusal of a server that gives
// none.
func backoff(n int) time.Duration { return soon << (n - 1) }

// Pause waits. It returns false if the run was stopped first.
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
