package town

import "slices"

// unpack writes the steps of the route over a summit.
func (r *Router) unpack(route *Route, top summit) {
	w := stepper{town: r.town, steps: route.Steps}
	r.chain = r.chain[:0]
	l := &r.from.labels[top.from]
	for ; l.via >= 0; l = &r.from.labels[l.below] {
		r.chain = append(r.chain, l.via)
	}
	w.first(^l.via, route.From)
	for _, arc := range slices.Backward(r.chain) {
		r.expand(&w, 2*arc)
	}
	if top.from != top.to {
		r.across(&w, top.from, top.to)
	}
	for l = &r.to.labels[top.to]; l.via >= 0; l = &r.to.labels[l.below] {
		r.expand(&w, 2*l.via+1)
	}
	w.last(^l.via, route.To)
	route.Steps, route.Length, route.Duration = w.steps, w.length, int64(w.ms)
}

// across writes the way through the core. It is found from its end: the node
// before is the one from which the table's costs add up. Costs are above zero,
// so it gets nearer to the start each time.
func (r *Router) across(w *stepper, from, to int32) {
	h := r.town.ch
	r.chain = r.chain[:0]
	for row := h.row(from); from != to; {
		arcs, first := h.down.of(to)
		for i, a := range arcs {
			if row[a.top-h.core]+a.cost == row[to-h.core] {
				r.chain = append(r.chain, first+int32(i))
				to = a.top
				break
			}
		}
	}
	for _, arc := range slices.Backward(r.chain) {
		r.expand(w, 2*arc+1)
	}
}

// expand writes the streets that a climbing arc stands for.
func (r *Router) expand(w *stepper, arc int32) {
	h := r.town.ch
	r.stack = append(r.stack[:0], arc)
	for len(r.stack) > 0 {
		top := r.stack[len(r.stack)-1]
		r.stack = r.stack[:len(r.stack)-1]
		side := &h.up
		if top&1 == 1 {
			side = &h.down
		}
		parts := side.parts[top>>1]
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
