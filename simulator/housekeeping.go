package simulator

import (
	"context"
	"log/slog"
)

// sweep has the service look for what a timer missed, such as while the world
// stood still, and plans the next look.
func (w *World) sweep() {
	if err := w.service.Sweep(w.now.time()); err != nil {
		w.log.Warn("sweep", slog.Any("error", err))
	}
	w.plan(event{at: momentOf(w.sweepAt.Next(w.now.time())), kind: evSweep})
}

// prune has the service forget journeys that ended long ago, once a day.
func (w *World) prune() {
	if _, err := w.service.Prune(context.Background(), w.now.time()); err != nil {
		w.log.Warn("prune", slog.Any("error", err))
	}
	w.plan(event{at: momentOf(w.pruneAt.Next(w.now.time())), kind: evPrune})
}
