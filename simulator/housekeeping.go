package simulator

import (
	"context"
	"log/slog"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/cabrank/cabrank/store"
)

// How many jobs are swept in one turn, a millisecond's, and when the next of them are:
// nobody waits for a look at a quarter of a million.
const (
	sweptAtOnce = 4096
	sweptEvery  = time.Second
)

// upkeep is what is done again and again.
type upkeep struct {
	sweepAt cron.Schedule
	swept   int // jobs that the sweep under way has looked at
	pruneAt cron.Schedule
	stale   chan struct{} // something is forgotten and not deleted; received from without the lock
}

// sweep lets the service do what a timer missed, as while the world was stopped, for
// the jobs whose turn it is. It plans the next ones, and after the last the next sweep.
func (w *World) sweep() {
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

// forget lets the service forget what ended long ago, once a day. It is deleted after
// the turn, since that takes a while.
func (w *World) forget() {
	w.service.Forget(w.now.time())
	select {
	case w.stale <- struct{}{}:
	default: // what was forgotten before is not deleted yet
	}
	w.plan(event{at: momentOf(w.pruneAt.Next(w.now.time())), kind: evForget})
}

// pruneUntil deletes what is forgotten, until ctx ends.
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

// pruneStale deletes what is forgotten, if anything is, where Run does not.
func (w *World) pruneStale() {
	select {
	case <-w.stale:
		w.prune(context.Background())
	default:
	}
}

// prune deletes what is forgotten. What is not deleted now is the next time.
func (w *World) prune(ctx context.Context) {
	if _, err := w.service.Prune(ctx); err != nil && ctx.Err() == nil {
		w.log.WarnContext(ctx, "prune", slog.Any("error", err))
	}
}
