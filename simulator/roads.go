package simulator

import (
	"math"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Spot is a position on earth in steps of 1e-7 degrees, about a centimetre.
type Spot struct{ Lon, Lat int32 }

// SpotOf quantises a point.
func SpotOf(p taxi.Point) Spot {
	return Spot{int32(math.Round(p.Longitude * 1e7)), int32(math.Round(p.Latitude * 1e7))}
}

// Point returns the spot in degrees.
func (s Spot) Point() taxi.Point {
	return taxi.Point{Longitude: float64(s.Lon) / 1e7, Latitude: float64(s.Lat) / 1e7}
}

// Roads is what cars drive on. A world calls it from one goroutine at a time.
type Roads interface {
	// Covers reports whether a spot is within reach of these roads.
	Covers(Spot) bool
	// Centre is the middle of what they cover.
	Centre() Spot
	// Drive says how far and how long it is from one covered spot to another.
	Drive(from, to Spot) (millimetres int64, took time.Duration)
	// Time says only how long it is, for less.
	Time(from, to Spot) time.Duration
	// Times says how long it is from where each of several cars is to a spot, in order.
	// The answer is good until the next call.
	Times(from []Candidate, to Spot) []time.Duration
	// Route is Drive with the way, into r, whose space it may use again.
	Route(from, to Spot, r *Route)
	// Door is the n-th door, for any n, spread over what the roads cover. The same
	// n gives the same door.
	Door(n uint64) Spot
}

// Route is a drive from one spot to another. Its way is searched only when it is
// asked for, which most drives of a simulated day never are.
type Route struct {
	From, To Spot
	Took     time.Duration

	length int64 // millimetres; unmeasured: take it from way
	way    *way  // nil: straight ahead
}

const unmeasured = -1

// stand makes a route of a car that stands still.
func (r *Route) stand(s Spot) { r.From, r.To, r.Took, r.length = s, s, 0, 0 }

// Millimetres returns how long the drive is.
func (r *Route) Millimetres() int64 {
	if r.length == unmeasured {
		r.length, _ = r.way.streets.Drive(r.From, r.To)
	}
	return r.length
}

// At returns the position at a time after the start: From before it, To after the end.
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

const fullTurn = 3_600_000_000 // degrees around the earth, 1e-7

// wrap brings a longitude back to -180 to 180 degrees.
func wrap(lon int64) int32 {
	switch {
	case lon > fullTurn/2:
		lon -= fullTurn
	case lon < -fullTurn/2:
		lon += fullTurn
	}
	return int32(lon)
}

// eastward is how far b lies to the east of a the shorter way round, 1e-7
// degrees.
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
