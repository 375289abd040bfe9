package town

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Errors of maps that cannot be used.
var (
	ErrNoStreets = errors.New("no streets that cars can use")
	ErrTooLarge  = errors.New("map too large")
)

// OpenStreetMap is the attribution that its licence asks for wherever its data
// is shown.
const OpenStreetMap = "© OpenStreetMap contributors, ODbL"

// ImportOptions configures the import of a map. The zero value works.
type ImportOptions struct {
	Name        string // of the town; empty is what the map says, or "Imported"
	Attribution string // to be shown with the map; empty is what the map says
	MaxBytes    int64  // of input; 0 is 256 MiB
	MaxPoints   int    // of all roads together; 0 is 2,000,000
}

// Defaulted returns the options with the limits that are zero filled in.
func (o ImportOptions) Defaulted() ImportOptions {
	o.MaxBytes = cmp.Or(o.MaxBytes, 256<<20)
	o.MaxPoints = cmp.Or(o.MaxPoints, 2_000_000)
	return o
}

// Import makes a town from roads and spots. Roads meet where they share a point. Roads
// of one name are one street. Spots that are places or houses beside a street are kept.
// A street without houses gets numbers on plots of equal width, and a map without taxi
// ranks gets some. Only the largest part is kept in which every street can be reached
// from every other; [Town].LeftOut counts the others.
func Import(roads []Road, spots []Spot, o ImportOptions) (*Town, error) {
	o = o.Defaulted()
	roads = slices.DeleteFunc(slices.Clone(roads), func(r Road) bool {
		return !Drivable(r.Highway) || len(r.Points) < 2
	})
	b, err := boundsOf(roads, o.MaxPoints)
	if err != nil {
		return nil, err
	}
	t := builder{&Town{Name: cmp.Or(o.Name, "Imported"), Attribution: o.Attribution, Size: b.size, frame: newFrame(b.centre)}}
	n := newNetwork(roads, t.frame)
	n.cutAll(roads)
	if err := checkLengths(n.pieces, n.streets); err != nil {
		return nil, err
	}
	t.assemble(n.nodes, n.pieces, n.streets)
	if len(t.Links) == 0 {
		return nil, ErrNoStreets
	}
	driven := map[int32]bool{}
	for _, p := range n.pieces {
		driven[p.street] = true
	}
	t.LeftOut = len(driven) - len(t.Streets)
	if err := t.checkReach(); err != nil {
		return nil, err
	}
	t.buildIndexes(nil)
	t.nameUnnamed()
	t.placeHouses(spots)
	t.numberDoors()
	t.assignPostcodes()
	t.placeSpots(spots)
	t.placeRanks()
	t.speech = newLexicon(t.Town)
	return t.Town, nil
}

// bounds is where on earth a map is.
type bounds struct {
	centre taxi.Point
	size   int // metres
}

// boundsOf checks all coordinates and finds the square around them.
func boundsOf(roads []Road, maxPoints int) (bounds, error) {
	const widest = 200_000
	low := taxi.Point{Longitude: math.Inf(1), Latitude: math.Inf(1)}
	high := taxi.Point{Longitude: math.Inf(-1), Latitude: math.Inf(-1)}
	firstEast, lastWest := math.Inf(1), math.Inf(-1)
	points := 0
	for i := range roads {
		if points += len(roads[i].Points); points > maxPoints {
			return bounds{}, fmt.Errorf("%w: more than %d points", ErrTooLarge, maxPoints)
		}
		for _, p := range roads[i].Points {
			if !onMap(p) {
				return bounds{}, fmt.Errorf("road %d has a point at %v, %v: not degrees of latitude up to %d and longitude up to 180",
					i, p.Latitude, p.Longitude, pole)
			}
			low.Longitude, high.Longitude = min(low.Longitude, p.Longitude), max(high.Longitude, p.Longitude)
			low.Latitude, high.Latitude = min(low.Latitude, p.Latitude), max(high.Latitude, p.Latitude)
			if p.Longitude < 0 {
				lastWest = max(lastWest, p.Longitude+360)
			} else {
				firstEast = min(firstEast, p.Longitude)
			}
		}
	}
	if high.Longitude-low.Longitude > 180 { // a town at 180 degrees, where east becomes west
		low.Longitude, high.Longitude = firstEast, lastWest
	}
	if points == 0 {
		return bounds{}, ErrNoStreets
	}
	b := bounds{centre: taxi.Point{
		Longitude: (low.Longitude + high.Longitude) / 2, Latitude: (low.Latitude + high.Latitude) / 2,
	}}
	if high.Longitude-low.Longitude > 180 {
		return bounds{}, fmt.Errorf("%w: the roads are all around the earth", ErrTooLarge)
	}
	if b.centre.Longitude > 180 {
		b.centre.Longitude -= 360
	}
	corner := newFrame(b.centre).xy(high)
	b.size = int(max(corner.X, corner.Y))/500 + 200
	if b.size > widest {
		return bounds{}, fmt.Errorf("%w: %d km across, at most %d", ErrTooLarge, b.size/1000, widest/1000)
	}
	return b, nil
}

