package town

import "math"

// river winds across the map. In its own frame it runs along u and its middle
// is at bank height v(u), kept as a table because it is asked for at each step
// of each street.
type river struct {
	along vec     // unit vector downstream
	half  float64 // half the width of the water, metres
	reach float64 // how far it turns streets its way
	low   float64 // u of the first entry
	step  float64
	v     []float64
}

const riverSteps = 400

func newRiver(seed uint64, size float64) *river {
	s := newStream(seed, "river", 0)
	r := &river{
		along: direction(s.between(0, 2*math.Pi)),
		half:  min(17+float64(size*0.002), 45),
		reach: 0.045 * size,
		low:   float64(-0.8 * size),
		step:  float64(1.6*size) / riverSteps,
	}
	off := float64(s.between(0.04, 0.09) * size)
	wide, narrow := float64(s.between(0.035, 0.06)*size), float64(s.between(0.01, 0.02)*size)
	p1, p2 := s.between(0, 2*math.Pi), s.between(0, 2*math.Pi)
	k1, k2 := 2*math.Pi/(s.between(0.75, 1)*size), 2*math.Pi/(s.between(0.3, 0.42)*size)
	for i := range riverSteps + 1 {
		u := r.low + float64(float64(i)*r.step)
		v := off + float64(wide*sine(p1+float64(k1*u))) + float64(narrow*sine(p2+float64(k2*u)))
		r.v = append(r.v, v)
	}
	return r
}

// local returns how far p is from the middle of the river, positive on the left
// bank, and which way the river runs there.
func (r *river) local(p vec) (off float64, tangent vec) {
	u, v := p.dot(r.along), r.along.cross(p)
	x := min(max((u-r.low)/r.step, 0), riverSteps-1.001)
	i := int(x)
	slope := r.v[i+1] - r.v[i]
	middle := r.v[i] + float64(slope*(x-float64(i)))
	local := vec{r.step, slope}.unit()
	tangent = r.along.times(local.x).add(r.along.left().times(local.y))
	return float64((v - middle) * local.x), tangent
}

// inWater reports whether p is in the water or within margin of it.
func (r *river) inWater(p vec, margin float64) bool {
	off, _ := r.local(p)
	return math.Abs(off) < r.half+margin
}

// influence returns the river's direction near p and how strongly it turns streets.
func (r *river) influence(p vec) (tangent vec, weight float64) {
	off, tangent := r.local(p)
	d := max(math.Abs(off)-r.half, 0) / r.reach
	if d > 4 {
		return tangent, 0
	}
	return tangent, 1.8 / (1 + float64(d*d*d*d))
}

// line returns the river's course at a distance to the left of its middle.
func (r *river) line(off float64) []vec {
	var course []vec
	for i, v := range r.v {
		u := r.low + float64(float64(i)*r.step)
		course = append(course, r.along.times(u).add(r.along.left().times(v+off)))
	}
	return course
}
