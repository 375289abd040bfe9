package simulator

import (
	"context"
	"log/slog"
)

// sweep lets the service do what a timer missed, as while the world was stopped, and
// plans the next sweep.
func (w *World) sweep() {
	if err := w.service.Sweep(w.now.time()); err != nil {
		w.log.Warn("sweep", slog.Any("error", err))
	}
	w.plan(event{at: momentOf(w.sweepAt.Next(w.now.time())), kind: evSweep})
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
