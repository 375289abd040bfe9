package town

import "slices"

// reach is one end of a route: the ways from a kerb to the ends of its link, and the
// hubs that can be reached over them.
type reach struct {
	ways []exit
	hubs []hub
}

// exit is a way from a kerb to an end of its link, or in the opposite direction.
type exit struct{ rank, cost, arc int32 }

// leave computes the ways out of a kerb, and their hubs.
func (r *reach) leave(t *Town, h *hierarchy, k Kerb) {
	r.waysOut(t, h, k)
	r.gather(&h.up.hubs)
}

// waysOut finds both ways out of a kerb, without their hubs.
func (r *reach) waysOut(t *Town, h *hierarchy, k Kerb) {
	l, arc := &t.Links[k.Link], 2*k.Link
	r.ways = append(r.ways[:0], exit{h.rank[l.To], t.part(arc, k.Offset, l.Length), arc})
	if !l.OneWay {
		r.ways = append(r.ways, exit{h.rank[l.From], t.part(arc+1, l.Length-k.Offset, l.Length), arc + 1})
	}
}

// arrive computes the ways into a kerb, and their hubs.
func (r *reach) arrive(t *Town, h *hierarchy, k Kerb) {
	l, arc := &t.Links[k.Link], 2*k.Link
	r.ways = append(r.ways[:0], exit{h.rank[l.From], t.part(arc, 0, k.Offset), arc})
	if !l.OneWay {
		r.ways = append(r.ways, exit{h.rank[l.To], t.part(arc+1, 0, l.Length-k.Offset), arc + 1})
	}
	r.gather(&h.down.hubs)
}

// gather merges the hubs of the ways.
func (r *reach) gather(all *labels) {
	var a, b []hub
	a = all.of(r.ways[0].rank)
	first, second := r.ways[0].cost, int32(0)
	if len(r.ways) > 1 {
		b, second = all.of(r.ways[1].rank), r.ways[1].cost
	}
	r.hubs = slices.Grow(r.hubs[:0], len(a)+len(b))
	merged, i, k, n := r.hubs[:len(a)+len(b)], 0, 0, 0
	for ; i < len(a) && k < len(b); n++ {
		switch h, g := a[i], b[k]; {
		case h.rank < g.rank:
			merged[n] = hub{h.rank, h.cost + first}
			i++
		case h.rank > g.rank:
			merged[n] = hub{g.rank, g.cost + second}
			k++
		default:
			merged[n] = hub{h.rank, min(h.cost+first, g.cost+second)}
			i++
			k++
		}
	}
	n += copyDearer(merged[n:], a[i:], first)
	n += copyDearer(merged[n:], b[k:], second)
	r.hubs = merged[:n]
}

// copyDearer copies hubs with their costs increased by more, and returns their number.
func copyDearer(to, from []hub, more int32) int {
	for i, h := range from {
		to[i] = hub{h.rank, h.cost + more}
	}
	return len(from)
}

// exit returns the way out of the kerb with which the quickest climb to a hub begins.
func (r *reach) exit(all *labels, top int32) exit {
	total, _ := costTo(r.hubs, top)
	for _, w := range r.ways {
		if cost, ok := all.to(w.rank, top); ok && w.cost+cost == total {
			return w
		}
	}
	panic("town: a hub that no way leads to")
}
