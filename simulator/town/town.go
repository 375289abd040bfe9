// Package town makes the place where the simulated taxis drive: streets with
// names, house numbers and postcodes, places worth going to, and the quickest
// way between any two doors.
//
// [Default] is Otterbridge, which is part of the program as the data in
// default.plan; osm.ReadGeoJSON and osm.ReadPBF read a user's own streets. A
// [Town] does not change afterwards, and goroutines may share it. They may not
// share a [Router] or an [Index], which search it.
//
// Everything inside is an integer: millimetres on a plane whose origin is the
// middle of the town, milliseconds, degrees in steps of 1e-7. So a town is the
// same on every processor.
//
// A program made default.plan from a seed; it is in the history of this
// repository, and not needed any more. The file has these parts:
//
//	name of the town, side of its map in metres
//	nodes: points
//	streets: name, class
//	links: from and to (nodes), street, speed, class, 1 if one-way or 0, points between its ends
//	places: kind, name, weight, kerb (link and offset), point
//	outline of the built-up area: points
//	parks: points of each
//	river: points of its course; its name and width
//	railway: points
//	runway: points; its width and that of the apron
//	nodes in the order in which the hierarchy for routes contracts them
//
// A number is a varint in zigzag encoding; speeds are in millimetres per second,
// widths and offsets in millimetres. A list and a text in UTF-8 begin with their
// length. A point is the way to it from the point before, the first from the
// origin.
package town

import (
	"math"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Town is a street network with names, addresses and places.
type Town struct {
	Name        string
	Size        int    // side of the map in metres
	Attribution string // to be shown wherever the map is; empty for the default town
	Places      []Place
	Streets     []Street
	Nodes       []XY   // junctions and ends of streets
	Links       []Link // pieces of street between two nodes
	LeftOut     int    // number of streets of an imported map that cars cannot reach or leave

	frame    frame
	shape    []XY    // vertices of all links, one link after another
	along    []int32 // parallel to shape: millimetres from the link's start
	arcs     arcTable
	segments segmentIndex
	doors    int32   // how many there are
	picture  Picture // without streets
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
	unnamed bool    // an import gave no name
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
	lon := onEarth(t.frame.lon + divRound(int64(p.X)*1e7, t.frame.mmPerLonDeg))
	return taxi.Point{Longitude: float64(lon) / 1e7, Latitude: float64(lat) / 1e7}
}

// XY returns where on the plane p is. Points more than 1,000 km away come out
// at the edge of the plane.
func (t *Town) XY(p taxi.Point) XY { return t.frame.xy(p) }

func (f frame) xy(p taxi.Point) XY {
	y := divRound((quantise(p.Latitude)-f.lat)*mmPerDegree, 1e7)
	x := divRound(onEarth(quantise(p.Longitude)-f.lon)*f.mmPerLonDeg, 1e7)
	return XY{clampMM(x), clampMM(y)}
}

// onEarth returns a longitude, or a difference of two, of at most 180 degrees; all are in 1e-7 degrees.
func onEarth(lon int64) int64 {
	const half = 180_0000000
	switch {
	case lon > half:
		return lon - 2*half
	case lon < -half:
		return lon + 2*half
	}
	return lon
}

// arcTable is the network as cars see it. Arc 2l runs along link l, arc 2l+1
// against it; a one-way street has only the first.
type arcTable struct {
	first   []int32 // by node, into out
	out     []int32 // arcs leaving
	cost    []arcCost
	fastest int64 // highest speed limit, millimetres per second
}

// arcCost is what it takes to drive an arc, the wait at its end included; zero
// where there is no arc.
type arcCost struct{ ms, mm int32 }

// hierarchy makes routing quick. It is a contraction hierarchy with a table on
// top. Most nodes are contracted: each has a rank and arcs to higher ranks
// only, with shortcuts that stand for the ways over lower ones. The core, the
// nodes that matter most, has the highest ranks, and a table says what it costs
// to get from any of them to any other. (The last nodes are the dearest to
// contract and the ones that all long ways use; a table of them costs neither.)
// Where the quickest climbs from each node lead is written down beforehand, so
// that a search compares two short lists.
type hierarchy struct {
	rank []int32 // by node
	core int32   // the lowest rank of the core
	up   climb   // arcs that leave a node, in the core to any other node of it
	down climb   // arcs that arrive at a node, read backwards
	cost []int32 // between nodes of the core, row by row of the start
}

// climb holds the arcs of one direction by rank of their lower end.
type climb struct {
	first []int32
	arcs  []climbArc
	parts []parts // parallel to arcs
	hubs  labels
}

// climbArc is an arc of the hierarchy; top is the rank of its upper end.
type climbArc struct{ top, cost int32 }

// parts are what an arc stands for: an arc of the street network when second is
// -1; otherwise a shortcut that goes down by an arc of hierarchy.down and up by
// one of hierarchy.up. And how long it is.
type parts struct{ first, second, mm int32 }

// labels hold for each rank its hubs, lowest first: the ranks to which the quickest
// climbs from it lead, with their costs. The top of a quickest way is a hub of its start
// (by hierarchy.up) and of its end (by hierarchy.down), or the way enters the core by a
// hub of the start and leaves it by a hub of the end.
type labels struct {
	highest int32   // rank
	first   []int32 // by rank, highest first
	hubs    []hub
}

// house is a door whose place an imported map gives. A street with houses has no plots.
type house struct {
	number   int32
	at       XY
	kerb     Kerb
	postcode string
}

// segmentIndex finds the streets near a point.
type segmentIndex struct {
	grid *cells
	segs []linkSegment
}

// linkSegment is the straight bit from vertex at to vertex at+1 of Town.shape.
type linkSegment struct{ link, at int32 }

// lexicon holds the names of everything in town as they are spoken.
type lexicon struct{ names []name }

// name is one way to say a street or a place.
type name struct {
	text  string
	words int
	place int32 // index into Town.Places, or -1
	of    int32 // index into Town.Streets when place is -1
}

// Postcodes look like ZT1 4BD: area ZT, which the Post Office has not given
// out, a district by sector of the town, and a unit for some sixteen doors.
// The letters of the unit leave out C I K M O V, as BS 7666 does.
type postcode uint32

// PlaceOf returns the first place of a kind; false: there is none. The default town has every
// kind, an imported one ranks at least.
func (t *Town) PlaceOf(kind PlaceKind) (Place, bool) {
	for _, p := range t.Places {
		if p.Kind == kind {
			return p, true
		}
	}
	return Place{}, false
}

type hub struct{ rank, cost int32 }
