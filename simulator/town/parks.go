package town

import "math"

// park is a park that minor streets go around: a circle with a wavy rim.
type park struct {
	at            vec
	radius        float64
	phase2, phase float64
}

// rim returns how far the rim is from the middle in direction d.
func (k park) rim(angle float64) float64 {
	wave := float64(0.16*sine(float64(2*angle)+k.phase2)) + float64(0.08*sine(float64(3*angle)+k.phase))
	return float64(k.radius * (1 + wave))
}

// loop walks around the park at a distance outside its rim.
func (k park) loop(out, step float64) []vec {
	n := int(2 * math.Pi * (k.radius + out) / step)
	var pts []vec
	for i := range n + 1 {
		angle := float64(i%n) * (2 * math.Pi / float64(n))
		pts = append(pts, k.at.add(direction(angle).times(k.rim(angle)+out)))
	}
	return pts
}

// contains reports whether p is in the park or on the street around it. The rim is
// taken as round here; the street around is what keeps others off.
func (k park) contains(p vec) bool {
	d := p.sub(k.at)
	r := float64(0.97 * k.radius)
	return d.dot(d) < float64(r*r)
}

// parksFor puts a few parks into the built-up area, away from the river, the middle and
// one another.
func parksFor(f *field, seed uint64) []park {
	const most, tries = 6, 60
	s := newStream(seed, "parks", 0)
	var parks []park
	for range tries {
		k := park{
			at:     direction(s.between(0, 2*math.Pi)).times(float64(s.between(0.07, 0.33) * f.size)),
			radius: min(float64(s.between(0.016, 0.03)*f.size), 260),
			phase2: s.between(0, 2*math.Pi), phase: s.between(0, 2*math.Pi),
		}
		if len(parks) < most && f.builtUp(k.at) > 1.15 && !f.river.inWater(k.at, float64(1.5*k.radius)) && farApart(parks, k) {
			parks = append(parks, k)
		}
	}
	return parks
}

func farApart(parks []park, k park) bool {
	for _, other := range parks {
		if other.at.sub(k.at).length() < 3*(other.radius+k.radius) {
			return false
		}
	}
	return true
}

func (tr *tracer) inPark(p vec) bool {
	for _, k := range tr.parks {
		if k.contains(p) {
			return true
		}
	}
	return false
}

// addKnownStreets adds the streets that do not follow the field: the ring road, the
// embankments, the streets around parks.
func (tr *tracer) addKnownStreets(seed uint64) {
	s := newStream(seed, "ring", 0)
	ring := park{radius: float64(s.between(0.15, 0.18) * tr.size), phase2: s.between(0, 2*math.Pi), phase: s.between(0, 2*math.Pi)}
	tr.lines = append(tr.lines, line{pts: ring.loop(0, 20), class: Main, kind: ringRoad, closed: true})
	const setBack = 16 // metres from the water to the middle of the carriageway
	for _, side := range []float64{1, -1} {
		for _, pts := range tr.insideTown(tr.river.line(float64(side * (tr.river.half + setBack)))) {
			tr.lines = append(tr.lines, line{pts: pts, class: Secondary, kind: embankment})
		}
	}
	for _, k := range tr.parks {
		tr.lines = append(tr.lines, line{pts: k.loop(9, 14), class: Minor, kind: parkside, closed: true})
	}
}

// insideTown returns the parts of a line that are inside the town, in even steps.
func (tr *tracer) insideTown(course []vec) [][]vec {
	var parts [][]vec
	var part []vec
	for i := 1; i < len(course); i++ {
		n := max(int(course[i].sub(course[i-1]).length()/16), 1)
		for k := range n {
			p := course[i-1].add(course[i].sub(course[i-1]).times(float64(k) / float64(n)))
			if tr.builtUp(p) > 1.08 {
				part = append(part, p)
			} else if len(part) > 0 {
				parts = append(parts, part)
				part = nil
			}
		}
	}
	if len(part) > 0 {
		parts = append(parts, part)
	}
	return parts
}
