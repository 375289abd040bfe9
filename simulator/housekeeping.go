package simulator

import (
	"context"
	"log/slog"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/cabrank/cabrank/store"
)

// How many jobs one turn of the sweep checks, which takes a millisecond, and the pause
// until the next turn: other turns must not wait for the check of 250,000 jobs.
const (
	sweptAtOnce = 4096
	sweptEvery  = time.Second
)

// upkeep holds the schedules and the progress of periodic work.
type upkeep struct {
	sweepAt cron.Schedule
	swept   int // jobs that the current sweep has checked
	pruneAt cron.Schedule
	stale   chan struct{} // there is forgotten data to delete; received from without the lock
}

// sweep lets the service run timers that were missed, for example while the world was
// stopped, for a part of the jobs. It plans the next part, and after the last part the
// next sweep.
func (w *core) sweep() {
	until := min(w.swept+sweptAtOnce, len(w.jobs.all))
	var journeys []*store.Journey
	for i := range w.jobs.all[w.swept:until] {
		if j := &w.jobs.all[w.swept+i]; j.born != 0 {
			journeys = append(journeys, j.journey)
		}
	}
	if err := w.service.SweepAmong(w.now.time(), journeys); err != nil {
		w.log.Warn("sweep", slog.Any("error", err))
	}
	next := w.now.add(sweptEvery)
	if w.swept = until; w.swept >= len(w.jobs.all) {
		w.swept, next = 0, momentOf(w.sweepAt.Next(w.now.time()))
	}
	w.plan(event{at: next, kind: evSweep})
}

// forget lets the service forget journeys that ended long ago, once a day. They are
// deleted after the turn, since that takes a while.
func (w *core) forget() {
	w.service.Forget(w.now.time())
	select {
	case w.stale <- struct{}{}:
	default: // earlier data is still waiting to be deleted
	}
	w.plan(event{at: momentOf(w.pruneAt.Next(w.now.time())), kind: evForget})
}

// pruneUntil deletes forgotten data until ctx ends.
func (w *World) pruneUntil(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.stale:
			w.prune(ctx)
		}
	}
}

// pruneStale deletes forgotten data, if there is any, when Run is not running.
func (w *World) pruneStale() {
	select {
	case <-w.stale:
		w.prune(context.Background())
	default:
	}
}

// prune deletes forgotten data. What remains after an error is deleted the next time.
func (w *World) prune(ctx context.Context) {
	if _, err := w.service.Prune(ctx); err != nil && ctx.Err() == nil {
		w.log.WarnContext(ctx, "prune", slog.Any("error", err))
	}
}
