package town

import "math"

// Router finds quickest routes. It owns the scratch space of its searches, so
// one goroutine may use it at a time; make as many as needed.
type Router struct {
	town     *Town
	from, to reach
	into     inbound // what it costs from each rank to the end, for several starts
	out, in  exit    // the ways that a traced route leaves its start and enters its end by
	chain    []int32 // climbing arcs in the order they are driven: 2i is hierarchy.up's i, 2i+1 down's
	stack    []int32 // those of them still to unpack
}

// NewRouter returns a router for a town.
func (t *Town) NewRouter() *Router { return &Router{town: t} }

// Route finds the quickest way between two kerbs and writes its steps to path, whose space it
// reuses: with enough of it a search allocates nothing. It returns false if there is no way;
// where all streets of a town are connected, there always is one.
func (r *Router) Route(from, to Kerb, path []Step) (Route, bool) {
	route := Route{From: from, To: to, Steps: path[:0], town: r.town}
	arc, cost := r.town.direct(from, to)
	switch best := r.search(from, to, cost); {
	case best.cost < cost:
		r.trace(best)
		r.unpack(&route)
	case arc >= 0:
		route.Steps = append(route.Steps, Step{arc, cost})
		route.Duration, route.Length = int64(cost), straight(from, to)
	default:
		return route, false
	}
	return route, true
}

// Measure returns how long the quickest way between two kerbs is, in millimetres, and how long
// it takes, in milliseconds: the same as [Router.Route], for less, since it does not unpack the
// way into streets. Where there is no way it returns [math.MaxInt64] for both.
func (r *Router) Measure(from, to Kerb) (mm, ms int64) {
	arc, cost := r.town.direct(from, to)
	switch best := r.search(from, to, cost); {
	case best.cost < cost:
		r.trace(best)
		return r.length(from, to), int64(best.cost)
	case arc >= 0:
		return straight(from, to), int64(cost)
	}
	return math.MaxInt64, math.MaxInt64
}

// ETAs appends the milliseconds from each of several kerbs to one, in order.
// Where there is no way it appends [math.MaxInt64].
func (r *Router) ETAs(from []Kerb, to Kerb, dst []int64) []int64 {
	h := r.town.ch()
	r.to.arrive(r.town, h, to)
	r.into.prepare(h, r.to.hubs)
	for _, k := range from {
		_, cost := r.town.direct(k, to)
		r.from.waysOut(r.town, h, k)
		for _, w := range r.from.ways {
			cost = r.into.lower(h, w, cost)
		}
		if cost != unreached {
			dst = append(dst, int64(cost))
		} else {
			dst = append(dst, math.MaxInt64)
		}
	}
	return dst
}

// search returns the summit of the quickest way between two kerbs if it costs
// less than enough.
func (r *Router) search(from, to Kerb, enough int32) topOfRoute {
	h := r.town.ch()
	r.from.leave(r.town, h, from)
	r.to.arrive(r.town, h, to)
	return h.summit(r.from.hubs, r.to.hubs, enough)
}

// direct returns the arc that leads straight from one kerb to another on the same link, and
// its cost; -1: there is none.
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

// straight returns the distance between two kerbs of one link.
func straight(from, to Kerb) int64 {
	return int64(max(to.Offset-from.Offset, from.Offset-to.Offset))
}
