package voice

import (
	"container/heap"
	"sync"
	"time"
)

// agenda contains future events, earliest first; events at the same time happen in the
// order in which they were added.
type agenda struct {
	mu   sync.Mutex
	seq  int
	heap timers
}

// add adds f; the lock is held.
func (a *agenda) add(at time.Time, f func()) *timer {
	a.seq++
	t := &timer{agenda: a, at: at, seq: a.seq, f: f}
	heap.Push(&a.heap, t)
	return t
}

// take removes and returns the next event if it is due at the time until, or else nil; the lock is held.
func (a *agenda) take(until time.Time) *timer {
	if len(a.heap) == 0 || a.heap[0].at.After(until) {
		return nil
	}
	return heap.Pop(&a.heap).(*timer)
}

// timer is an entry of an agenda.
type timer struct {
	agenda *agenda
	at     time.Time
	seq    int
	place  int // index in the heap; -1: removed
	f      func()
}

// Stop removes the timer from the agenda.
func (t *timer) Stop() bool {
	t.agenda.mu.Lock()
	defer t.agenda.mu.Unlock()
	if t.place < 0 {
		return false
	}
	heap.Remove(&t.agenda.heap, t.place)
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
