package town

// AStar is a second router to compare the first with: a plain search of the street
// network, which shares with the hierarchy only the costs of links.
type AStar struct {
	town  *Town
	cost  []int32
	queue astarQueue
}

// NewAStar returns a search for a town, for one goroutine at a time.
func (t *Town) NewAStar() *AStar {
	return &AStar{town: t, cost: make([]int32, len(t.Nodes))}
}

// Duration returns the milliseconds of the quickest way between two kerbs.
func (s *AStar) Duration(from, to Kerb) (int64, bool) {
	t := s.town
	for i := range s.cost {
		s.cost[i] = unreached
	}
	s.queue = s.queue[:0]
	goal := t.At(to)
	_, best := t.direct(from, to)
	l, arc := &t.Links[from.Link], 2*from.Link
	s.reach(l.To, t.part(arc, from.Offset, l.Length), goal)
	if !l.OneWay {
		s.reach(l.From, t.part(arc+1, l.Length-from.Offset, l.Length), goal)
	}
	for len(s.queue) > 0 && s.queue[0].least < best {
		v := s.queue.pop()
		if v.cost > s.cost[v.node] {
			continue
		}
		best = min(best, s.finish(v, to))
		for _, arc := range t.arcs.out[t.arcs.first[v.node]:t.arcs.first[v.node+1]] {
			s.reach(t.head(arc), v.cost+t.arcs.cost[arc].ms, goal)
		}
	}
	return int64(best), best != unreached
}

// finish returns the cost of a way that leaves node v for the last link.
func (s *AStar) finish(v waypoint, to Kerb) int32 {
	best := int32(unreached)
	l, arc := &s.town.Links[to.Link], 2*to.Link
	if l.From == v.node {
		best = v.cost + s.town.part(arc, 0, to.Offset)
	}
	if l.To == v.node && !l.OneWay {
		best = min(best, v.cost+s.town.part(arc+1, 0, l.Length-to.Offset))
	}
	return best
}

func (s *AStar) reach(node, cost int32, goal XY) {
	if cost >= s.cost[node] {
		return
	}
	s.cost[node] = cost
	// The rest cannot take less than the straight line at the highest speed.
	rest := distance(s.town.Nodes[node], goal) * 1000 / s.town.arcs.fastest
	s.queue.push(waypoint{least: cost + int32(rest), cost: cost, node: node})
}

// waypoint is a node reached, what that cost, and the least that a way over it
// can cost in all.
type waypoint struct{ least, cost, node int32 }

// astarQueue is a binary heap, least first.
type astarQueue []waypoint

func (q *astarQueue) push(w waypoint) {
	h := append(*q, w)
	i := len(h) - 1
	for ; i > 0 && w.least < h[(i-1)/2].least; i = (i - 1) / 2 {
		h[i] = h[(i-1)/2]
	}
	h[i] = w
	*q = h
}

func (q *astarQueue) pop() waypoint {
	h := *q
	top, w := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	i := 0
	for child := 1; child < len(h); child = 2*i + 1 {
		if child+1 < len(h) && h[child+1].least < h[child].least {
			child++
		}
		if w.least <= h[child].least {
			break
		}
		h[i] = h[child]
		i = child
	}
	if len(h) > 0 {
		h[i] = w
	}
	*q = h
	return top
}
