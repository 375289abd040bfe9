package live

import (
	"context"
	"time"
)

// longestEnd is how long after the start of its answer a query waits for a call to
// end.
const longestEnd = time.Second

// begin records that the answer of a call has started.
func (l *Journal) begin(k *Call) {
	now := l.opts.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	if k.begunAt.IsZero() {
		l.begun = append(l.begun, k)
		k.place = len(l.begun) - 1
	}
	k.begunAt = now
}

// unlist records that a call has ended; mu is held.
func (l *Journal) unlist(k *Call) {
	if k.begunAt.IsZero() {
		return // there was no answer
	}
	last := len(l.begun) - 1
	l.begun[k.place] = l.begun[last]
	l.begun[k.place].place = k.place
	l.begun[last] = nil
	l.begun, k.begunAt = l.begun[:last], time.Time{}
}

// Ended waits for the calls whose answers have started. A caller who has received an answer
// may query the call at once, before the handler has returned. Ended does not wait for
// answers that take long.
func (l *Journal) Ended(ctx context.Context) {
	l.mu.Lock()
	now, wait := l.opts.Now(), time.Duration(0)
	var open []*Call
	for _, k := range l.begun {
		if left := k.begunAt.Add(longestEnd).Sub(now); left > 0 {
			open, wait = append(open, k), max(wait, left)
		}
	}
	l.mu.Unlock()
	if len(open) == 0 {
		return
	}
	end := time.NewTimer(min(wait, longestEnd)) // the wall clock may have been set back
	defer end.Stop()
	for {
		l.mu.Lock()
		for len(open) > 0 && open[0].begunAt.IsZero() {
			open = open[1:]
		}
		news := l.heard()
		l.mu.Unlock()
		if len(open) == 0 {
			return
		}
		select {
		case <-news:
		case <-end.C:
			return
		case <-l.released:
			return
		case <-ctx.Done():
			return
		}
	}
}
