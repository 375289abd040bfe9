package town

import "math"

// line is one street as traced: a chain of points a step apart.
type line struct {
	pts    []vec
	class  Class
	kind   setting
	closed bool
}

// level is one sweep of tracing: all streets of one class.
type level struct {
	class Class
	sep   [2]float64 // metres between neighbours that run along the field, across it
	step  float64
}

// tracer draws streets along a field, level by level, widest first.
type tracer struct {
	*field
	parks []park
	lines []line
	near  [2]*cells // points of streets along and across the field, for this level
	spots []XY      // the points behind the items of near
}

// trace returns every street of the town as a chain of points.
func trace(f *field, parks []park, seed uint64) []line {
	tr := &tracer{field: f, parks: parks}
	tr.addKnownStreets(seed)
	for _, l := range []level{
		{Main, [2]float64{0.085 * f.size, 0.085 * f.size}, 20},
		{Secondary, [2]float64{0.04 * f.size, 0.04 * f.size}, 16},
		{Minor, [2]float64{92, 122}, 12},
	} {
		tr.traceLevel(l)
	}
	return tr.lines
}

// traceLevel fills the town with the streets of one level: first beside the existing
// streets, then wherever a lattice of seeds finds room.
func (tr *tracer) traceLevel(l level) {
	tr.mark(l)
	for next := 0; next < len(tr.lines); next++ {
		tr.traceBeside(l, tr.lines[next].pts)
	}
	for family := range 2 {
		gap := l.sep[family] * 0.8
		n := int(tr.size/2/gap) + 1
		for j := -n; j <= n; j++ {
			for i := -n; i <= n; i++ {
				first := len(tr.lines)
				tr.traceFrom(l, vec{float64(i) * gap, float64(j) * gap}, family)
				for next := first; next < len(tr.lines); next++ {
					tr.traceBeside(l, tr.lines[next].pts)
				}
			}
		}
	}
}

// traceBeside traces streets from seeds beside and across a street. traceFrom checks the
// distance to neighbours, so most seeds give no street.
func (tr *tracer) traceBeside(l level, pts []vec) {
	walked, least := 0.0, min(l.sep[0], l.sep[1])*0.5
	for i := 1; i < len(pts); i++ {
		dir := pts[i].sub(pts[i-1])
		if walked += dir.length(); walked < least { // too soon for either family
			continue
		}
		family := tr.family(pts[i], dir)
		if walked < l.sep[1-family]*0.5 {
			continue
		}
		walked = 0
		side := dir.unit().left().times(l.sep[family] * 1.01)
		tr.traceFrom(l, pts[i].add(side), family)
		tr.traceFrom(l, pts[i].sub(side), family)
		tr.traceFrom(l, pts[i], 1-family)
	}
}

// family says which of the two directions of the field dir follows at p.
func (tr *tracer) family(p, dir vec) int {
	along := tr.at(p, 0)
	if math.Abs(along.dot(dir)) >= math.Abs(along.left().dot(dir)) {
		return 0
	}
	return 1
}

// traceFrom traces a street through a seed, both ways, if there is room for it.
func (tr *tracer) traceFrom(l level, seed vec, family int) {
	if !tr.mayStart(seed, l) || tr.crowded(seed, family, 0.98*l.sep[family]) {
		return
	}
	d := tr.at(seed, family)
	back := tr.followField(l, seed, d.times(-1), family)
	pts := make([]vec, 0, len(back)+64)
	for i := range back {
		pts = append(pts, back[len(back)-1-i])
	}
	pts = append(pts, seed)
	pts = append(pts, tr.followField(l, seed, d, family)...)
	if float64(len(pts))*l.step < 0.8*min(l.sep[0], l.sep[1]) {
		return
	}
	tr.addLine(l, line{pts: pts, class: l.class})
}

