package town

import (
	"cmp"
	"slices"
)

// piece is a piece of street between two nodes, which becomes a link.
type piece struct {
	from, to int32
	street   int32
	length   int32
	speed    int32
	class    Class
	oneWay   bool
	bridge   bool
	shape    []XY // with both nodes
}

// weave turns traced lines into nodes and pieces; a piece's street is its track.
func weave(lines []line, f *field) *weaver {
	w := newWeaver(lines, f)
	w.extend()
	w.cross()
	return w
}

// pieces cuts the tracks at their nodes, drops doubles and stubs, and joins
// what then runs through a node without a junction.
func (w *weaver) pieces() []piece {
	var all []piece
	for t := range w.tracks {
		all = w.cutTrack(all, int32(t))
	}
	all = dropDuplicates(all)
	all = dropStubs(all, len(w.nodes))
	return w.join(all)
}

// cutTrack appends the pieces of one track, in order.
func (w *weaver) cutTrack(all []piece, t int32) []piece {
	tr := &w.tracks[t]
	slices.SortStableFunc(tr.cuts, func(a, b cut) int {
		return cmp.Or(cmp.Compare(a.i, b.i), cmp.Compare(a.at, b.at), cmp.Compare(a.node, b.node))
	})
	for k := 1; k < len(tr.cuts); k++ {
		a, b := tr.cuts[k-1], tr.cuts[k]
		if a.node == b.node {
			continue
		}
		shape := w.span(tr, a, b)
		all = append(all, piece{
			from: a.node, to: b.node, street: t, class: tr.class,
			shape: shape, length: shapeLength(shape),
		})
	}
	return all
}

// span returns the vertices between two cuts. Vertices close to a node go, or
// the snapping of nodes would show as a kink.
func (w *weaver) span(tr *track, a, b cut) []XY {
	const kink = 7_000
	p, q := w.nodes[a.node], w.nodes[b.node]
	shape := []XY{p}
	for _, v := range tr.pts[min(a.i+1, int32(len(tr.pts))) : b.i+1] {
		if distance2(v, p) > kink*kink && distance2(v, q) > kink*kink {
			shape = append(shape, v)
		}
	}
	return append(shape, q)
}

func shapeLength(shape []XY) int32 {
	sum := int64(0)
	for i := 1; i < len(shape); i++ {
		sum += distance(shape[i-1], shape[i])
	}
	return int32(sum)
}

// dropDuplicates removes one of two pieces that join the same nodes side by side, where
// two tracks crossed twice within a few metres.
func dropDuplicates(all []piece) []piece {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	ends := func(i int) (int32, int32) { return min(all[i].from, all[i].to), max(all[i].from, all[i].to) }
	slices.SortFunc(order, func(i, j int) int {
		a, b := ends(i)
		c, d := ends(j)
		return cmp.Or(cmp.Compare(a, c), cmp.Compare(b, d), cmp.Compare(i, j))
	})
	gone := make([]bool, len(all))
	for k := 1; k < len(order); k++ {
		i, j := order[k-1], order[k]
		a, b := ends(i)
		c, d := ends(j)
		if a == c && b == d && (all[j].length < 60_000 || all[j].length < all[i].length*5/4) {
			gone[j] = true
			order[k] = i // the next is compared with what stays
		}
	}
	return keep(all, gone)
}

func keep(all []piece, gone []bool) []piece {
	kept := all[:0]
	for i, p := range all {
		if !gone[i] {
			kept = append(kept, p)
		}
	}
	return kept
}

// dropStubs removes dead ends too short to be a street, again until none is
// left.
func dropStubs(all []piece, nodes int) []piece {
	const stub = 25_000
	degree := degrees(all, nodes)
	for {
		gone := make([]bool, len(all))
		found := false
		for i, p := range all {
			if p.length < stub && (degree[p.from] == 1 || degree[p.to] == 1) {
				gone[i], found = true, true
				degree[p.from]--
				degree[p.to]--
			}
		}
		if !found {
			return all
		}
		all = keep(all, gone)
	}
}

func degrees(all []piece, nodes int) []int32 {
	d := make([]int32, nodes)
	for _, p := range all {
		d[p.from]++
		d[p.to]++
	}
	return d
}

// join merges consecutive pieces of a street whose common node is no junction,
// and straightens what is nearly straight.
func (w *weaver) join(all []piece) []piece {
	degree := degrees(all, len(w.nodes))
	var joined []piece
	for _, p := range all {
		if n := len(joined); n > 0 {
			last := &joined[n-1]
			if last.street == p.street && last.to == p.from && last.from != p.to && degree[p.from] == 2 {
				last.shape = append(last.shape, p.shape[1:]...)
				last.to = p.to
				continue
			}
		}
		joined = append(joined, p)
	}
	for i := range joined {
		joined[i].shape = straighten(joined[i].shape)
		joined[i].length = shapeLength(joined[i].shape)
	}
	return joined
}

// straighten drops vertices less than 40 cm off the line between their neighbours: half
// of them, without a visible difference.
func straighten(shape []XY) []XY {
	const off = 400
	out := shape[:1]
	for i := 1; i < len(shape)-1; i++ {
		a, b, c := out[len(out)-1], shape[i], shape[i+1]
		if abs64(from(a, b).cross(from(a, c))) > off*distance(a, c) || distance2(a, c) > 80_000*80_000 {
			out = append(out, b)
		}
	}
	return append(out, shape[len(shape)-1])
}
