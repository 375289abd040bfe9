package trial

import (
	"container/heap"
	"time"
)

// agenda contains the planned actions from outside the world, soonest first; actions at
// the same time are done in the order in which they were planned.
type agenda struct {
	planned []plan
	count   int
}

type plan struct {
	at    time.Time
	order int
	do    func()
}

// add plans an action.
func (a *agenda) add(at time.Time, do func()) {
	a.count++
	heap.Push(a, plan{at, a.count, do})
}

// next returns the time of the next action.
func (a *agenda) next() (time.Time, bool) {
	if len(a.planned) == 0 {
		return time.Time{}, false
	}
	return a.planned[0].at, true
}

// pop removes and returns the next action.
func (a *agenda) pop() func() { return heap.Pop(a).(plan).do }

// Len implements [heap.Interface].
func (a *agenda) Len() int { return len(a.planned) }

// Less implements [heap.Interface].
func (a *agenda) Less(i, j int) bool {
	p, q := &a.planned[i], &a.planned[j]
	return p.at.Before(q.at) || p.at.Equal(q.at) && p.order < q.order
}

// Swap implements [heap.Interface].
func (a *agenda) Swap(i, j int) { a.planned[i], a.planned[j] = a.planned[j], a.planned[i] }

// Push implements [heap.Interface].
func (a *agenda) Push(p any) { a.planned = append(a.planned, p.(plan)) }

// Pop implements [heap.Interface].
func (a *agenda) Pop() any {
	last := len(a.planned) - 1
	p := a.planned[last]
	a.planned = a.planned[:last]
	return p
}
