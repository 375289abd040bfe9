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
	// Route is Drive with the way. It may build the way in path, whose contents
	// are not needed any more.
	Route(from, to Spot, path []Waypoint) Route
	// Door is the n-th of endlessly many doors, spread over what the roads
	// cover: the same for the same n.
	Door(n uint64) Spot
}

// Route is a drive from one spot to another.
type Route struct {
	From, To    Spot
	Millimetres int64
	Took        time.Duration
	Path        []Waypoint // the bends in between, in order; none: straight ahead
}

// Waypoint is a bend of a route and how long after setting off it is reached.
type Waypoint struct {
	Spot  Spot
	After time.Duration
}

// At returns where the drive has come to a while after setting off: From before
// it, To after its end.
func (r *Route) At(after time.Duration) Spot {
	switch {
	case after <= 0:
		return r.From
	case after >= r.Took:
		return r.To
	}
	low, high := 0, len(r.Path) // the first bend not yet reached
	for low < high {
		if mid := (low + high) / 2; r.Path[mid].After <= after {
			low = mid + 1
		} else {
			high = mid
		}
	}
	a, b := Waypoint{Spot: r.From}, Waypoint{r.To, r.Took}
	if low > 0 {
		a = r.Path[low-1]
	}
	if low < len(r.Path) {
		b = r.Path[low]
	}
	return between(a, b, after)
}

// between interpolates on the straight line from a to b.
func between(a, b Waypoint, after time.Duration) Spot {
	done, whole := int64((after-a.After)/time.Millisecond), int64((b.After-a.After)/time.Millisecond)
	if whole <= 0 {
		return b.Spot
	}
	return Spot{
		wrap(int64(a.Spot.Lon) + eastward(a.Spot, b.Spot)*done/whole),
		a.Spot.Lat + int32((int64(b.Spot.Lat)-int64(a.Spot.Lat))*done/whole),
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
