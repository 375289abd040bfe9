package town

import (
	"math"
	"sort"
)

func newSegmentIndex(t *Town) segmentIndex {
	reach := int32(1_000)
	for _, p := range t.shape {
		reach = max(reach, p.X, -p.X, p.Y, -p.Y)
	}
	ix := segmentIndex{grid: newCells(reach, max(70_000, reach/512))}
	for i := range t.Links {
		for v := t.Links[i].first; v < t.Links[i].last; v++ {
			ix.grid.putSegment(t.shape[v], t.shape[v+1], int32(len(ix.segs)))
			ix.segs = append(ix.segs, linkSegment{int32(i), v})
		}
	}
	return ix
}

// Kerb returns the kerb nearest to p. The town must have streets, which the default and every
// imported one has.
func (t *Town) Kerb(p XY) Kerb {
	best, bestD := Kerb{}, int64(math.MaxInt64)
	for r := t.segments.grid.side() / 2; ; r *= 2 {
		t.segments.grid.around(p, r, func(item int32) bool {
			s := t.segments.segs[item]
			if beyondBox(p, t.shape[s.at], t.shape[s.at+1], bestD) {
				return true
			}
			foot, offset := t.project(s, p)
			k := Kerb{s.link, offset}
			if d := distance2(p, foot); d < bestD || d == bestD && k.before(best) {
				best, bestD = k, d
			}
			return true
		})
		if bestD <= int64(r)*int64(r) || r > math.MaxInt32/4 {
			return best
		}
	}
}

// beyondBox reports whether the box around a segment is farther from p than a distance, given
// as its square. It rules out most segments cheaply.
func beyondBox(p, a, b XY, square int64) bool {
	x := int64(max(min(a.X, b.X)-p.X, p.X-max(a.X, b.X), 0))
	y := int64(max(min(a.Y, b.Y)-p.Y, p.Y-max(a.Y, b.Y), 0))
	return x*x+y*y > square
}

func (k Kerb) before(o Kerb) bool {
	return k.Link < o.Link || k.Link == o.Link && k.Offset < o.Offset
}

// project returns the point of a segment nearest to p, and its distance from the start of the
// link.
func (t *Town) project(s linkSegment, p XY) (XY, int32) {
	a, b := t.shape[s.at], t.shape[s.at+1]
	d, g := from(a, b), from(a, p)
	length2 := d.x*d.x + d.y*d.y
	switch dot := d.x*g.x + d.y*g.y; {
	case dot <= 0 || length2 == 0:
		return a, t.along[s.at]
	case dot >= length2:
		return b, t.along[s.at+1]
	default:
		run := int64(t.along[s.at+1] - t.along[s.at])
		return along(a, d, dot, length2), t.along[s.at] + int32(run*dot/length2)
	}
}

// At returns the position of a kerb.
func (t *Town) At(k Kerb) XY {
	v := t.vertex(k)
	return t.lerp(v, k.Offset)
}

// vertex returns the vertex at or before a kerb, never the link's last.
func (t *Town) vertex(k Kerb) int32 {
	l := &t.Links[k.Link]
	run := t.along[l.first+1 : l.last]
	return l.first + int32(sort.Search(len(run), func(i int) bool { return run[i] > k.Offset }))
}

// lerp returns the point at an offset along the link, after vertex v.
func (t *Town) lerp(v, offset int32) XY {
	run := int64(t.along[v+1] - t.along[v])
	if run == 0 {
		return t.shape[v]
	}
	part := min(max(int64(offset-t.along[v]), 0), run)
	return along(t.shape[v], from(t.shape[v], t.shape[v+1]), part, run)
}