// pole is the latitude up to which the plane is exact enough.
const pole = 80

func onMap(p taxi.Point) bool {
	return math.Abs(p.Latitude) <= pole && math.Abs(p.Longitude) <= 180
}

// covers reports whether a point is on the map or not far outside.
func (t builder) covers(p taxi.Point) bool {
	const outside = 5_000_000
	at, edge := t.XY(p), int64(t.Size)*500+outside
	return onMap(p) && max(abs64(int64(at.X)), abs64(int64(at.Y))) <= edge
}

// network cuts roads into pieces where they meet.
type network struct {
	points  map[XY]int32 // looked up only: its order would differ from run to run
	at      []XY
	uses    []int32
	node    []int32 // by point; -1 until one is needed
	nodes   []XY
	pieces  []piece
	streets []Street
	byName  map[string]int32
	frame   frame
}

func newNetwork(roads []Road, f frame) *network {
	n := &network{points: map[XY]int32{}, byName: map[string]int32{}, frame: f}
	for i := range roads {
		pts := roads[i].Points
		for k, p := range pts {
			id := n.point(f.xy(p))
			n.uses[id]++
			if k == 0 || k == len(pts)-1 {
				n.uses[id]++ // ends are nodes always
			}
		}
	}
	return n
}

func (n *network) point(p XY) int32 {
	id, ok := n.points[p]
	if !ok {
		id = int32(len(n.at))
		n.points[p] = id
		n.at, n.uses, n.node = append(n.at, p), append(n.uses, 0), append(n.node, -1)
	}
	return id
}

// nodeAt returns the node at a point.
func (n *network) nodeAt(point int32) int32 {
	if n.node[point] < 0 {
		n.node[point] = int32(len(n.nodes))
		n.nodes = append(n.nodes, n.at[point])
	}
	return n.node[point]
}

func (n *network) cutAll(roads []Road) {
	for i := range roads {
		n.cutRoad(&roads[i])
	}
}

// cutRoad makes the pieces of one road.
func (n *network) cutRoad(r *Road) {
	oneWay, backwards := r.directed()
	p := piece{street: n.street(r), class: roadKinds[r.Highway].class, speed: r.limit(), oneWay: oneWay}
	pts := slices.Clone(r.Points)
	if backwards {
		slices.Reverse(pts)
	}
	first := n.point(n.frame.xy(pts[0]))
	shape := []XY{n.at[first]}
	for _, q := range pts[1:] {
		id := n.point(n.frame.xy(q))
		if n.at[id] == shape[len(shape)-1] {
			continue
		}
		shape = append(shape, n.at[id])
		if n.uses[id] > 1 {
			p.from, p.to, p.shape = n.nodeAt(first), n.nodeAt(id), shape
			n.pieces = append(n.pieces, p)
			first, shape = id, []XY{n.at[id]}
		}
	}
}

// street returns the street of a road's name. Roads without one are a street by
// their number; without that each is one of its own. Neither has addresses.
func (n *network) street(r *Road) int32 {
	name := cmp.Or(r.Name, r.Ref)
	if id, ok := n.byName[name]; ok && name != "" {
		s := &n.streets[id]
		s.Class = min(s.Class, roadKinds[r.Highway].class)
		s.unnamed = s.unnamed && r.Name == ""
		return id
	}
	id := int32(len(n.streets))
	n.byName[name] = id
	n.streets = append(n.streets, Street{Name: name, Class: roadKinds[r.Highway].class, unnamed: r.Name == ""})
	return id
}

// nameUnnamed gives names to streets that have none on the map.
func (t builder) nameUnnamed() {
	called := 0
	for i := range t.Streets {
		if s := &t.Streets[i]; s.Name == "" {
			called++
			s.Name = unnamedRoad + strconv.Itoa(called)
		}
	}
}

const unnamedRoad = "Unnamed Road "

// HasNoName reports whether a street's name was made up by nameUnnamed, so that a map
// should not show it.
func (s *Street) HasNoName() bool { return s.unnamed && strings.HasPrefix(s.Name, unnamedRoad) }
