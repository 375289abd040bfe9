package simulator

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// Clock reads and moves a world's clock. When it is moved, every event in between happens
// at its own time.
type Clock struct{ world *World }

// Clock returns this world's clock.
func (w *World) Clock() Clock { return Clock{w} }

// Reading is the state of a clock.
type Reading struct {
	Now    time.Time
	Speed  int // seconds of the world per second of real time; 0: the clock is moved by hand
	Paused bool
	Lives  int // the speed that the machine reached in the last minute, if it could not keep up with Speed; 0: it keeps up

	Callers Callers
}

// Read returns the state of the clock, after all events that are due.
func (c Clock) Read() Reading {
	now, leave := c.world.Enter()
	defer leave()
	w := c.world
	return Reading{now, int(w.time.speed), w.time.paused, w.pace.lives, w.callersMean()}
}

// Now returns the time in the world.
func (c Clock) Now() time.Time { return c.Read().Now }

// SetSpeed sets how many times faster than real time the clock runs, up to [MaxSpeed]; at
// 0 it stands still and is moved by hand. The clock does not jump.
func (c Clock) SetSpeed(speed int) error {
	w := c.world
	switch {
	case speed < 0 || speed > MaxSpeed:
		return fmt.Errorf("speed %d is not between 0 and %d", speed, MaxSpeed)
	case speed > 0 && w.time.wall == nil:
		return errors.New("this world has no wall to run by")
	}
	c.change(func(t *timeline) {
		t.setSpeed(int64(speed), t.paused)
		w.pace = pace{}
	})
	return nil
}

// SetCallers sets which clock callers use when they name a time. In a world without a wall
// clock it is always the world's.
func (c Clock) SetCallers(mean Callers) {
	_, leave := c.world.Enter()
	defer leave()
	c.world.callers = mean
}

// runs reports whether the clock moves by itself.
func (c Clock) runs() bool {
	_, leave := c.world.Enter()
	defer leave()
	return c.world.time.runs()
}

// Pause stops the clock until [Clock.Resume]. It can still be moved by hand.
func (c Clock) Pause() { c.change(func(t *timeline) { t.setSpeed(t.speed, true) }) }

// Resume continues a paused clock.
func (c Clock) Resume() { c.change(func(t *timeline) { t.setSpeed(t.speed, false) }) }

func (c Clock) change(fn func(*timeline)) {
	_, leave := c.world.Enter()
	defer leave()
	fn(&c.world.time)
	c.world.wakeRun()
}

// Advance moves the clock forward by d.
func (c Clock) Advance(ctx context.Context, d time.Duration) error {
	return c.AdvanceTo(ctx, c.Now().Add(d))
}

// AdvanceTo moves the clock forward to t; it does nothing if t has passed. If ctx ends,
// it stops early and returns the context's error.
func (c Clock) AdvanceTo(ctx context.Context, t time.Time) error {
	_, err := c.until(ctx, momentOf(t), func() bool { return false })
	return err
}

// ErrNotReached means that a condition was not met within the time limit.
var ErrNotReached = errors.New("not reached in time")

// Until moves the clock forward, event by event, until done reports true. After limit it
// returns [ErrNotReached]. done is called between turns, the first time before the clock
// moves; it may call the world's service.
func (c Clock) Until(ctx context.Context, limit time.Duration, done func() bool) error {
	ok, err := c.until(ctx, momentOf(c.Now().Add(limit)), done)
	if err == nil && !ok {
		return fmt.Errorf("within %v: %w", limit, ErrNotReached)
	}
	return err
}

// StatusError reports the status of a journey that did not reach the wanted one.
type StatusError struct {
	Journey  taxi.JourneyID
	Is, Want taxi.Status
	Since    time.Time // by the world's clock
	cause    error
}

// Error contains the journey, its status and the time of its last change.
func (e *StatusError) Error() string {
	return fmt.Sprintf("journey %s is %s since %s, not %s: %v", e.Journey, e.Is, e.Since.Format(time.DateTime), e.Want, e.cause)
}

// Unwrap returns [ErrNotReached], or the context's error.
func (e *StatusError) Unwrap() error { return e.cause }

