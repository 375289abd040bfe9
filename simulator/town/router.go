package town

import "math"

// Router finds quickest routes. It owns the scratch space of its searches, so
// one goroutine may use it at a time; make as many as needed.
type Router struct {
	town     *Town
	from, to search
	chain    []int32 // climbing arcs from the top of the way back to the start
	stack    []int32 // arcs still to unpack: 2i is hierarchy.up's i, 2i+1 down's
}

// NewRouter returns a router for a town.
func (t *Town) NewRouter() *Router {
	return &Router{town: t, from: newSearch(t), to: newSearch(t)}
}

// summit is the top of a quickest way: it climbs from the start to one rank and
// comes down to the end from another, the same unless both are in the core.
type summit struct{ cost, from, to int32 }

// Route finds the quickest way between two kerbs and writes its steps to path,
// whose space it reuses: with enough of it a search allocates nothing. It
// reports false only if there is no way, which a town of one connected part
// does not have.
func (r *Router) Route(from, to Kerb, path []Step) (Route, bool) {
	route := Route{From: from, To: to, Steps: path[:0], town: r.town}
	arc, cost := r.town.direct(from, to)
	r.from.leave(r.town, from)
	r.to.arrive(r.town, to)
	switch best := r.meet(cost); {
	case best.cost < cost:
		r.unpack(&route, best)
	case arc >= 0:
		route.Steps = append(route.Steps, Step{arc, cost})
		route.Duration = int64(cost)
		route.Length = int64(max(to.Offset-from.Offset, from.Offset-to.Offset))
	default:
		return route, false
	}
	return route, true
}

// direct returns the arc that leads straight from one kerb to another on the
// same link, and its cost.
func (t *Town) direct(from, to Kerb) (arc, cost int32) {
	l := &t.Links[from.Link]
	switch {
	case from.Link != to.Link:
		return -1, unreached
	case to.Offset >= from.Offset:
		arc = 2 * from.Link
		return arc, t.part(arc, from.Offset, to.Offset)
	case !l.OneWay:
		arc = 2*from.Link + 1
		return arc, t.part(arc, l.Length-from.Offset, l.Length-to.Offset)
	}
	return -1, unreached
}

// meet climbs from both ends, and returns the best summit if it costs less than
// enough.
func (r *Router) meet(enough int32) summit {
	h := r.town.ch
	best := summit{cost: enough}
	for len(r.from.queue) > 0 || len(r.to.queue) > 0 {
		near, far, up, down := &r.from, &r.to, &h.up, &h.down
		if len(near.queue) == 0 || len(far.queue) > 0 && far.queue.least() < near.queue.least() {
			near, far, up, down = far, near, down, up
		}
		if near.queue.least() >= best.cost {
			break
		}
		if rank, ok := near.climb(up, down); ok && far.knows(rank) {
			best.lower(near.labels[rank].cost+far.labels[rank].cost, rank, rank)
		}
	}
	r.crossCore(&best)
	return best
}

func (s *summit) lower(cost, from, to int32) {
	if cost < s.cost {
		*s = summit{cost, from, to}
	}
}

// crossCore improves the best summit by the ways that lead through the core.
func (r *Router) crossCore(best *summit) {
	h := r.town.ch
	for _, a := range r.from.gates {
		begun := r.from.labels[a].cost
		if begun >= best.cost {
			continue
		}
		row := h.row(a)
		for _, b := range r.to.gates {
			if across := row[b-h.core]; across != unreached {
				best.lower(begun+across+r.to.labels[b].cost, a, b)
			}
		}
	}
}

// ETAs appends the milliseconds from each of several kerbs to one, in order:
// cheaper than a route each, because the way in is searched once. Where there
// is no way it appends [math.MaxInt64].
func (r *Router) ETAs(from []Kerb, to Kerb, dst []int64) []int64 {
	h := r.town.ch
	r.to.arrive(r.town, to)
	for len(r.to.queue) > 0 {
		r.to.climb(&h.down, &h.up)
	}
	for _, k := range from {
		var best summit
		_, best.cost = r.town.direct(k, to)
		r.from.leave(r.town, k)
		for len(r.from.queue) > 0 && r.from.queue.least() < best.cost {
			if rank, ok := r.from.climb(&h.up, &h.down); ok && r.to.knows(rank) {
				best.lower(r.from.labels[rank].cost+r.to.labels[rank].cost, rank, rank)
			}
		}
		if r.crossCore(&best); best.cost == unreached {
			dst = append(dst, math.MaxInt64)
			continue
		}
		dst = append(dst, int64(best.cost))
	}
	return dst
}
