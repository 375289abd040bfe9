package town

// hierarchy makes routing quick. It is a contraction hierarchy with a table on
// top. Most nodes are contracted: each has a rank and arcs to higher ranks
// only, with shortcuts that stand for the ways over lower ones. The core, the
// nodes that matter most, has the highest ranks, and a table says what it costs
// to get from any of them to any other. (The last nodes are the dearest to
// contract and the ones that all long ways use; a table of them costs neither.)
// Where the quickest climbs from each node lead is written down beforehand, so
// that a search compares two short lists.
type hierarchy struct {
	rank []int32 // by node
	core int32   // the lowest rank of the core
	up   climb   // arcs that leave a node, in the core to any other node of it
	down climb   // arcs that arrive at a node, read backwards
	cost []int32 // between nodes of the core, row by row of the start
}

// climb holds the arcs of one direction by rank of their lower end.
type climb struct {
	first []int32
	arcs  []climbArc
	parts []parts // parallel to arcs
	hubs  labels
}

// climbArc leads to the rank of its other end.
type climbArc struct{ top, cost int32 }

// parts are what an arc stands for: an arc of the street network when second is
// -1; otherwise a shortcut that goes down by an arc of hierarchy.down and up by
// one of hierarchy.up. And how long it is.
type parts struct{ first, second, mm int32 }

// newHierarchy contracts the nodes of a town one by one, in the order that is known, else
// cheapest first.
func newHierarchy(t *Town, order []int32) *hierarchy {
	n := int32(len(t.Nodes))
	c := newContractor(t)
	h := &hierarchy{core: n - coreSize(n)}
	if order == nil {
		c.cheapestFirst(h.core)
	} else {
		for _, v := range order {
			c.contractNext(v)
		}
	}
	c.keepCore()
	h.rank, h.up, h.down = c.rank, c.up, c.down
	for _, side := range []*climb{&h.up, &h.down} {
		side.first = append(side.first, int32(len(side.arcs)))
		for i := range side.arcs {
			side.arcs[i].top = h.rank[side.arcs[i].top]
		}
	}
	h.fillTable(n)
	h.writeLabels()
	return h
}

// order returns the nodes that were contracted, in their order.
func (h *hierarchy) order() []int32 {
	order := make([]int32, h.core)
	for v, rank := range h.rank {
		if rank < h.core {
			order[rank] = int32(v)
		}
	}
	return order
}

// coreSize returns how many nodes of n stay uncontracted. More make searches
// shorter and the table larger, up to 16 MB.
func coreSize(n int32) int32 { return min(max(n/16, 16), n, 2_000) }

// fillTable searches the core from each of its nodes.
func (h *hierarchy) fillTable(n int32) {
	size := n - h.core
	h.cost = make([]int32, int(size)*int(size))
	var q queue
	for from := range size {
		row := h.row(from + h.core)
		for i := range row {
			row[i] = unreached
		}
		row[from] = 0
		q.push(0, from+h.core)
		for len(q) > 0 {
			cost, rank := q.pop()
			if cost > row[rank-h.core] {
				continue
			}
			arcs, _ := h.up.of(rank)
			for _, a := range arcs {
				if reached := cost + a.cost; reached < row[a.top-h.core] {
					row[a.top-h.core] = reached
					q.push(reached, a.top)
				}
			}
		}
	}
}

// row returns the costs from a rank of the core to all of it.
func (h *hierarchy) row(rank int32) []int32 {
	size := len(h.rank) - int(h.core)
	i := int(rank-h.core) * size
	return h.cost[i : i+size]
}

// of returns the arcs of a rank, and the index of the first.
func (c *climb) of(rank int32) ([]climbArc, int32) {
	first := c.first[rank]
	return c.arcs[first:c.first[rank+1]], first
}
