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

// prune lets the service delete journeys that ended long ago, once a day.
func (w *World) prune() {
	if _, err := w.service.Prune(context.Background(), w.now.time()); err != nil {
		w.log.Warn("prune", slog.Any("error", err))
	}
	w.plan(event{at: momentOf(w.pruneAt.Next(w.now.time())), kind: evPrune})
}
