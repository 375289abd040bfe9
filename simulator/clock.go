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

// Clock reads and moves a world's clock. Moving it makes every event in between happen,
// each at its own moment.
type Clock struct{ world *World }

// Clock returns this world's clock.
func (w *World) Clock() Clock { return Clock{w} }

// Reading is what a clock shows.
type Reading struct {
	Now    time.Time
	Speed  int // seconds of the world in one of the wall; 0: moved by hand
	Paused bool
	Lives  int // the speed that the machine managed when the clock had to wait for the world, within a minute; 0: it keeps up

	Callers Callers
}

// Read returns what the clock shows, after everything due has happened.
func (c Clock) Read() Reading {
	now, leave := c.world.Enter()
	defer leave()
	w := c.world
	return Reading{now, int(w.time.speed), w.time.paused, w.pace.lives, w.callersMean()}
}

// Now is the time in the world.
func (c Clock) Now() time.Time { return c.Read().Now }

// SetSpeed makes the clock run so many times as fast as the wall from now on, up to
// [MaxSpeed]; at 0 it stands still and is moved by hand. It does not jump.
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

// SetCallers says whose clock callers mean from now on when they name a time. What they
// meant is in the recording. Without a wall it is always the world's.
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

// Advance moves the clock ahead.
func (c Clock) Advance(ctx context.Context, d time.Duration) error {
	return c.AdvanceTo(ctx, c.Now().Add(d))
}

// AdvanceTo moves the clock ahead to t; a time that has passed is no move. It
// stops early when ctx ends, and returns its error.
func (c Clock) AdvanceTo(ctx context.Context, t time.Time) error {
	_, err := c.until(ctx, momentOf(t), func() bool { return false })
	return err
}

// ErrNotReached means that what was waited for did not happen within the time
// given.
var ErrNotReached = errors.New("not reached in time")

// Until moves the clock ahead, event by event, until done reports true, at most
// by limit: then it returns [ErrNotReached]. done is called between turns, first
// of all before the clock moves; it may ask the world's service.
func (c Clock) Until(ctx context.Context, limit time.Duration, done func() bool) error {
	ok, err := c.until(ctx, momentOf(c.Now().Add(limit)), done)
	if err == nil && !ok {
		return fmt.Errorf("within %v: %w", limit, ErrNotReached)
	}
	return err
}

// StatusError says where a journey stands that did not come to the status waited for.
type StatusError struct {
	Journey  taxi.JourneyID
	Is, Want taxi.Status
	Since    time.Time // by the world's clock
	cause    error
}

// Error names the journey, its status and since when it has it.
func (e *StatusError) Error() string {
	return fmt.Sprintf("journey %s is %s since %s, not %s: %v", e.Journey, e.Is, e.Since.Format(time.DateTime), e.Want, e.cause)
}

// Unwrap returns [ErrNotReached], or the context's error.
func (e *StatusError) Unwrap() error { return e.cause }

// UntilStatus moves the clock until a journey has a status, at most by limit. A journey
// that has ended otherwise is not waited for: the [StatusError] says how it stands. One
// that does not exist is [store.ErrNotFound].
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

// UntilIdle moves the clock until no journey is under way or held for later.
func (c Clock) UntilIdle(ctx context.Context, limit time.Duration) error {
	return c.Until(ctx, limit, func() bool { return c.world.idle() })
}

// Step moves the clock to the next event and makes it happen.
func (c Clock) Step(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.world.forward(math.MaxInt64)
	return nil
}

// until moves the clock to the limit, or until done. Others get their turns in
// between.
func (c Clock) until(ctx context.Context, limit moment, done func() bool) (bool, error) {
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

// forward makes the next event happen, or moves the clock to the limit if there is none
// before it: then it reports false. It is a turn of one event, unlike the turns of
// [World.Enter].
func (w *World) forward(limit moment) bool {
	defer w.pruneStale()
	w.mu.Lock()
	defer w.leave()
	happened := w.happenBy(limit)
	if !happened {
		w.now = max(w.now, limit)
	}
	w.time.move(max(w.now, w.time.now()))
	w.wakeRun()
	return happened
}

// Callers is whose clock callers mean when they name a time.
type Callers string

// Whose clock callers mean.
const (
	CallersByWall  Callers = "wall"  // the wall's, by which "in half an hour" is half an hour of the world too; the zero value as well
	CallersByWorld Callers = "world" // the world's: a time is taken as it is written

	// CallersByEither is for callers of both kinds at once, in a world that runs ahead: a
	// time that is past in the world but not by the wall is by the wall, all others by the
	// world.
	CallersByEither Callers = "either"
)

// Known reports whether it is one of those.
func (c Callers) Known() bool {
	return c == CallersByWall || c == CallersByWorld || c == CallersByEither
}

// clients is the clock of those who call.
type clients struct {
	clientNow   func() time.Time // nil: the world's
	callers     Callers          // whose clock they mean
	clientShown moment           // what theirs showed when it was last asked in this turn
}

// callersMean is whose clock callers mean here.
func (c *clients) callersMean() Callers {
	switch {
	case c.clientNow == nil:
		return CallersByWorld
	case c.callers == "":
		return CallersByWall
	}
	return c.callers
}

// lately is how long before now a time still means now.
const lately = time.Minute

// byWall reports whether a time that a caller names is by the wall's clock, which shows wall.
func (w *World) byWall(asked, wall time.Time) bool {
	switch w.callersMean() {
	case CallersByWorld:
		return false
	case CallersByEither:
		return asked.Before(w.now.time().Add(-lately)) && !asked.Before(wall.Add(-lately))
	}
	return true
}
