package town

import (
	"cmp"
	"slices"
)

// of returns the hubs of a rank.
func (l *labels) of(rank int32) []hub {
	i := l.highest - rank
	return l.hubs[l.first[i]:l.first[i+1]]
}

// to returns the cost of the climb from a rank to a hub; false: the hub is not one of that rank.
func (l *labels) to(rank, top int32) (int32, bool) { return costTo(l.of(rank), top) }

// costTo returns the cost of a hub in a sorted list; false: the list does not have it. The
// binary search is written out since every node on a way needs several, and calling a
// comparison takes most of the time.
func costTo(hubs []hub, top int32) (int32, bool) {
	low, high := 0, len(hubs)
	for low < high {
		if middle := int(uint(low+high) >> 1); hubs[middle].rank < top {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == len(hubs) || hubs[low].rank != top {
		return 0, false
	}
	return hubs[low].cost, true
}

// topOfRoute is the summit of a quickest route: the route climbs from the start to one
// rank and descends to the end from another, the same unless both are in the core.
type topOfRoute struct{ cost, from, to int32 }

func (s *topOfRoute) lower(cost, from, to int32) {
	if cost < s.cost {
		*s = topOfRoute{cost, from, to}
	}
}

// summit returns the summit of the quickest way from the hubs out to the hubs in, if it costs
// less than enough; otherwise the cost is enough.
func (h *hierarchy) summit(out, in []hub, enough int32) topOfRoute {
	best := topOfRoute{cost: enough}
	for len(out) > 0 && len(in) > 0 && min(out[0].rank, in[0].rank) < h.core {
		switch a, b := out[0], in[0]; {
		case a.rank < b.rank:
			out = out[1:]
		case a.rank > b.rank:
			in = in[1:]
		default:
			best.lower(a.cost+b.cost, a.rank, b.rank)
			out, in = out[1:], in[1:]
		}
	}
	for _, a := range out {
		if a.cost >= best.cost {
			continue
		}
		row := h.row(a.rank)
		for _, b := range in {
			best.lower(a.cost+row[b.rank-h.core]+b.cost, a.rank, b.rank)
		}
	}
	return best
}

// labelWriter writes the labels of both directions, highest rank first: what can be
// climbed to from a rank is what can be climbed to from the ranks just above it.
type labelWriter struct {
	*hierarchy

	cost  []int32 // by rank, of those found
	found []int32
	label []hub
}

func (h *hierarchy) writeLabels() {
	n := int32(len(h.rank))
	w := labelWriter{hierarchy: h, cost: make([]int32, n)}
	for i := range w.cost {
		w.cost[i] = unreached
	}
	for _, side := range []*climb{&h.up, &h.down} {
		side.hubs = labels{highest: n - 1, first: make([]int32, 1, n+1)}
	}
	for rank := n - 1; rank >= 0; rank-- {
		w.write(rank, &h.up, &h.down)
		w.write(rank, &h.down, &h.up)
	}
}

func (w *labelWriter) write(rank int32, side, back *climb) {
	w.gather(rank, side)
	w.keepQuickest(back)
	w.keepGates(side)
	to := &side.hubs
	to.hubs = append(to.hubs, w.label...)
	to.first = append(to.first, int32(len(to.hubs)))
}

// gather finds the ranks that can be reached by climbing from a rank, with their costs.
func (w *labelWriter) gather(rank int32, side *climb) {
	w.found = append(w.found[:0], rank)
	w.cost[rank] = 0
	if rank >= w.core {
		return
	}
	arcs, _ := side.of(rank)
	for _, a := range arcs {
		for _, h := range side.hubs.of(a.top) {
			if w.cost[h.rank] == unreached {
				w.found = append(w.found, h.rank)
			}
			w.cost[h.rank] = min(w.cost[h.rank], a.cost+h.cost)
		}
	}
	slices.Sort(w.found)
}

// keepQuickest makes a label of the ranks that gather found, except those that are reached
// sooner through a higher rank.
func (w *labelWriter) keepQuickest(back *climb) {
	w.label = w.label[:0]
	for _, r := range w.found {
		if r >= w.core || !w.sooner(r, back) {
			w.label = append(w.label, hub{r, w.cost[r]})
		}
	}
	for _, r := range w.found {
		w.cost[r] = unreached
	}
}

func (w *labelWriter) sooner(rank int32, back *climb) bool {
	arcs, _ := back.of(rank)
	for _, a := range arcs {
		if w.cost[a.top] < w.cost[rank]-a.cost {
			return true
		}
	}
	return false
}

// keepGates removes from the label the nodes of the core that are reached sooner through others.
func (w *labelWriter) keepGates(side *climb) {
	i, _ := slices.BinarySearchFunc(w.label, w.core, func(h hub, core int32) int { return cmp.Compare(h.rank, core) })
	gates := w.label[i:]
	w.label = w.label[:i]
	for _, g := range gates {
		if !w.through(gates, g, side) {
			w.label = append(w.label, g)
		}
	}
}

// through reports whether a node of the core is reached sooner through another one of gates.
func (w *labelWriter) through(gates []hub, g hub, side *climb) bool {
	for _, o := range gates {
		if o.cost < g.cost && o.cost+w.across(side, o.rank, g.rank) < g.cost {
			return true
		}
	}
	return false
}

// across returns the cost from one node of the core to another, or in the opposite direction
// for the downward side.
func (w *labelWriter) across(side *climb, a, b int32) int32 {
	if side == &w.down {
		a, b = b, a
	}
	return w.row(a)[b-w.core]
}
