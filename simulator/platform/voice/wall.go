package voice

import "time"

// Wall is a clock that runs by itself, as fast as the wall's or faster.
type Wall struct {
	read  func() time.Time
	start time.Time
	speed float64
}

// NewWall returns a clock that shows the wall's time now and runs speed times as
// fast from here on; 0 is 1. read is time.Now.
func NewWall(read func() time.Time, speed float64) *Wall {
	if speed <= 0 {
		speed = 1
	}
	return &Wall{read: read, start: read(), speed: speed}
}

// Now returns the time.
func (w *Wall) Now() time.Time {
	return w.start.Add(time.Duration(float64(w.read().Sub(w.start)) * w.speed))
}

// While returns how much time this clock shows pass while d of the wall's does: the
// limit of a wait for somebody who lives by the wall.
func (w *Wall) While(d time.Duration) time.Duration { return time.Duration(float64(d) * w.speed) }

// AfterFunc calls f once d has passed on this clock.
func (w *Wall) AfterFunc(d time.Duration, f func()) Timer {
	return time.AfterFunc(time.Duration(float64(d)/w.speed), f)
}

// Go runs f in a goroutine of its own.
func (w *Wall) Go(f func()) { go f() }
