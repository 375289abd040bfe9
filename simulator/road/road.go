// Package road drives cars over the roads of a town, or over an open plane: how long a
// drive is, where a car on it is, and which cars are around a spot.
package road

import (
	"iter"
	"math"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/chance"
)

// Spot is a position on earth in steps of 1e-7 degrees, about a centimetre.
type Spot struct{ Lon, Lat int32 }

// SpotOf rounds a point to a spot.
func SpotOf(p taxi.Point) Spot {
	return Spot{int32(math.Round(p.Longitude * 1e7)), int32(math.Round(p.Latitude * 1e7))}
}

// Point returns the spot in degrees.
func (s Spot) Point() taxi.Point {
	return taxi.Point{Longitude: float64(s.Lon) / 1e7, Latitude: float64(s.Lat) / 1e7}
}

// Candidate is a car that may be sent to a spot.
type Candidate struct {
	Car    int32
	Spot   Spot          // its position; with a passenger, its last drop-off
	First  bool          // it is the first car in the queue of a rank
	FreeIn time.Duration // time until it drops its passenger off; 0: it is free
}

// Roads are the roads that cars drive on. A world calls them from one goroutine at a time.
type Roads interface {
	// Covers reports whether a spot can be reached on these roads.
	Covers(Spot) bool
	// Centre returns the middle of the covered area.
	Centre() Spot
	// Drive returns the length and duration of a drive between two covered spots.
	Drive(from, to Spot) (millimetres int64, took time.Duration)
	// Time returns only the duration, at a lower cost.
	Time(from, to Spot) time.Duration
	// Times returns the durations from several cars to a spot, in order. The slice is
	// valid until the next call.
	Times(from []Candidate, to Spot) []time.Duration
	// Route computes a drive with its way into r, whose memory it may reuse.
	Route(from, to Spot, r *Route)
	// Door returns the n-th door, for any n, spread over the covered area. The same n
	// gives the same door.
	Door(n uint64) Spot
}

// Route is a drive from one spot to another. Its way is only computed when it is needed,
// which it is not for most drives of a simulated day.
type Route struct {
	From, To Spot
	Took     time.Duration

	length int64 // millimetres; unmeasured: use that of way
	way    *way  // nil: a straight line
}

const unmeasured = -1

// Stand sets the route of a car that stands still.
func (r *Route) Stand(s Spot) { r.From, r.To, r.Took, r.length = s, s, 0, 0 }

// Millimetres returns the length of the drive.
func (r *Route) Millimetres() int64 {
	if r.length == unmeasured {
		r.length, _ = r.way.streets.Drive(r.From, r.To)
	}
	return r.length
}

// At returns the position at a time after the start: From before the start, To after the
// end.
func (r *Route) At(after time.Duration) Spot {
	switch {
	case after <= 0:
		return r.From
	case after >= r.Took:
		return r.To
	case r.way != nil:
		return r.way.at(int64(after / time.Millisecond))
	}
	return between(r.From, r.To, int64(after/time.Millisecond), int64(r.Took/time.Millisecond))
}

// Bends yields the spots between which the car drives straight, each with the time since
// its start.
func (r *Route) Bends() iter.Seq2[time.Duration, Spot] {
	return func(yield func(time.Duration, Spot) bool) {
		if !yield(0, r.From) || r.From == r.To {
			return
		}
		if r.way != nil && !r.way.bends(yield) {
			return
		}
		yield(r.Took, r.To)
	}
}

// between interpolates on the straight line from a to b.
func between(a, b Spot, done, whole int64) Spot {
	if whole <= 0 {
		return b
	}
	return Spot{
		wrap(int64(a.Lon) + eastward(a, b)*done/whole),
		a.Lat + int32((int64(b.Lat)-int64(a.Lat))*done/whole),
	}
}

const fullTurn = 3_600_000_000 // 360 degrees in 1e-7 degrees

// wrap returns a longitude in the range of -180 to 180 degrees.
func wrap(lon int64) int32 {
	switch {
	case lon > fullTurn/2:
		lon -= fullTurn
	case lon < -fullTurn/2:
		lon += fullTurn
	}
	return int32(lon)
}

// eastward returns how far b is to the east of a, in 1e-7 degrees, in the direction that
// is shorter.
func eastward(a, b Spot) int64 {
	d := int64(b.Lon) - int64(a.Lon)
	switch {
	case d > fullTurn/2:
		d -= fullTurn
	case d < -fullTurn/2:
		d += fullTurn
	}
	return d
}

// Speeds of cars where no streets are known. Decision: 30 km/h for the first ten
// kilometres of a drive and 90 km/h for the rest, on a way that is 1.3 times the straight
// line.
const (
	detourTenths = 13
	townSpeed    = 8_333  // mm/s: 30 km/h
	highSpeed    = 25_000 // mm/s: 90 km/h
	townStretch  = 10_000_000
)

// planeRadius is the distance from its centre up to which an open plane counts as the
// town.
const planeRadius = 15_000_000 // mm

// plane is a world without streets, in which cars drive straight. It covers 15 km around
// its centre, and can compute drives between any two spots on earth.
type plane struct{ centre Spot }

// Plane returns roads without streets, on which cars drive straight. They cover 15 km
// around the centre.
func Plane(centre Spot) Roads { return plane{centre} }

func (p plane) Centre() Spot { return p.centre }

func (p plane) Covers(s Spot) bool { return Distance(p.centre, s) <= planeRadius }

func (p plane) Drive(from, to Spot) (int64, time.Duration) {
	mm := Distance(from, to) / 10 * detourTenths
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

// Door returns doors within two kilometres of the centre in each direction.
func (p plane) Door(n uint64) Spot {
	const reach = 2_000_000 // mm
	draw := chance.From(n)
	return p.centre.Offset(draw.Below(2*reach)-reach, draw.Below(2*reach)-reach)
}

// Lengths on the globe. A degree of latitude has the same length everywhere; the length
// of a degree of longitude shrinks with the cosine of the latitude. That is exact enough
// for drives of a few hundred kilometres. The arithmetic uses integers, so that every
// processor gets the same result.
const mmPerDegree = 111_319_491

// Distance returns the distance between two spots in millimetres.
func Distance(a, b Spot) int64 {
	shrink := cosine((int64(a.Lat) + int64(b.Lat)) / 2)
	x := max(eastward(a, b), eastward(b, a)) * mmPerDegree / 1e7 * shrink >> cosineBits
	y := (int64(b.Lat) - int64(a.Lat)) * mmPerDegree / 1e7
	fx, fy := float64(x), float64(y)
	return sqrt(float64(fx*fx) + float64(fy*fy))
}

// Offset returns the spot at a distance to the east and north, in millimetres.
func (s Spot) Offset(east, north int64) Spot {
	lat := int64(s.Lat) + north*1e7/mmPerDegree
	shrink := max(cosine(lat), 1<<(cosineBits-7)) // near a pole, a degree of longitude has no length
	lon := int64(s.Lon) + (east*1e7/mmPerDegree)<<cosineBits/shrink
	return Spot{wrap(lon), int32(min(max(lat, -9e8), 9e8))}
}

const cosineBits = 24

// cosine returns the cosine of a latitude in 1e-7 degrees, in units of 2^-24, from the
// first terms of its series in fixed point.
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

// sqrt is an integer square root, exact to the bit on every processor.
func sqrt(square float64) int64 { return int64(math.Sqrt(square)) }
