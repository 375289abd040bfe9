package town

import "slices"

// trace finds the arcs of the hierarchy on the way over a summit, in the order in which they
// are driven.
func (r *Router) trace(top topOfRoute) {
	h := r.town.ch()
	r.chain = r.chain[:0]
	r.out, r.in = r.from.exit(&h.up.hubs, top.from), r.to.exit(&h.down.hubs, top.to)
	r.climb(0, r.out.rank, top.from)
	r.across(top.from, top.to)
	r.climb(1, r.in.rank, top.to)
}

// side returns the climb that chains call 0 or 1, and whether it is driven
// backwards.
func (h *hierarchy) side(n int32) *climb {
	if n == 0 {
		return &h.up
	}
	return &h.down
}

// climb adds the arcs between a rank and one of its hubs. Each arc leads to a rank from which
// the rest of the way has the remaining cost.
func (r *Router) climb(n, rank, top int32) {
	side, begun := r.town.ch().side(n), len(r.chain)
	left, _ := side.hubs.to(rank, top)
	for rank != top {
		arcs, first := side.of(rank)
		for i, a := range arcs {
			if a.top > top || a.cost > left {
				continue
			}
			if rest, ok := side.hubs.to(a.top, top); ok && a.cost+rest == left {
				r.chain = append(r.chain, 2*(first+int32(i))+n)
				rank, left = a.top, rest
				break
			}
		}
	}
	if n == 1 {
		slices.Reverse(r.chain[begun:])
	}
}

// across adds the arcs between two nodes of the core, found from the end: the node before is
// the one from which the costs in the table add up. Costs are above zero, so each step gets
// nearer to the start.
func (r *Router) across(from, to int32) {
	h, begun := r.town.ch(), len(r.chain)
	for from != to {
		row := h.row(from)
		arcs, first := h.down.of(to)
		for i, a := range arcs {
			if row[a.top-h.core]+a.cost == row[to-h.core] {
				r.chain = append(r.chain, 2*(first+int32(i))+1)
				to = a.top
				break
			}
		}
	}
	slices.Reverse(r.chain[begun:])
}

// length adds up the millimetres of a traced way.
func (r *Router) length(from, to Kerb) int64 {
	h, t := r.town.ch(), r.town
	mm := int64(t.Links[from.Link].Length-t.travelled(r.out.arc, from)) + int64(t.travelled(r.in.arc, to))
	for _, arc := range r.chain {
		mm += int64(h.side(arc & 1).parts[arc>>1].mm)
	}
	return mm
}

// unpack writes the steps of a traced way to a route, with its length and duration.
func (r *Router) unpack(route *Route) {
	w := stepper{town: r.town, steps: route.Steps}
	w.first(r.out.arc, route.From)
	for _, arc := range r.chain {
		r.expand(&w, arc)
	}
	w.last(r.in.arc, route.To)
	route.Steps, route.Length, route.Duration = w.steps, w.length, int64(w.ms)
}

// expand writes the steps for an arc of the hierarchy, whose shortcuts it replaces by streets.
func (r *Router) expand(w *stepper, arc int32) {
	h := r.town.ch()
	r.stack = append(r.stack[:0], arc)
	for len(r.stack) > 0 {
		top := r.stack[len(r.stack)-1]
		r.stack = r.stack[:len(r.stack)-1]
		parts := h.side(top & 1).parts[top>>1]
		if parts.second < 0 {
			w.whole(parts.first)
			continue
		}
		r.stack = append(r.stack, 2*parts.second, 2*parts.first+1)
	}
}

// stepper adds up a route step by step.
type stepper struct {
	town   *Town
	steps  []Step
	ms     int32
	length int64
}

func (w *stepper) add(arc, ms, mm int32) {
	w.ms += ms
	w.length += int64(mm)
	w.steps = append(w.steps, Step{arc, w.ms})
}

func (w *stepper) first(arc int32, from Kerb) {
	length := w.town.Links[arc>>1].Length
	low := w.town.travelled(arc, from)
	w.add(arc, w.town.part(arc, low, length), length-low)
}

func (w *stepper) whole(arc int32) {
	c := w.town.arcs.cost[arc]
	w.add(arc, c.ms, c.mm)
}

func (w *stepper) last(arc int32, to Kerb) {
	high := w.town.travelled(arc, to)
	w.add(arc, w.town.part(arc, 0, high), high)
}
