package simulator

import (
	"context"
	"log/slog"
	"math"
	"sync"
	"time"
)

// Run makes events happen on time by the wall clock, until ctx ends. Without Run a
// world catches up at each request. At the end Run logs how late events were.
func (w *World) Run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	w.attend(true)
	defer w.attend(false)
	var pruning sync.WaitGroup
	pruning.Go(func() { w.pruneUntil(ctx) })
	defer pruning.Wait()
	for {
		select {
		case <-ctx.Done():
			w.logLag()
			return
		case <-timer.C:
		case <-w.wake:
		}
		if wait, ok := w.runDue(); ok {
			timer.Reset(wait)
		} else {
			timer.Stop()
		}
	}
}

// attend says whether Run attends to the events.
func (w *World) attend(yes bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.attended = yes
}

// logLag logs how late events happened.
func (w *World) logLag() {
	s := w.Stats()
	w.log.Info("the clock has stopped", slog.Uint64("events", s.Events),
		slog.Duration("lag_p50", s.LagP50), slog.Duration("lag_p99", s.LagP99), slog.Duration("lag_max", s.LagMax))
}

// runDue makes the due events happen, measures how late they are, and returns how long
// to wait for the next. It returns false if the clock stands still.
func (w *World) runDue() (time.Duration, bool) {
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
