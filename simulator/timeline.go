package simulator

import "time"

// moment is a time of the world in milliseconds since the Unix epoch.
type moment int64

// momentOf returns the first moment not before t, so that an event at t is due at t.
func momentOf(t time.Time) moment {
	m := moment(t.UnixMilli())
	if m.time().Before(t) {
		m++
	}
	return m
}

func (m moment) time() time.Time { return time.UnixMilli(int64(m)).UTC() }

// add adds a duration, rounded down to milliseconds.
func (m moment) add(d time.Duration) moment { return m + moment(d/time.Millisecond) }

// sub returns the duration since o.
func (m moment) sub(o moment) time.Duration { return time.Duration(m-o) * time.Millisecond }

// MaxSpeed is the highest speed of a world's clock: seconds of the world per second of
// real time.
const MaxSpeed = 10_000

// timeline maps the wall clock's time to the world's: since an anchor, speed times as
// fast. With speed 0, paused or without a wall clock it stands still.
//
// The speed applies to the time that the machine was running. If the machine was
// suspended, or the wall clock was set forward, the world moves forward by the same time,
// whatever the speed. If the wall clock was set back, the world stays ahead of it, since
// its time never runs back, until the wall clock is set forward again.
type timeline struct {
	wall     func() time.Time // nil: the clock is moved by hand
	speed    int64
	paused   bool
	from     moment        // the world's time at the anchor
	fromWall time.Time     // the wall clock's time at the anchor
	setBack  time.Duration // how far the wall clock had been set back at the anchor
}

func (t *timeline) runs() bool { return t.wall != nil && t.speed > 0 && !t.paused }

// now returns the current time. Milliseconds and their fractions are scaled separately,
// since ten days of nanoseconds times ten thousand would overflow.
func (t *timeline) now() moment {
	if !t.runs() {
		return t.from
	}
	return t.at(t.wall())
}

// at returns the world's time at a time of the wall clock, while the timeline runs.
func (t *timeline) at(at time.Time) moment {
	since := at.Sub(t.fromWall)
	whole, rest := since/time.Millisecond, since%time.Millisecond
	ran := moment(int64(whole)*t.speed + int64(rest)*t.speed/int64(time.Millisecond))
	return t.from + ran + moment(max(0, t.skipped(at))/time.Millisecond)
}

// skipped returns how much further the wall clock has moved since the anchor than the machine
// has run; negative: it was set back.
func (t *timeline) skipped(at time.Time) time.Duration {
	return at.Round(0).Sub(t.fromWall.Round(0)) - at.Sub(t.fromWall) - t.setBack
}

// follow returns the current time, and makes permanent what the wall clock has skipped:
// setting the clock back later does not undo it. It returns the skipped time if that is
// large enough to report.
func (t *timeline) follow() (now moment, skipped time.Duration) {
	if !t.runs() {
		return t.from, 0
	}
	at := t.wall()
	if skipped = t.skipped(at); skipped < time.Second {
		return t.at(at), 0
	}
	t.move(t.at(at))
	return t.now(), skipped
}

// move sets the world's time to m, from where the timeline continues.
func (t *timeline) move(m moment) {
	if t.wall != nil {
		at := t.wall()
		if !t.fromWall.IsZero() {
			t.setBack = max(0, -t.skipped(at))
		}
		t.fromWall = at
	}
	t.from = m
}

// setSpeed changes the speed of the timeline, without a jump.
func (t *timeline) setSpeed(speed int64, paused bool) {
	t.move(t.now())
	t.speed, t.paused = speed, paused
}

// wallUntil returns the real time until m: zero if m has passed.
func (t *timeline) wallUntil(m moment) time.Duration {
	ahead := int64(m - t.now())
	if ahead <= 0 {
		return 0
	}
	return time.Duration((ahead*int64(time.Millisecond) + t.speed - 1) / t.speed)
}
