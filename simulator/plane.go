package simulator

import "time"

// How cars drive where no streets are known. Decision: 30 km/h for the first ten
// kilometres of a drive and 90 km/h for the rest, on a way that is 1.3 times the
// straight line.
const (
	detourTenths = 13
	townSpeed    = 8_333  // mm/s: 30 km/h
	highSpeed    = 25_000 // mm/s: 90 km/h
	townStretch  = 10_000_000
)

// planeRadius is how far from its centre an open plane counts as the town.
const planeRadius = 15_000_000 // mm

// plane is a world without streets, in which cars drive straight. It covers 15 km
// around its centre, and can route between any two spots on earth.
type plane struct{ centre Spot }

// Plane returns roads that run straight between any two spots within 15 km of
// the centre.
func Plane(centre Spot) Roads { return plane{centre} }

func (p plane) Centre() Spot { return p.centre }

func (p plane) Covers(s Spot) bool { return distance(p.centre, s) <= planeRadius }

func (p plane) Drive(from, to Spot) (int64, time.Duration) {
	mm := distance(from, to) / 10 * detourTenths
	slow := min(mm, townStretch)
	ms := slow*1000/townSpeed + (mm-slow)*1000/highSpeed
	return mm, time.Duration(ms) * time.Millisecond
}

func (p plane) Time(from, to Spot) time.Duration {
	_, took := p.Drive(from, to)
	return took
}

func (p plane) Times(from []Candidate, to Spot) []time.Duration {
	took := make([]time.Duration, len(from))
	for i := range from {
		_, took[i] = p.Drive(from[i].Spot, to)
	}
	return took
}

func (p plane) Route(from, to Spot, r *Route) {
	mm, took := p.Drive(from, to)
	*r = Route{From: from, To: to, Took: took, length: mm}
}

// Door spreads doors over the four kilometres around the centre.
func (p plane) Door(n uint64) Spot {
	const reach = 2_000_000 // mm
	draw := stream{n}
	return p.centre.offset(draw.below(2*reach)-reach, draw.below(2*reach)-reach)
}

// Lengths on the globe. One degree of latitude is as long on every meridian; one
// of longitude shrinks with the cosine of the latitude. That is exact enough for
// drives of a few hundred kilometres, and done with integers, so that every
// processor finds the same.
const mmPerDegree = 111_319_491

// distance is how far apart two spots are, in millimetres.
func distance(a, b Spot) int64 {
	shrink := cosine((int64(a.Lat) + int64(b.Lat)) / 2)
	x := max(eastward(a, b), eastward(b, a)) * mmPerDegree / 1e7 * shrink >> cosineBits
	y := (int64(b.Lat) - int64(a.Lat)) * mmPerDegree / 1e7
	fx, fy := float64(x), float64(y)
	return sqrt(float64(fx*fx) + float64(fy*fy))
}

// offset is the spot so far to the east and north, in millimetres.
func (s Spot) offset(east, north int64) Spot {
	lat := int64(s.Lat) + north*1e7/mmPerDegree
	shrink := max(cosine(lat), 1<<(cosineBits-7)) // near a pole there is no east
	lon := int64(s.Lon) + (east*1e7/mmPerDegree)<<cosineBits/shrink
	return Spot{wrap(lon), int32(min(max(lat, -9e8), 9e8))}
}

const cosineBits = 24

// cosine of a latitude in 1e-7 degrees, in units of 2^-24: the first terms of
// its series in fixed point.
func cosine(lat int64) int64 {
	const radian = 572_957_795 // 1e-7 degrees
	x := lat << cosineBits / radian
	xx := x * x >> cosineBits
	term, sum := int64(1)<<cosineBits, int64(1)<<cosineBits
	for n := int64(2); n <= 12; n += 2 {
		term = -(term * xx >> cosineBits) / (n * (n - 1))
		sum += term
	}
	return max(sum, 0)
}
