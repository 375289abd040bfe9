package leases

import (
	"context"
	"time"
)

// limits are the time limits of requests: the database may hang.
type limits struct {
	usual time.Duration // without a limit of the caller
	long  time.Duration // … where many records, or the commits of others, may take their time
	give  time.Duration // in any case: leases are not renewed meanwhile
}

// usualLimits are those of all tables, except in tests. Two renewals of a lease of three
// seconds fit beside a Give.
var usualLimits = limits{usual: 5 * time.Second, long: 30 * time.Second, give: 1500 * time.Millisecond}

// within limits the time of a request whose caller has set no limit.
func within(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	if _, limited := ctx.Deadline(); limited {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, most)
}

// turn waits for the other statements that lock many worlds, and keeps them out until done.
func (t *Table) turn(ctx context.Context) (done func(), err error) {
	select {
	case t.many <- struct{}{}:
		return func() { <-t.many }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
