package town

import (
	"iter"
	"sort"
)

// Route is a way from one kerb to another. It refers to the town and to the
// steps given to [Router.Route].
type Route struct {
	From, To Kerb
	Length   int64  // millimetres
	Duration int64  // milliseconds
	Steps    []Step // none if there was nothing to drive

	town *Town
}

// Step is one link of a route.
type Step struct {
	Arc   int32 // 2l along link l, 2l+1 against it
	Until int32 // milliseconds from the start of the route to the end of the step
}

// part returns the time to drive an arc between two distances from its start.
// Parts of an arc add up to its cost exactly, wherever it is cut.
func (t *Town) part(arc, low, high int32) int32 {
	c := t.arcs.cost[arc]
	cost, length := int64(c.ms), max(int64(c.mm), 1)
	return int32(cost*int64(high)/length - cost*int64(low)/length)
}

// travelled returns how far a kerb is from the start of an arc of its link.
func (t *Town) travelled(arc int32, k Kerb) int32 {
	if arc&1 == 0 {
		return k.Offset
	}
	return t.Links[arc>>1].Length - k.Offset
}

// KerbAt returns the kerb that a car passes after a number of milliseconds; before the start
// it is From, after the end To.
func (r *Route) KerbAt(ms int64) Kerb {
	switch {
	case ms <= 0 || len(r.Steps) == 0:
		return r.From
	case ms >= r.Duration:
		return r.To
	}
	i := sort.Search(len(r.Steps), func(i int) bool { return int64(r.Steps[i].Until) > ms })
	low, high, began := r.stretch(i)
	run := low + int32(int64(high-low)*(ms-began)/(int64(r.Steps[i].Until)-began))
	arc := r.Steps[i].Arc
	if arc&1 == 1 {
		run = r.town.Links[arc>>1].Length - run
	}
	return Kerb{arc >> 1, run}
}

// At returns the position of a car after a number of milliseconds.
func (r *Route) At(ms int64) XY { return r.town.At(r.KerbAt(ms)) }

// Bends returns the vertices of the route with the milliseconds at which they
// are passed, from start to end: between two of them the car goes straight, at
// one speed.
func (r *Route) Bends() iter.Seq2[int64, XY] {
	return func(yield func(int64, XY) bool) {
		if !yield(0, r.town.At(r.From)) {
			return
		}
		for i := range r.Steps {
			if !r.bendsOf(i, yield) {
				return
			}
		}
		if len(r.Steps) > 0 {
			yield(r.Duration, r.town.At(r.To))
		}
	}
}

// bendsOf yields the vertices strictly inside a step, and its end unless it is
// the last.
func (r *Route) bendsOf(i int, yield func(int64, XY) bool) bool {
	low, high, began := r.stretch(i)
	t, arc, until := r.town, r.Steps[i].Arc, int64(r.Steps[i].Until)
	l := &t.Links[arc>>1]
	for n := range l.last - l.first + 1 {
		v := l.first + n
		run := t.along[v]
		if arc&1 == 1 {
			v = l.last - n
			run = l.Length - t.along[v]
		}
		if run <= low || run > high || run == high && i == len(r.Steps)-1 {
			continue
		}
		if !yield(began+int64(run-low)*(until-began)/int64(high-low), t.shape[v]) {
			return false
		}
	}
	return true
}

// stretch returns the part of an arc that a step drives, in millimetres from the arc's start,
// and when the step begins.
func (r *Route) stretch(i int) (low, high int32, began int64) {
	arc := r.Steps[i].Arc
	high = r.town.Links[arc>>1].Length
	if i == 0 {
		low = r.town.travelled(arc, r.From)
	} else {
		began = int64(r.Steps[i-1].Until)
	}
	if i == len(r.Steps)-1 {
		high = r.town.travelled(arc, r.To)
	}
	return low, high, began
}
