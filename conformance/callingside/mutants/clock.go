package mutants

import (
	"context"
	"time"
)

// Clock is how time goes by for a platform and the suite that judges it. A fast one
// makes a scene that follows a journey for seconds a matter of a moment.
type Clock struct {
	Now  func() time.Time
	Wait func(context.Context, time.Duration)
}

// Fast returns a clock that goes so many times as fast as another one's.
func Fast(c Clock, times int) Clock {
	began := c.Now()
	return Clock{
		Now: func() time.Time { return began.Add(c.Now().Sub(began) * time.Duration(times)) },
		Wait: func(ctx context.Context, d time.Duration) {
			c.Wait(ctx, d/time.Duration(times))
		},
	}
}
