package town

import "sync"

// builder makes a town. All methods that change a town belong to it, since a complete town
// does not change.
type builder struct{ *Town }

// piece is a piece of street between two nodes, which becomes a link.
type piece struct {
	from, to int32
	street   int32
	speed    int32
	class    Class
	oneWay   bool
	shape    []XY // with both nodes
}

// assemble makes the street network of a town from pieces. It keeps the largest part in
// which every node can be reached from every other, and drops the rest. Pieces of one
// street must be in the order of its numbers, and pass checkLengths. buildIndexes must
// follow.
func (t builder) assemble(nodes []XY, pieces []piece, streets []Street) {
	number := t.keepReachable(nodes, pieces)
	links := make([][]int32, len(streets))
	for _, p := range pieces {
		if number[p.from] < 0 || number[p.to] < 0 {
			continue
		}
		p.from, p.to = number[p.from], number[p.to]
		links[p.street] = append(links[p.street], int32(len(t.Links)))
		t.addLink(p)
	}
	for s := range streets {
		if len(links[s]) > 0 {
			t.addStreet(streets[s], links[s])
		}
	}
	t.arcs = newArcTable(t.Town)
}

// buildIndexes creates the indexes for finding streets and routes. The index for routes
// takes a third of the time and is not needed by the others, so it is built concurrently:
// nodes, links and arcs must not change from here on. order is the order of the
// contraction, or nil if it is unknown.
func (t builder) buildIndexes(order []int32) {
	t.ch = sync.OnceValue(func() *hierarchy { return newHierarchy(t.Town, order) })
	go t.ch() // ends when the index is built
	t.segments = newSegmentIndex(t.Town)
}

// keepReachable fills Nodes with the largest strongly connected part, and
// returns each old node's new number, or -1.
func (t builder) keepReachable(nodes []XY, pieces []piece) []int32 {
	component := largestComponent(len(nodes), pieces)
	number := make([]int32, len(nodes))
	for i, p := range nodes {
		number[i] = -1
		if component[i] {
			number[i] = int32(len(t.Nodes))
			t.Nodes = append(t.Nodes, p)
		}
	}
	return number
}

// addLink copies a piece's shape into the town. No segment is left longer than
// longest, so that products of lengths fit 64 bits.
func (t builder) addLink(p piece) {
	const longest = 400_000
	first := int32(len(t.shape))
	run := int64(0)
	t.addVertex(p.shape[0], 0)
	for i := 1; i < len(p.shape); i++ {
		a, b := p.shape[i-1], p.shape[i]
		parts := distance(a, b)/longest + 1
		prev := a
		for k := int64(1); k <= parts; k++ {
			v := along(a, from(a, b), k, parts)
			run += distance(prev, v)
			prev = v
			t.addVertex(v, int32(run))
		}
	}
	t.Links = append(t.Links, Link{
		From: p.from, To: p.to, Street: p.street, Length: int32(run), Speed: p.speed,
		Class: p.class, OneWay: p.oneWay, first: first, last: int32(len(t.shape) - 1),
	})
}

func (t builder) addVertex(v XY, run int32) {
	t.shape = append(t.shape, v)
	t.along = append(t.along, run)
}

// addStreet adds a street, and sets the street and the position of each of its links.
func (t builder) addStreet(s Street, links []int32) {
	id := int32(len(t.Streets))
	s.Links, s.Length, s.start = links, 0, nil
	for _, l := range links {
		t.Links[l].Street, t.Links[l].at = id, s.Length
		s.start = append(s.start, s.Length)
		s.Length += t.Links[l].Length
	}
	t.Streets = append(t.Streets, s)
}

// head returns the node at which an arc ends.
func (t *Town) head(arc int32) int32 {
	l := &t.Links[arc>>1]
	if arc&1 == 0 {
		return l.To
	}
	return l.From
}

func newArcTable(t *Town) arcTable {
	n := len(t.Nodes)
	a := arcTable{first: make([]int32, n+1), cost: make([]arcCost, 2*len(t.Links))}
	degree := make([]int32, n)
	widest := make([]Class, n)
	for i := range widest {
		widest[i] = Minor
	}
	for i := range t.Links {
		l := &t.Links[i]
		for _, end := range [...]int32{l.From, l.To} {
			degree[end]++
			widest[end] = min(widest[end], l.Class)
		}
		a.first[l.From+1]++
		if !l.OneWay {
			a.first[l.To+1]++
		}
	}
	for i := range n {
		a.first[i+1] += a.first[i]
	}
	a.out = make([]int32, a.first[n])
	fill := append([]int32(nil), a.first...)
	for i := range t.Links {
		l, arc := &t.Links[i], int32(2*i)
		a.fastest = max(a.fastest, int64(l.Speed))
		a.out[fill[l.From]] = arc
		fill[l.From]++
		a.cost[arc] = arcCost{l.drive() + wait(l.Class, widest[l.To], degree[l.To]), l.Length}
		if !l.OneWay {
			a.out[fill[l.To]] = arc + 1
			fill[l.To]++
			a.cost[arc+1] = arcCost{l.drive() + wait(l.Class, widest[l.From], degree[l.From]), l.Length}
		}
	}
	return a
}

// drive returns the milliseconds to drive a link at its speed limit, at least
// one.
func (l *Link) drive() int32 {
	return max(int32((int64(l.Length)*1000+int64(l.Speed)-1)/int64(l.Speed)), 1)
}

// wait returns the milliseconds lost at the junction where an arc of a class
// ends: giving way to a wider street costs most.
func wait(own, widest Class, degree int32) int32 {
	switch {
	case degree <= 2:
		return 0
	case own == widest:
		return 2_000
	case widest == Secondary:
		return 4_000
	default:
		return 6_000
	}
}
