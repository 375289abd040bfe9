// Package town makes the place where the simulated taxis drive: streets with
// names, house numbers and postcodes, places worth going to, and the quickest
// way between any two doors.
//
// [Generate] makes a town from a seed; osm.ReadGeoJSON and osm.ReadPBF read a
// user's own streets. A [Town] does not change afterwards, and goroutines may
// share it. They may not share a [Router] or an [Index], which search it.
//
// Everything inside is an integer: millimetres on a plane whose origin is the
// middle of the town, milliseconds, degrees in steps of 1e-7. The generator is
// the one part that computes with fractions, and it rounds every product before
// adding to it, so a seed gives the same town on every processor.
package town

import (
	"math"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// XY is a position on the town's plane in millimetres: X to the east and Y to
// the north of the town's centre.
type XY struct{ X, Y int32 }

// Town is a street network with names, addresses and places.
type Town struct {
	Name        string
	Seed        uint64 // what it was generated from; 0 for an imported one
	Size        int    // side of the map in metres
	Attribution string // to be shown wherever the map is; empty for a generated town
	Places      []Place
	Streets     []Street
	Nodes       []XY   // junctions and ends of streets
	Links       []Link // pieces of street between two nodes

	frame    frame
	shape    []XY    // vertices of all links, one link after another
	along    []int32 // parallel to shape: millimetres from the link's start
	arcs     arcTable
	segments segmentIndex
	doors    int32 // how many there are
	scenery  scenery
	speech   lexicon
	ch       func() *hierarchy // waits until it is built
}

// Class ranks streets by what they are for.
type Class uint8

// The classes of street, from the widest.
const (
	Main Class = iota
	Secondary
	Minor
)

// Speed limits in millimetres per second.
const (
	mph20 = 8_941
	mph30 = 13_411
	mph40 = 17_882
	mph60 = 26_822
)

// Link is a piece of street between two nodes.
type Link struct {
	From, To int32 // indices into Town.Nodes
	Street   int32 // index into Town.Streets
	Length   int32 // millimetres
	Speed    int32 // millimetres per second
	Class    Class
	OneWay   bool // only from From to To
	Bridge   bool // over the river

	at          int32 // millimetres along the street where it begins
	first, last int32 // its vertices are shape[first : last+1]
}

// Street is a run of links under one name.
type Street struct {
	Name   string // "Mill Lane"; "A65" or "Unnamed Road 7" where an import gave none
	Class  Class
	Length int32   // millimetres
	Links  []int32 // in the order of the house numbers

	start   []int32 // parallel to Links: millimetres along the street where each begins
	runs    []postcode
	doors   int32   // doors on the streets before this one
	plots   int32   // pairs of doors, one on the left and one on the right
	houses  []house // by number, if the map knows them; then there are no plots
	kind    setting
	deadEnd bool
	unnamed bool // an import gave no name
}

// Shape returns the vertices of a link from its From node to its To node. The
// slice belongs to the town.
func (t *Town) Shape(link int32) []XY {
	l := &t.Links[link]
	return t.shape[l.first : l.last+1]
}

// Metres per degree of latitude on the sphere that web maps use, in mm.
const mmPerDegree = 111_319_491

// frame converts between the plane and the globe. Rounding is to the nearest
// on both ways, so a point of the globe quantised to 1e-7 degrees comes back
// unchanged up to 80 degrees of latitude.
type frame struct {
	lat, lon    int64 // of the origin, 1e-7 degrees
	mmPerLonDeg int64
}

func newFrame(centre taxi.Point) frame {
	c := sine(float64(centre.Latitude*(math.Pi/180)) + math.Pi/2)
	return frame{
		lat:         quantise(centre.Latitude),
		lon:         quantise(centre.Longitude),
		mmPerLonDeg: int64(math.Round(float64(mmPerDegree * c))),
	}
}

// quantise rounds degrees to 1e-7, about a centimetre.
func quantise(degrees float64) int64 { return int64(math.Round(float64(degrees * 1e7))) }

// Point returns where on earth p is, to 1e-7 degrees.
func (t *Town) Point(p XY) taxi.Point {
	lat := t.frame.lat + divRound(int64(p.Y)*1e7, mmPerDegree)
	lon := t.frame.lon + divRound(int64(p.X)*1e7, t.frame.mmPerLonDeg)
	return taxi.Point{Longitude: float64(lon) / 1e7, Latitude: float64(lat) / 1e7}
}

// XY returns where on the plane p is. Points more than 1,000 km away come out
// at the edge of the plane.
func (t *Town) XY(p taxi.Point) XY { return t.frame.xy(p) }

func (f frame) xy(p taxi.Point) XY {
	y := divRound((quantise(p.Latitude)-f.lat)*mmPerDegree, 1e7)
	x := divRound((quantise(p.Longitude)-f.lon)*f.mmPerLonDeg, 1e7)
	return XY{clampMM(x), clampMM(y)}
}

func clampMM(v int64) int32 { return int32(min(max(v, -1e9), 1e9)) }

// divRound divides, rounding halves away from zero.
func divRound(a, b int64) int64 {
	if a < 0 {
		return -((-a + b/2) / b)
	}
	return (a + b/2) / b
}

// distance returns the straight line between two points, in whole millimetres
// rounded down. Square roots are exact to the last bit everywhere, so this may
// use one.
func distance(a, b XY) int64 {
	return isqrt(distance2(a, b))
}

func distance2(a, b XY) int64 {
	dx, dy := int64(a.X)-int64(b.X), int64(a.Y)-int64(b.Y)
	return dx*dx + dy*dy
}

func isqrt(v int64) int64 {
	r := int64(math.Sqrt(float64(v)))
	for r*r > v {
		r--
	}
	for (r+1)*(r+1) <= v {
		r++
	}
	return r
}
