package voice

import "time"

// Virtual is a clock that is moved by hand. Whatever is due happens in the
// goroutine that moves it, one thing after the other, each at its own moment; what
// is due at the same moment happens in the order it was asked for.
type Virtual struct {
	agenda
	now time.Time
}

// NewVirtual returns a clock that stands at start.
func NewVirtual(start time.Time) *Virtual { return &Virtual{now: start} }

// Now returns where the clock stands.
func (v *Virtual) Now() time.Time {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.now
}

// AfterFunc has f happen once the clock has been moved by d.
func (v *Virtual) AfterFunc(d time.Duration, f func()) Timer {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.add(v.now.Add(max(d, 0)), f)
}

// Go has f happen at this moment, when the clock is moved next. Time stands still
// while it runs.
func (v *Virtual) Go(f func()) { v.AfterFunc(0, f) }

// Advance moves the clock by d.
func (v *Virtual) Advance(d time.Duration) {
	until := v.Now().Add(d)
	for v.step(until) {
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.now = until
}

// Run moves the clock from event to event until nothing is left to happen, by at
// most d, and returns how far it has come.
func (v *Virtual) Run(d time.Duration) time.Duration {
	start := v.Now()
	for v.step(start.Add(d)) {
	}
	return v.Now().Sub(start)
}

// Pending is how many things are still to happen.
func (v *Virtual) Pending() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.heap)
}

// step lets the next thing happen that is due by then.
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
