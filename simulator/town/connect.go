package town

// largestComponent reports for each node whether it is in the largest set of nodes that can
// all reach one another, one-way streets respected. It is Tarjan's algorithm with an explicit
// stack, since imports can be deep.
func largestComponent(n int, pieces []piece) []bool {
	g := successors(n, pieces)
	s := connector{graph: g, index: make([]int32, n), low: make([]int32, n), component: make([]int32, n)}
	for v := range int32(n) {
		if s.index[v] == 0 {
			s.search(v)
		}
	}
	best := int32(0)
	for c, size := range s.sizes {
		if size > s.sizes[best] {
			best = int32(c)
		}
	}
	in := make([]bool, n)
	for v := range in {
		in[v] = s.component[v] == best
	}
	return in
}

// successors lists where one can go from each node, as first[v]:first[v+1] of to.
func successors(n int, pieces []piece) adjacency {
	g := adjacency{first: make([]int32, n+1)}
	for _, p := range pieces {
		g.first[p.from+1]++
		if !p.oneWay {
			g.first[p.to+1]++
		}
	}
	for i := range n {
		g.first[i+1] += g.first[i]
	}
	g.to = make([]int32, g.first[n])
	fill := append([]int32(nil), g.first...)
	for _, p := range pieces {
		g.to[fill[p.from]] = p.to
		fill[p.from]++
		if !p.oneWay {
			g.to[fill[p.to]] = p.from
			fill[p.to]++
		}
	}
	return g
}

type adjacency struct{ first, to []int32 }

type connector struct {
	graph     adjacency
	index     []int32 // order of discovery from 1; 0 is unseen
	low       []int32
	component []int32
	sizes     []int32
	stack     []int32
	calls     []visit
	clock     int32
}

// visit is a node on the path being searched, and its next arc.
type visit struct{ node, next int32 }

func (s *connector) enter(v int32) {
	s.clock++
	s.index[v], s.low[v] = s.clock, s.clock
	s.component[v] = -1
	s.stack = append(s.stack, v)
	s.calls = append(s.calls, visit{v, s.graph.first[v]})
}

func (s *connector) search(root int32) {
	s.enter(root)
	for len(s.calls) > 0 {
		c := &s.calls[len(s.calls)-1]
		if c.next < s.graph.first[c.node+1] {
			w := s.graph.to[c.next]
			c.next++
			switch {
			case s.index[w] == 0:
				s.enter(w)
			case s.component[w] < 0:
				s.low[c.node] = min(s.low[c.node], s.index[w])
			}
			continue
		}
		s.leave(c.node)
	}
}

// leave ends the search from a node, and completes its component if the node was the first of it.
func (s *connector) leave(v int32) {
	s.calls = s.calls[:len(s.calls)-1]
	if n := len(s.calls); n > 0 {
		parent := s.calls[n-1].node
		s.low[parent] = min(s.low[parent], s.low[v])
	}
	if s.low[v] != s.index[v] {
		return
	}
	size := int32(0)
	for {
		w := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		s.component[w] = int32(len(s.sizes))
		size++
		if w == v {
			break
		}
	}
	s.sizes = append(s.sizes, size)
}
