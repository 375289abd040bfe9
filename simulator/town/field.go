package town

import "math"

// A field says, for every point, which two directions streets run in: a tensor
// field after Chen et al. 2008, the sum of a round one at the centre, rotated
// grids around it and one along the river, each fading with distance.
type field struct {
	size  float64 // metres
	ring  float64 // reach of the round part
	grids []grid
	waves [waves]wave
	river *river
}

// wave turns the streets a little, so that no quarter is completely straight.
type wave struct {
	along vec // radians per metre
	phase float64
	swing float64 // of twice the angle
}

// grid is a quarter where streets cross at right angles.
type grid struct {
	at       vec
	cos, sin float64 // of twice the angle
	reach2   float64 // squared distance at which it has faded to a half
	lobe2    float64 // squared radius of the built-up area around it
}

const quarters = 6

func newField(seed uint64, size float64) *field {
	f := &field{size: size, ring: float64(0.17 * size), river: newRiver(seed, size)}
	s := newStream(seed, "quarters", 0)
	turn := s.between(0, 2*math.Pi)
	for i := range quarters {
		bearing := turn + float64(float64(i)*(2*math.Pi/quarters)) + s.between(-0.35, 0.35)
		away := s.between(0.24, 0.4) * size
		twice := direction(float64((bearing + s.between(-0.65, 0.65)) * 2))
		reach, lobe := s.between(0.16, 0.26)*size, s.between(0.07, 0.14)*size
		f.grids = append(f.grids, grid{
			at: direction(bearing).times(away), cos: twice.x, sin: twice.y,
			reach2: float64(reach * reach), lobe2: float64(lobe * lobe),
		})
	}
	for i := range f.waves {
		f.waves[i] = wave{
			along: direction(s.between(0, 2*math.Pi)).times(2 * math.Pi / s.between(700, 2_600)),
			phase: s.between(0, 2*math.Pi), swing: s.between(0.12, 0.26),
		}
	}
	return f
}

// at returns the direction that streets take at p: along it for family 0,
// across it for family 1.
func (f *field) at(p vec, family int) vec {
	d2 := p.dot(p)
	r2 := float64(f.ring * f.ring)
	fade := float64((d2 / r2) * (d2 / r2))
	// The round part: streets run around the centre, or towards it.
	k := 1.3 / ((1 + fade) * (d2 + 1))
	a := float64((float64(p.y*p.y) - float64(p.x*p.x)) * k)
	b := float64(float64(-2*p.x*p.y) * k)
	for i := range f.grids {
		g := &f.grids[i]
		away := p.sub(g.at)
		d := away.dot(away) / g.reach2
		w := 1 / (1 + float64(d*d))
		a += float64(g.cos * w)
		b += float64(g.sin * w)
	}
	var angles [waves]float64
	for i := range f.waves {
		angles[i] = f.waves[i].phase + p.dot(f.waves[i].along)
	}
	turn := 0.0
	for i, s := range sines(angles) {
		turn += float64(f.waves[i].swing * s)
	}
	a, b = a-float64(b*turn), b+float64(a*turn)
	if t, w := f.river.influence(p); w > 0 {
		a += float64((float64(t.x*t.x) - float64(t.y*t.y)) * w)
		b += float64(float64(2*t.x*t.y) * w)
	}
	v := halfAngle(a, b)
	if family == 1 {
		return v.left()
	}
	return v
}

// halfAngle returns the unit vector at half the angle of (a, b) without
// trigonometry.
func halfAngle(a, b float64) vec {
	r := math.Sqrt(float64(a*a) + float64(b*b))
	if a >= 0 {
		return vec{r + a, b}.unit()
	}
	return vec{b, r - a}.unit()
}

// builtUp reports how densely p is lived in: 1 at the edge of the town, more
// inside, less outside.
func (f *field) builtUp(p vec) float64 {
	core := float64(0.3 * f.size)
	sum := float64(core*core) / (p.dot(p) + 1)
	for i := range f.grids {
		g := &f.grids[i]
		away := p.sub(g.at)
		sum += g.lobe2 / (away.dot(away) + 1)
	}
	return sum
}

// outline walks around the edge of the built-up area, for the map.
func (f *field) outline() []XY {
	const rays = 180
	var line []XY
	for i := range rays {
		d := direction(float64(i) * (2 * math.Pi / rays))
		near, far := 0.0, float64(0.75*f.size)
		for range 20 {
			mid := (near + far) / 2
			if f.builtUp(d.times(mid)) > 1 {
				near = mid
			} else {
				far = mid
			}
		}
		line = append(line, d.times(near).mm())
	}
	return line
}
