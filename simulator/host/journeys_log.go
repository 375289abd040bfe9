package host

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator"
)

// toldBehind limits the changes of journeys that wait to be logged. If the world is faster
// than the log, further changes are dropped and counted in the world's statistics.
const toldBehind = 4096

// logJourneys logs each change of a journey, with the world's time, until the returned
// function is called. The world never waits for the log.
func logJourneys(ctx context.Context, world *simulator.World, log *slog.Logger, running *sync.WaitGroup) (end func()) {
	if log == nil || !log.Enabled(ctx, slog.LevelInfo) {
		return func() {}
	}
	changes, end := world.Subscribe(toldBehind)
	running.Go(func() {
		for c := range changes {
			logJourney(context.WithoutCancel(ctx), log, c)
		}
	})
	return end
}

func logJourney(ctx context.Context, log *slog.Logger, c simulator.Transition) {
	about := []slog.Attr{
		slog.String("journey", string(c.Journey)), slog.String("status", string(c.To)),
		slog.String("event", string(c.Event)), slog.String("world", c.At.UTC().Format(time.DateTime)),
	}
	if c.VehicleID != "" {
		about = append(about, slog.String("vehicle", c.VehicleID))
	}
	log.LogAttrs(ctx, slog.LevelInfo, "journey", about...)
}
