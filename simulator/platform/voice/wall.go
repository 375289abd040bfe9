package voice

import "time"

// Wall is a clock that runs by itself, as fast as the wall's or faster.
//
// One that runs faster lets things happen one after the other, in the order of
// their moments, and waits for them: on a busy machine a key pressed 0.2 s after
// another and a wait of 2 s that it ends may both be due, and the key still comes
// first. So a fast call is as a slow one, only later.
type Wall struct {
	read  func() time.Time
	start time.Time
	speed float64

	agenda            // of a fast clock
	moment  time.Time // of what happens at the moment
	working bool      // something happens at the moment
	alarm   *time.Timer
}

// NewWall returns a clock that shows the wall's time now and runs speed times as
// fast from here on; 0 is 1. read is time.Now.
func NewWall(read func() time.Time, speed float64) *Wall {
	if speed <= 0 {
		speed = 1
	}
	return &Wall{read: read, start: read(), speed: speed}
}

// Now returns the time. A fast clock does not pass what is still to happen.
func (w *Wall) Now() time.Time {
	if w.speed <= 1 {
		return w.reading()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now()
}

// reading is the time by the wall.
func (w *Wall) reading() time.Time {
	return w.start.Add(time.Duration(float64(w.read().Sub(w.start)) * w.speed))
}

// now is Now of a fast clock; the lock is held.
func (w *Wall) now() time.Time {
	now := w.reading()
	switch {
	case w.working:
		return w.moment
	case len(w.heap) > 0 && w.heap[0].at.Before(now):
		return w.heap[0].at
	default:
		return now
	}
}

// while returns how much time this clock shows pass while d of the wall's does: the
// limit of a wait for somebody who lives by the wall.
func (w *Wall) while(d time.Duration) time.Duration { return time.Duration(float64(d) * w.speed) }

// while is how much time a clock shows pass while d of the wall's does: another amount for
// one that runs ahead ([Wall.While]).
func While(clock Clock, d time.Duration) time.Duration {
	if wall, ok := clock.(*Wall); ok {
		return wall.while(d)
	}
	return d
}

// AfterFunc calls f once d has passed on this clock.
func (w *Wall) AfterFunc(d time.Duration, f func()) Timer {
	if w.speed <= 1 {
		return time.AfterFunc(time.Duration(float64(d)/w.speed), f)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.add(w.now().Add(max(d, 0)), f)
	if !w.working && t.place == 0 {
		w.wake(t.at)
	}
	return t
}

// wake has work done at a moment; the lock is held.
func (w *Wall) wake(at time.Time) {
	wait := time.Duration(float64(at.Sub(w.reading())) / w.speed)
	if w.alarm == nil {
		w.alarm = time.AfterFunc(wait, w.work)
		return
	}
	w.alarm.Reset(wait)
}

// work lets everything happen that is due.
func (w *Wall) work() {
	w.mu.Lock()
	if w.working {
		w.mu.Unlock()
		return
	}
	for t := w.take(w.reading()); t != nil; t = w.take(w.reading()) {
		w.working, w.moment = true, t.at
		w.mu.Unlock()
		t.f()
		w.mu.Lock()
	}
	w.working = false
	if len(w.heap) > 0 {
		w.wake(w.heap[0].at)
	}
	w.mu.Unlock()
}

// Go runs f in a goroutine of its own, which ends with f.
func (w *Wall) Go(f func()) {
	go f() // ends with f
}

// Clock is the time that an engine lives by. [Virtual] is moved by hand, [Wall]
// runs by itself at any speed; inside a testing/synctest bubble Wall is virtual.
type Clock interface {
	Now() time.Time

	// AfterFunc calls f once d has passed, unless it is stopped before. f does not
	// block.
	AfterFunc(d time.Duration, f func()) Timer

	// Go runs f beside everything else. f may take its time (a hook does); a
	// virtual clock stands still until it returns.
	Go(f func())
}

// Timer is a call of a function that is still to come.
type Timer interface {
	// Stop prevents it, and tells whether it was in time.
	Stop() bool
}
