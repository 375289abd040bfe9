package voice

import (
	"container/heap"
	"sync"
	"time"
)

// Virtual is a clock that is moved by hand. Whatever is due happens in the
// goroutine that moves it, one thing after the other, each at its own moment; what
// is due at the same moment happens in the order it was asked for.
type Virtual struct {
	mu   sync.Mutex
	now  time.Time
	seq  int
	heap timers
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
	v.seq++
	t := &timer{clock: v, at: v.now.Add(max(d, 0)), seq: v.seq, f: f}
	heap.Push(&v.heap, t)
	return t
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
	if len(v.heap) == 0 || v.heap[0].at.After(until) {
		v.mu.Unlock()
		return false
	}
	t := heap.Pop(&v.heap).(*timer)
	v.now = t.at
	v.mu.Unlock()
	t.f()
	return true
}

// timer is an entry of a virtual clock's heap.
type timer struct {
	clock *Virtual
	at    time.Time
	seq   int
	place int // in the heap; -1: no longer there
	f     func()
}

// Stop takes the timer out of the heap.
func (t *timer) Stop() bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	if t.place < 0 {
		return false
	}
	heap.Remove(&t.clock.heap, t.place)
	return true
}

type timers []*timer

func (h timers) Len() int { return len(h) }

func (h timers) Less(i, j int) bool {
	if h[i].at.Equal(h[j].at) {
		return h[i].seq < h[j].seq
	}
	return h[i].at.Before(h[j].at)
}

func (h timers) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i, j
}

// Push is for container/heap.
func (h *timers) Push(x any) {
	t := x.(*timer)
	t.place = len(*h)
	*h = append(*h, t)
}

// Pop is for container/heap.
func (h *timers) Pop() any {
	last := len(*h) - 1
	t := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	t.place = -1
	return t
}
