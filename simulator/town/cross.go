package town

// track is a street on the millimetre plane, before it is cut at its crossings.
type track struct {
	pts    []XY
	class  Class
	kind   setting
	closed bool
	cuts   []cut
}

// cut is where a node lies on a track: after vertex i, at 0 to whole of the way
// to the next.
type cut struct {
	i, at, node int32
}

const wholeScale = 1 << 20

// segment is one straight bit of a track: from vertex i to vertex i+1.
type segment struct{ track, i int32 }

// weaver finds where tracks cross, and makes a node there.
type weaver struct {
	tracks []track
	*field
	half      int32 // half the side of the map, mm
	segs      []segment
	byCell    *cells // of segs
	nodes     []XY
	nodeCells *cells // of nodes
}

func newWeaver(lines []line, f *field) *weaver {
	w := &weaver{field: f, half: int32(f.size * 500)}
	for _, ln := range lines {
		t := track{class: ln.class, kind: ln.kind, closed: ln.closed, pts: make([]XY, 0, len(ln.pts)+2)}
		for _, p := range ln.pts {
			t.pts = append(t.pts, p.mm())
		}
		w.tracks = append(w.tracks, t)
	}
	return w
}

// index puts every segment into the cells it touches.
func (w *weaver) index() {
	const side = 40_000
	w.segs = w.segs[:0]
	w.byCell = newCells(w.half, side)
	for t := range w.tracks {
		pts := w.tracks[t].pts
		for i := range len(pts) - 1 {
			w.byCell.putSegment(pts[i], pts[i+1], int32(len(w.segs)))
			w.segs = append(w.segs, segment{int32(t), int32(i)})
		}
	}
}

// meet returns how far along p..p+d, and how far along a..b, the two meet, in
// parts of whole.
func meet(p XY, d offset, a, b XY) (first, second int64, ok bool) {
	e, g := from(a, b), from(p, a)
	den := d.cross(e)
	if den == 0 {
		return 0, 0, false
	}
	first, second = g.cross(e), g.cross(d)
	if den < 0 {
		first, second, den = -first, -second, -den
	}
	if min(first, second) < 0 || max(first, second) > den {
		return 0, 0, false
	}
	return first * wholeScale / den, second * wholeScale / den, true
}

// extend extends the loose ends of streets to the next street ahead, so that they end in
// a T-junction and not in the middle of a block.
func (w *weaver) extend() {
	w.index()
	for t := range w.tracks {
		tr := &w.tracks[t]
		if n := len(tr.pts); !tr.closed && n > 2 {
			head, okHead := w.ahead(t, tr.pts[2], tr.pts[0])
			tail, okTail := w.ahead(t, tr.pts[n-3], tr.pts[n-1])
			if okHead {
				tr.pts = append([]XY{head}, tr.pts...)
			}
			if okTail {
				tr.pts = append(tr.pts, tail)
			}
		}
	}
}

// ahead looks from the end of a street for the first other street in its way,
// and returns a point just beyond it.
func (w *weaver) ahead(own int, before, end XY) (XY, bool) {
	reach := [...]int64{Main: 60 * int64(w.size), Secondary: 30 * int64(w.size), Minor: 95_000}[w.tracks[own].class]
	run := max(distance(before, end), 1)
	d := from(before, end)
	d.x, d.y = d.x*reach/run, d.y*reach/run
	nearest := int64(wholeScale + 1)
	middle := along(end, d, 1, 2)
	w.byCell.around(middle, int32(max(abs64(d.x), abs64(d.y))/2), func(item int32) bool {
		s := w.segs[item]
		if int(s.track) == own {
			return true
		}
		pts := w.tracks[s.track].pts
		if far, _, ok := meet(end, d, pts[s.i], pts[s.i+1]); ok {
			nearest = min(nearest, far)
		}
		return true
	})
	hit := along(end, d, nearest, wholeScale)
	if nearest > wholeScale || !w.dryWay(own, end, hit) {
		return XY{}, false
	}
	const beyond = 1_500 // so that the crossing is found again
	return XY{hit.X + int32(d.x*beyond/reach), hit.Y + int32(d.y*beyond/reach)}, true
}

// dryWay reports whether a street may be drawn on from a to b.
func (w *weaver) dryWay(own int, a, b XY) bool {
	if w.tracks[own].class == Main {
		return true
	}
	d := from(a, b)
	const parts = 20
	for k := range int64(parts + 1) {
		if w.river.inWater(metres(along(a, d, k, parts)), 3) {
			return false
		}
	}
	return true
}

// cross finds all crossings, makes a node at each, and one at each loose end.
func (w *weaver) cross() {
	w.index()
	w.nodeCells = newCells(w.half, 20_000)
	for cell := range w.byCell.head {
		for e := w.byCell.head[cell]; e >= 0; e = w.byCell.next[e] {
			for o := w.byCell.next[e]; o >= 0; o = w.byCell.next[o] {
				w.pair(int32(cell), w.byCell.item[e], w.byCell.item[o])
			}
		}
	}
	for t := range w.tracks {
		tr := &w.tracks[t]
		last := int32(len(tr.pts) - 1)
		tr.cuts = append(tr.cuts, cut{0, 0, w.node(tr.pts[0])}, cut{last, 0, w.node(tr.pts[last])})
	}
}

// pair cuts two segments at their crossing, if it is in this cell; a crossing in another
// cell is handled there.
func (w *weaver) pair(cell, e, o int32) {
	s, r := w.segs[e], w.segs[o]
	if s.track == r.track && max(s.i-r.i, r.i-s.i) <= 1 {
		return
	}
	p, q := w.tracks[s.track].pts, w.tracks[r.track].pts
	d := from(p[s.i], p[s.i+1])
	here, there, ok := meet(p[s.i], d, q[r.i], q[r.i+1])
	if !ok {
		return
	}
	x := along(p[s.i], d, here, wholeScale)
	if w.byCell.cell(x) != cell {
		return
	}
	n := w.node(x)
	w.tracks[s.track].cuts = append(w.tracks[s.track].cuts, cut{s.i, int32(here), n})
	w.tracks[r.track].cuts = append(w.tracks[r.track].cuts, cut{r.i, int32(there), n})
}

// node returns the node within 14 m of p, or a new one at p.
func (w *weaver) node(p XY) int32 {
	const snap = 14_000
	best, bestD := int32(-1), int64(snap*snap)
	w.nodeCells.around(p, snap, func(item int32) bool {
		if d := distance2(p, w.nodes[item]); d < bestD || d == bestD && item < best {
			best, bestD = item, d
		}
		return true
	})
	if best < 0 {
		best = int32(len(w.nodes))
		w.nodes = append(w.nodes, p)
		w.nodeCells.put(w.nodeCells.cell(p), best)
	}
	return best
}
