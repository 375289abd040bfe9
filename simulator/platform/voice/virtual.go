package voice

import "time"

// Virtual is a clock that advances only when it is told to. Due functions run in the goroutine that advances it, one
// after the other, each at its own time; those that are due at the same time run in the order in which they were
// added.
type Virtual struct {
	agenda
	now time.Time
}

// NewVirtual returns a clock that shows start.
func NewVirtual(start time.Time) *Virtual { return &Virtual{now: start} }

// Now returns the time that the clock shows.
func (v *Virtual) Now() time.Time {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.now
}

// AfterFunc runs f when the clock has advanced by d.
func (v *Virtual) AfterFunc(d time.Duration, f func()) Timer {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.add(v.now.Add(max(d, 0)), f)
}

// Go runs f at the current time, when the clock is advanced next. The clock does not advance while f runs.
func (v *Virtual) Go(f func()) { v.AfterFunc(0, f) }

// Advance advances the clock by d.
func (v *Virtual) Advance(d time.Duration) {
	until := v.Now().Add(d)
	for v.step(until) {
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.now = until
}

// Run advances the clock from one function to the next until none is pending, by at most d, and returns by how much
// it has advanced.
func (v *Virtual) Run(d time.Duration) time.Duration {
	start := v.Now()
	for v.step(start.Add(d)) {
	}
	return v.Now().Sub(start)
}

// Pending returns the number of pending functions.
func (v *Virtual) Pending() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.heap)
}

// step runs the next function if it is due at the time until. It returns false if there is none.
func (v *Virtual) step(until time.Time) bool {
	v.mu.Lock()
	t := v.take(until)
	if t == nil {
		v.mu.Unlock()
		return false
	}
	v.now = t.at
	v.mu.Unlock()
	t.f()
	return true
}