// UntilStatus moves the clock forward until a journey has a status. It returns a
// [StatusError] after limit, or if the journey has ended with another status, and
// [store.ErrNotFound] if there is no such journey.
func (c Clock) UntilStatus(ctx context.Context, id taxi.JourneyID, s taxi.Status, limit time.Duration) error {
	var is *store.Snapshot
	var missing error
	err := c.Until(ctx, limit, func() bool {
		is, missing = c.world.records.Journey(ctx, id)
		return errors.Is(missing, store.ErrNotFound) || missing == nil && (is.Status == s || is.Status.Terminal())
	})
	switch {
	case missing != nil:
		return missing
	case err == nil && is.Status != s:
		err = ErrNotReached
	case is == nil || err == nil:
		return err
	}
	return &StatusError{id, is.Status, s, is.UpdatedAt, err}
}

// UntilIdle moves the clock forward until no journey is active or booked ahead.
func (c Clock) UntilIdle(ctx context.Context, limit time.Duration) error {
	return c.Until(ctx, limit, func() bool { return c.world.idle() })
}

// Step moves the clock to the next event, which then happens.
func (c Clock) Step(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.world.forward(math.MaxInt64)
	return c.world.keepTime(ctx)
}

// until moves the clock to limit, or until done reports true. Other turns can run in
// between. The time that it reaches is stored, see [Keeper].
func (c Clock) until(ctx context.Context, limit moment, done func() bool) (bool, error) {
	ok, err := c.move(ctx, limit, done)
	if kept := c.world.keepTime(ctx); err == nil {
		err = kept
	}
	return ok, err
}

// keepTime stores the time of a clock that was moved by hand, and waits for the disk.
func (w *World) keepTime(ctx context.Context) error {
	if w.keeping == nil {
		return nil
	}
	w.mu.Lock()
	ticket, err := w.keeping.moved(w.now)
	w.mu.Unlock()
	if err != nil {
		return err
	}
	return ticket.Wait(ctx)
}

// move is until without storing the time.
func (c Clock) move(ctx context.Context, limit moment, done func() bool) (bool, error) {
	for {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if done() {
			return true, nil
		}
		if !c.world.forward(limit) {
			return done(), nil
		}
	}
}

// forward makes the next event happen and returns true, or moves the clock to limit and
// returns false if there is no event before it. It is a turn of one event, unlike the
// turns of [World.Enter].
func (w *World) forward(limit moment) bool {
	defer w.pruneStale()
	w.mu.Lock()
	defer w.leave()
	happened := w.executeNextBy(limit)
	if !happened {
		w.now = max(w.now, limit)
	}
	w.time.move(max(w.now, w.time.now()))
	w.wakeRun()
	return happened
}

// Callers is the clock that callers use when they name a time.
type Callers string

// The clocks of callers.
const (
	CallersByWall  Callers = "wall"  // the wall clock: "in half an hour" is half an hour of the world, too; the zero value means the same
	CallersByWorld Callers = "world" // the world's clock: a time is used as it is written

	// CallersByEither is for callers of both kinds, in a world that is ahead of the wall
	// clock: a time that has passed in the world, but not by the wall clock, is by the
	// wall clock; all other times are by the world's.
	CallersByEither Callers = "either"
)

// Known reports whether c is one of the constants.
func (c Callers) Known() bool {
	return c == CallersByWall || c == CallersByWorld || c == CallersByEither
}

// clients is the clock of the callers.
type clients struct {
	clientNow func() time.Time // nil: the world's clock
	callers   Callers          // the clock that they use
}

// callersMean returns the clock that callers use.
func (c *clients) callersMean() Callers {
	switch {
	case c.clientNow == nil:
		return CallersByWorld
	case c.callers == "":
		return CallersByWall
	}
	return c.callers
}

// clientClock reads the clock of the callers in a turn, and reports whether the time that
// a caller names is by that clock rather than by the world's.
func (w *core) clientClock(asked time.Time) (time.Time, bool) {
	at := w.clientNow()
	if w.clientNear(at) || !w.byWall(asked, at) {
		return time.Time{}, false
	}
	return momentOf(at).time(), true
}

// clientNear reports whether the callers' clock and the world's show the same: at speed 1
// they do, unless the world has been advanced.
func (w *core) clientNear(at time.Time) bool {
	return w.time.speed == 1 && w.now.sub(momentOf(at)) < time.Second
}

// lately is how long before now a time still means now.
const lately = time.Minute

// byWall reports whether a time that a caller names is by the wall clock, whose time is
// wall.
func (w *core) byWall(asked, wall time.Time) bool {
	switch w.callersMean() {
	case CallersByWorld:
		return false
	case CallersByEither:
		return asked.Before(w.now.time().Add(-lately)) && !asked.Before(wall.Add(-lately))
	}
	return true
}
