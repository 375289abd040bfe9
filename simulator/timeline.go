package simulator

import "time"

// moment is an instant of the world's time: milliseconds since the Unix epoch.
type moment int64

// momentOf is the first moment not before t, so that what is due at t is due then.
func momentOf(t time.Time) moment {
	m := moment(t.UnixMilli())
	if m.time().Before(t) {
		m++
	}
	return m
}

func (m moment) time() time.Time { return time.UnixMilli(int64(m)).UTC() }

// add moves a moment, dropping what is finer than a millisecond.
func (m moment) add(d time.Duration) moment { return m + moment(d/time.Millisecond) }

// sub is how long after o the moment is.
func (m moment) sub(o moment) time.Duration { return time.Duration(m-o) * time.Millisecond }

// MaxSpeed is the highest speed of a world's clock: seconds of the world in one second
// of the wall.
const MaxSpeed = 10_000

// timeline maps the wall's time to the world's: since an anchor, speed times as
// fast. With speed 0, paused or without a wall it stands still.
//
// What counts is how long the machine has run. A machine that was suspended, or
// whose clock was set forward, finds the wall further on than that: the world then
// follows the wall, at no speed. A clock that was set back leaves the world ahead,
// since no time runs back, until it is set forward again.
type timeline struct {
	wall     func() time.Time // nil: moved by hand only
	speed    int64
	paused   bool
	from     moment        // the anchor in the world
	fromWall time.Time     // … and on the wall
	setBack  time.Duration // how far the wall had been set back at the anchor
}

func (t *timeline) runs() bool { return t.wall != nil && t.speed > 0 && !t.paused }

// now reads the timeline. Milliseconds and their fractions are scaled apart, since ten
// days of nanoseconds times ten thousand would overflow.
func (t *timeline) now() moment {
	if !t.runs() {
		return t.from
	}
	return t.at(t.wall())
}

// at is what a timeline that runs shows at a time of the wall.
func (t *timeline) at(at time.Time) moment {
	since := at.Sub(t.fromWall)
	whole, rest := since/time.Millisecond, since%time.Millisecond
	ran := moment(int64(whole)*t.speed + int64(rest)*t.speed/int64(time.Millisecond))
	return t.from + ran + moment(max(0, t.skipped(at))/time.Millisecond)
}

// skipped is how much further the wall has moved since the anchor than the machine
// has run; negative: it was set back.
func (t *timeline) skipped(at time.Time) time.Duration {
	return at.Round(0).Sub(t.fromWall.Round(0)) - at.Sub(t.fromWall) - t.setBack
}

// follow reads the timeline, and takes what the wall has skipped for good. It returns that
// if it is worth telling: a clock that is set back afterwards does not take it back.
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

// move puts the timeline at m; it runs on from there.
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

// setSpeed changes how fast the timeline runs, without a jump.
func (t *timeline) setSpeed(speed int64, paused bool) {
	t.move(t.now())
	t.speed, t.paused = speed, paused
}

// wallUntil is how long on the wall it takes to reach m: zero when m has come.
func (t *timeline) wallUntil(m moment) time.Duration {
	ahead := int64(m - t.now())
	if ahead <= 0 {
		return 0
	}
	return time.Duration((ahead*int64(time.Millisecond) + t.speed - 1) / t.speed)
}
