package town

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

// coreSize returns how many nodes of n stay uncontracted. More make searches
// shorter and the table larger, up to 16 MB.
func coreSize(n int32) int32 { return min(max(n/16, 16), n, 2_000) }

// fillTable computes the costs between all nodes of the core, by a search from each.
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

// row returns the costs from a rank of the core to all ranks of the core.
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
