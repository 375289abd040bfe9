package town

import "slices"

// contractor builds a hierarchy. It removes one node after another. Where the quickest
// way between two neighbours led through the node, it adds a shortcut.
type contractor struct {
	out, in  [][]edge // what is left of the network
	rank     []int32  // -1 while a node is in
	next     int32    // the rank to give next
	depth    []int32  // how long a chain of nodes taken out hangs below
	queue    queue
	up, down climb
	witness  witness
	cuts     []shortcut
}

// edge leads to a node over a number of links; parts is the way for which it stands.
type edge struct {
	node, cost, hops int32
	parts            parts
}

// shortcut replaces the way over a node by the in- and out-edges with these
// indices.
type shortcut struct{ in, out int32 }

func newContractor(t *Town) *contractor {
	n := len(t.Nodes)
	c := &contractor{
		out: make([][]edge, n), in: make([][]edge, n),
		rank: make([]int32, n), depth: make([]int32, n),
		witness: witness{marks: make([]searchMark, n)},
	}
	for v := range int32(n) {
		c.rank[v] = -1
		for _, arc := range t.arcs.out[t.arcs.first[v]:t.arcs.first[v+1]] {
			if w := t.head(arc); w != v {
				cost := t.arcs.cost[arc]
				c.connect(v, edge{w, cost.ms, 1, parts{arc, -1, cost.mm}})
			}
		}
	}
	return c
}

// connect adds an edge from u, or makes the existing one to the same node cheaper.
func (c *contractor) connect(u int32, e edge) {
	back := e
	back.node = u
	if i := indexOf(c.out[u], e.node); i < 0 {
		c.out[u] = append(c.out[u], e)
		c.in[e.node] = append(c.in[e.node], back)
	} else if e.cost < c.out[u][i].cost {
		c.out[u][i] = e
		c.in[e.node][indexOf(c.in[e.node], u)] = back
	}
}

func indexOf(edges []edge, v int32) int {
	return slices.IndexFunc(edges, func(e edge) bool { return e.node == v })
}

// Limits on the nodes that a search for another way may look at: few to compute a node's
// price, more when it is removed.
const (
	priceEffort    = 25
	contractEffort = 120
)

// cheapestFirst contracts all nodes but the core, cheapest first. The price of a node
// rises as its neighbours are contracted, so it is computed again when its turn comes.
func (c *contractor) cheapestFirst(core int32) {
	for v := range int32(len(c.out)) {
		c.queue.push(c.price(v), v)
	}
	for c.next < core {
		_, v := c.queue.pop()
		if p := c.price(v); len(c.queue) > 0 && p > c.queue.least() {
			c.queue.push(p, v)
			continue
		}
		c.contractNext(v)
	}
}

// contractNext gives a node the next rank, and contracts it.
func (c *contractor) contractNext(v int32) {
	c.rank[v] = c.next
	c.next++
	c.contract(v)
}

// keepCore gives the last ranks to the nodes that are left, which form the core.
func (c *contractor) keepCore() {
	for v := range c.rank {
		if c.rank[v] < 0 {
			c.rank[v] = c.next
			c.next++
			c.up.appendArcs(c.out[v])
			c.down.appendArcs(c.in[v])
		}
	}
}

// price is the cost of removing a node: the shortcuts that would replace its edges, the
// links that they span, and the depth of the hierarchy below.
func (c *contractor) price(v int32) int32 {
	c.findShortcuts(v, priceEffort)
	edges := max(len(c.in[v])+len(c.out[v]), 1)
	hops, cutHops := int32(1), int32(0)
	for _, e := range c.in[v] {
		hops += e.hops
	}
	for _, e := range c.out[v] {
		hops += e.hops
	}
	for _, s := range c.cuts {
		cutHops += c.in[v][s.in].hops + c.out[v][s.out].hops
	}
	const unit = 1_000
	return unit*c.depth[v] + int32(unit*len(c.cuts)/edges) + unit*cutHops/hops
}

// findShortcuts lists the shortcuts that are needed if v is removed; effort limits the search.
func (c *contractor) findShortcuts(v int32, effort int) {
	c.cuts = c.cuts[:0]
	w := &c.witness
	for i, e := range c.in[v] {
		w.start()
		limit := int32(0)
		for _, f := range c.out[v] {
			if f.node != e.node {
				w.goal(f.node, e.cost+f.cost)
				limit = max(limit, e.cost+f.cost)
			}
		}
		w.search(c.out, e.node, v, limit, effort)
		for j, f := range c.out[v] {
			if f.node != e.node && w.missed(f.node) {
				c.cuts = append(c.cuts, shortcut{int32(i), int32(j)})
			}
		}
	}
}

// contract removes v: its edges, all to more important nodes, are final.
func (c *contractor) contract(v int32) {
	c.findShortcuts(v, contractEffort)
	in, out := c.in[v], c.out[v]
	down, up := c.down.appendArcs(in), c.up.appendArcs(out)
	for _, e := range in {
		c.out[e.node] = without(c.out[e.node], v)
		c.depth[e.node] = max(c.depth[e.node], c.depth[v]+1)
	}
	for _, e := range out {
		c.in[e.node] = without(c.in[e.node], v)
		c.depth[e.node] = max(c.depth[e.node], c.depth[v]+1)
	}
	for _, s := range c.cuts {
		a, b := in[s.in], out[s.out]
		over := parts{down + s.in, up + s.out, a.parts.mm + b.parts.mm}
		// The cost of a shortcut is limited to that of the longest route, so that it
		// cannot overflow.
		cost := min(a.cost+b.cost, farthest)
		c.connect(a.node, edge{b.node, cost, a.hops + b.hops, over})
	}
	c.in[v], c.out[v] = nil, nil
}

func without(edges []edge, v int32) []edge {
	i, last := indexOf(edges, v), len(edges)-1
	edges[i] = edges[last]
	return edges[:last]
}

// appendArcs appends the arcs of the next rank and returns the index of the first.
// Tops are nodes until all have a rank.
func (c *climb) appendArcs(edges []edge) int32 {
	first := int32(len(c.arcs))
	c.first = append(c.first, first)
	for _, e := range edges {
		c.arcs = append(c.arcs, climbArc{e.node, e.cost})
		c.parts = append(c.parts, e.parts)
	}
	return first
}
