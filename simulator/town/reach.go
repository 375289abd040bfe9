package town

// reach is one end of a route: the ways from a kerb to the ends of its link, and the
// hubs that can be reached over them.
type reach struct {
	ways []exit
	hubs []hub
}

// exit is a way from a kerb to an end of its link, or into the kerb from there.
type exit struct{ rank, cost, arc int32 }

// leave makes the reach of both ways out of a kerb.
func (r *reach) leave(t *Town, h *hierarchy, k Kerb) {
	l, arc := &t.Links[k.Link], 2*k.Link
	r.ways = append(r.ways[:0], exit{h.rank[l.To], t.part(arc, k.Offset, l.Length), arc})
	if !l.OneWay {
		r.ways = append(r.ways, exit{h.rank[l.From], t.part(arc+1, l.Length-k.Offset, l.Length), arc + 1})
	}
	r.gather(&h.up.hubs)
}

// arrive makes the reach of both ways into a kerb.
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
	r.hubs = r.hubs[:0]
	var a, b []hub
	a = all.of(r.ways[0].rank)
	first, second := r.ways[0].cost, int32(0)
	if len(r.ways) > 1 {
		b, second = all.of(r.ways[1].rank), r.ways[1].cost
	}
	for len(a) > 0 && len(b) > 0 {
		switch h, g := a[0], b[0]; {
		case h.rank < g.rank:
			r.hubs = append(r.hubs, hub{h.rank, h.cost + first})
			a = a[1:]
		case h.rank > g.rank:
			r.hubs = append(r.hubs, hub{g.rank, g.cost + second})
			b = b[1:]
		default:
			r.hubs = append(r.hubs, hub{h.rank, min(h.cost+first, g.cost+second)})
			a, b = a[1:], b[1:]
		}
	}
	for _, h := range a {
		r.hubs = append(r.hubs, hub{h.rank, h.cost + first})
	}
	for _, h := range b {
		r.hubs = append(r.hubs, hub{h.rank, h.cost + second})
	}
}

// exit returns the way that the quickest climb to a hub begins with.
func (r *reach) exit(all *labels, top int32) exit {
	total, _ := costTo(r.hubs, top)
	for _, w := range r.ways {
		if cost, ok := all.to(w.rank, top); ok && w.cost+cost == total {
			return w
		}
	}
	panic("town: a hub that no way leads to")
}
