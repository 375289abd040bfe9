package simulator

import (
	"context"
	"log/slog"
	"math"
	"time"
)

// Run lets the world live: it waits for each event by the wall and lets it
// happen on time, whether or not anybody asks. It returns when ctx ends. A world
// that nobody runs catches up whenever it is asked. At the end the log tells how
// late the events were.
func (w *World) Run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			w.logLag()
			return
		case <-timer.C:
		case <-w.wake:
		}
		if wait, ok := w.attend(); ok {
			timer.Reset(wait)
		} else {
			timer.Stop()
		}
	}
}

// logLag tells how late events happened.
func (w *World) logLag() {
	s := w.Stats()
	w.log.Info("the clock has stopped", slog.Uint64("events", s.Events),
		slog.Duration("lag_p50", s.LagP50), slog.Duration("lag_p99", s.LagP99), slog.Duration("lag_max", s.LagMax))
}

// attend lets happen what is due, measures how late it is, and returns how long
// to wait for the next event; nothing to wait for if the clock stands still.
func (w *World) attend() (time.Duration, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if due, ok := w.queue.next(); ok && w.time.runs() {
		if late := w.time.now() - due; late >= 0 {
			w.counts.lag.add(time.Duration(late) * time.Millisecond / time.Duration(w.time.speed))
		}
	}
	w.catchUp()
	next, ok := w.queue.next()
	if !ok || !w.time.runs() {
		w.asleepUntil = math.MaxInt64
		return 0, false
	}
	w.asleepUntil = next
	return w.time.wallUntil(next), true
}
