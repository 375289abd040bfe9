package calling

import (
	"context"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Follow polls a journey and shows it each time that anything about it changes, until it
// is over or ctx ends.
func Follow(ctx context.Context, c taxi.Dispatcher, ref taxi.JourneyRef, every time.Duration, show func(taxi.Journey) error) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	last := ""
	for {
		j, err := c.Status(ctx, ref)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		if line := journeyLine(j, false); line != last {
			last = line
			if err := show(j); err != nil {
				return err
			}
		}
		if j.Status.Terminal() {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}
