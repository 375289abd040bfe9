package voice

import "time"

// Wall is a clock that runs by itself, as fast as the wall clock or faster.
//
// A faster one runs functions one after the other, in the order of their times, and does not pass the time of a
// function that has not run yet: on a busy machine, a key that is pressed 0.2 s after another and a wait of 2 s that
// it ends may both be due, and the key still comes first. So a fast call has the same course as a slow one.
type Wall struct {
	read  func() time.Time
	start time.Time
	speed float64

	agenda            // of a fast clock
	moment  time.Time // of the function that is running
	working bool      // a function is running
	alarm   *time.Timer
}

// NewWall returns a clock that starts at the current time of read, which is usually [time.Now], and runs speed times
// as fast; 0 is 1.
func NewWall(read func() time.Time, speed float64) *Wall {
	if speed <= 0 {
		speed = 1
	}
	return &Wall{read: read, start: read(), speed: speed}
}

// Now returns the time. A fast clock does not pass the time of a function that has not run yet.
func (w *Wall) Now() time.Time {
	if w.speed <= 1 {
		return w.reading()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now()
}

// reading returns the time of this clock by the wall clock and the speed.
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

// while returns how far this clock advances during d of real time.
func (w *Wall) while(d time.Duration) time.Duration { return time.Duration(float64(d) * w.speed) }

// While returns by how much a clock advances during d of real time: another duration than d for a [Wall] of another
// speed than 1.
func While(clock Clock, d time.Duration) time.Duration {
	if wall, ok := clock.(*Wall); ok {
		return wall.while(d)
	}
	return d
}

// AfterFunc calls f when this clock has advanced by d.
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

// wake schedules a call of work at a time; the lock is held.
func (w *Wall) wake(at time.Time) {
	wait := time.Duration(float64(at.Sub(w.reading())) / w.speed)
	if w.alarm == nil {
		w.alarm = time.AfterFunc(wait, w.work)
		return
	}
	w.alarm.Reset(wait)
}

// work runs all functions that are due.
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

// Go runs f in a goroutine of its own.
func (w *Wall) Go(f func()) {
	go f() // ends with f
}

// Clock is the clock of an engine. [Virtual] is advanced by hand, [Wall] runs by itself at any speed; inside a
// testing/synctest bubble Wall is virtual.
type Clock interface {
	Now() time.Time

	// AfterFunc calls f when d has passed, unless it is stopped before. f must not block.
	AfterFunc(d time.Duration, f func()) Timer

	// Go runs f concurrently. f may take long, as a hook does; a virtual clock does not advance until it returns.
	Go(f func())
}

// Timer is a planned call of a function.
type Timer interface {
	// Stop cancels the call, and reports whether it was in time.
	Stop() bool
}