// addLine adds a street and marks where it runs.
func (tr *tracer) addLine(l level, ln line) {
	tr.lines = append(tr.lines, ln)
	tr.markLine(l, ln.pts)
}

// followField traces a street from p along the field until it cannot go on.
func (tr *tracer) followField(l level, p, dir vec, family int) []vec {
	const mostTurn = 5.5 // radians; more would be a spiral
	var pts []vec
	turned := 0.0
	for range int(2 * tr.size / l.step) {
		half := tr.continuing(p.add(dir.times(l.step/2)), dir, family)
		step := tr.continuing(p.add(half.times(l.step/2)), half, family)
		turned += dir.cross(step)
		q := p.add(step.times(l.step))
		if step.dot(dir) < 0.6 || math.Abs(turned) > mostTurn || !tr.passable(q, step, l) {
			return pts
		}
		room := 0.55 * l.sep[family]
		if tr.builtUp(q) < 1 {
			room *= 2.6 // few roads leave a town
		}
		if tr.crowded(q, family, room) {
			return pts
		}
		pts = append(pts, q)
		p, dir = q, step
	}
	return pts
}

// continuing returns the field's direction that goes on from dir.
func (tr *tracer) continuing(p, dir vec, family int) vec {
	v := tr.at(p, family)
	if v.dot(dir) < 0 {
		return v.times(-1)
	}
	return v
}

// mayStart reports whether a street of this level may start at p.
func (tr *tracer) mayStart(p vec, l level) bool {
	const verge = 8
	return tr.inside(p, l) && !tr.river.inWater(p, verge) && !tr.inPark(p)
}

// passable reports whether a street may go on to p in direction dir: only main
// roads cross the river, and only straight over; only main and secondary roads
// cross a park.
func (tr *tracer) passable(p, dir vec, l level) bool {
	if !tr.inside(p, l) || l.class == Minor && tr.inPark(p) {
		return false
	}
	off, tangent := tr.river.local(p)
	if math.Abs(off) > tr.river.half+8 {
		return true
	}
	return l.class == Main && math.Abs(tangent.dot(dir)) < 0.6
}

// inside reports whether a street of this level may be at p: main roads go on
// to the edge of the map, minor ones stay in the built-up area.
func (tr *tracer) inside(p vec, l level) bool {
	edge := tr.size / 2
	if math.Abs(p.x) > edge || math.Abs(p.y) > edge {
		return false
	}
	switch l.class {
	case Main:
		return true
	case Secondary:
		return tr.builtUp(p) > 0.9
	default:
		return tr.builtUp(p) > 1
	}
}

// mark starts a level: the streets that are there count as neighbours.
func (tr *tracer) mark(l level) {
	half := int32(tr.size * 500)
	tr.spots = tr.spots[:0]
	for family := range tr.near {
		tr.near[family] = newCells(half, int32(max(l.sep[family]*0.5, 60)*1000))
	}
	for _, ln := range tr.lines {
		tr.markLine(l, ln.pts)
	}
}

// markLine puts enough points of a street into the grid of its family.
func (tr *tracer) markLine(l level, pts []vec) {
	gap := min(l.sep[0], l.sep[1]) / 5
	walked := gap
	for i, p := range pts {
		dir := pts[max(i, 1)].sub(pts[max(i, 1)-1])
		if walked += dir.length(); walked < gap && i != len(pts)-1 {
			continue
		}
		walked = 0
		near := tr.near[tr.family(p, dir)]
		tr.spots = append(tr.spots, p.mm())
		near.put(near.cell(p.mm()), int32(len(tr.spots)-1))
	}
}

// crowded reports whether a street of the same family runs within room of p.
func (tr *tracer) crowded(p vec, family int, room float64) bool {
	at, r := p.mm(), int32(room*1000)
	found := false
	tr.near[family].around(at, r, func(item int32) bool {
		found = distance2(at, tr.spots[item]) < int64(r)*int64(r)
		return !found
	})
	return found
}
