package control

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sync"
	"weak"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/simplify"

	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/town"
)

// Kinds of the features of a town, see the document. A place's kind is "place".
const (
	kindOutline = "outline"
	kindPark    = "park"
	kindRiver   = "river"
	kindApron   = "apron"
	kindRunway  = "runway"
	kindRail    = "rail"
	kindStreet  = "street"
	kindPlace   = "place"
)

// geoJSON is the media type of RFC 7946.
const geoJSON = "application/geo+json"

const (
	straightEnough = 300   // mm: vertices of a line that are closer to it are left out
	planeHalf      = 3_000 // metres to each side of the centre of an open plane
)

// newTownMap returns the file with the encoded features of a world's town.
func newTownMap(w *simulator.World) (*inbound.File, error) {
	text, err := json.Marshal(collectionOf(w))
	if err != nil {
		return nil, fmt.Errorf("town: %w", err)
	}
	return inbound.NewFile(geoJSON, text), nil
}

// mostMaps limits the number of cached towns.
const mostMaps = 4

// townMaps caches encoded towns, shared by all worlds that have them.
type townMaps struct {
	mu   sync.Mutex
	kept []keptMap // the last used one is at the end
}

type keptMap struct {
	of weak.Pointer[town.Town] // which may go with the last world that has it
	*inbound.File
}

// of returns the file with a town's features, cached except for an open plane.
func (t *townMaps) of(w *simulator.World) (*inbound.File, error) {
	if w.Town() == nil {
		return newTownMap(w)
	}
	of := weak.Make(w.Town())
	t.mu.Lock()
	defer t.mu.Unlock()
	at := slices.IndexFunc(t.kept, func(k keptMap) bool { return k.of == of })
	var k keptMap
	if at >= 0 {
		k = t.kept[at]
		t.kept = slices.Delete(t.kept, at, at+1)
	} else {
		m, err := newTownMap(w)
		if err != nil {
			return nil, err
		}
		k = keptMap{of, m}
	}
	if len(t.kept) == mostMaps {
		t.kept = slices.Delete(t.kept, 0, 1)
	}
	t.kept = append(t.kept, k)
	return k.File, nil
}

// collectionOf returns the features of a world's town, in drawing order. An open plane
// has only places.
func collectionOf(w *simulator.World) *FeatureCollection {
	all := newCollection()
	t := w.Town()
	if t == nil {
		centre := w.Centre()
		all.within(around(centre, planeHalf))
		all.Centre, all.Size = &orb.Point{centre.Longitude, centre.Latitude}, 2*planeHalf
		for _, p := range w.Places() {
			all.addPlace(p.Name, p.Kind, *p.Location)
		}
		return all
	}
	half := int32(t.Size) * 500
	low, high := t.Point(town.XY{X: -half, Y: -half}), t.Point(town.XY{X: half, Y: half})
	all.within(orb.Bound{Min: shown(low), Max: shown(high)})
	middle := shown(t.Point(town.XY{}))
	all.Name, all.Attribution, all.Centre, all.Size = t.Name, t.Attribution, &middle, t.Size
	mapping{t, all}.draw()
	return all
}

// mapping adds the parts of a town to a collection.
type mapping struct {
	*town.Town

	to *FeatureCollection
}

func (m mapping) draw() {
	p := m.Picture()
	if len(p.Outline) > 0 {
		m.add(kindOutline, "", 0, orb.Polygon{m.ring(p.Outline)})
	}
	for _, rim := range p.Parks {
		m.add(kindPark, "", 0, orb.Polygon{m.ring(rim)})
	}
	m.line(kindRiver, p.RiverName, p.Water, p.River)
	m.line(kindApron, "", p.Runway.Apron, p.Runway.Ends)
	m.line(kindRunway, "", p.Runway.Width, p.Runway.Ends)
	for _, s := range p.Streets {
		lines := make(orb.MultiLineString, len(s.Lines))
		for i, l := range s.Lines {
			lines[i] = m.points(l)
		}
		var g orb.Geometry = lines
		if len(lines) == 1 {
			g = lines[0]
		}
		m.add(kindStreet, s.Name, s.Width, g)["class"] = s.Class.String()
	}
	m.line(kindRail, "", 0, p.Rail)
	for _, p := range m.Places {
		m.to.addPlace(p.Name, string(p.Kind), m.Point(p.At))
	}
}

// add adds a feature, and returns its properties; width is in millimetres, or 0 for none.
func (m mapping) add(kind, name string, width int64, g orb.Geometry) map[string]any {
	of := m.to.add(g)
	of["kind"] = kind
	if name != "" {
		of["name"] = name
	}
	if width != 0 {
		of["width"] = float64(width) / 1000
	}
	return of
}

func (m mapping) line(kind, name string, width int64, pts []town.XY) {
	if len(pts) > 0 {
		m.add(kind, name, width, m.points(pts))
	}
}

// points returns a line without its redundant vertices.
func (m mapping) points(pts []town.XY) orb.LineString {
	plane := make(orb.LineString, len(pts))
	for i, p := range pts {
		plane[i] = orb.Point{float64(p.X), float64(p.Y)}
	}
	plane = simplify.DouglasPeucker(straightEnough).LineString(plane)
	for i, p := range plane {
		plane[i] = shown(m.Point(town.XY{X: int32(p[0]), Y: int32(p[1])}))
	}
	return plane
}

// ring returns a rim as a closed ring.
func (m mapping) ring(rim []town.XY) orb.Ring {
	return orb.Ring(m.points(append(slices.Clone(rim), rim[0])))
}

// addPlace adds a place, with its mark on a map.
func (c *FeatureCollection) addPlace(name, kind string, at taxi.Point) {
	of := c.add(shown(at))
	of["kind"], of["place"], of["name"] = kindPlace, kind, name
	if letter, colour := town.PlaceKind(kind).Mark(); letter != "" {
		of["letter"], of["colour"] = letter, colour
	}
}

// shown rounds a point to six decimals, which is eleven centimetres.
func shown(p taxi.Point) orb.Point {
	return orb.Point{sixDecimals(p.Longitude), sixDecimals(p.Latitude)}
}

func sixDecimals(v float64) float64 { return math.Round(v*1e6) / 1e6 }

// around returns the bounds at a distance in metres to each side of a point.
func around(p taxi.Point, half float64) orb.Bound {
	const perDegree = 111_319.491
	up := half / perDegree
	out := up / max(math.Cos(p.Latitude*math.Pi/180), 0.01)
	return orb.Bound{
		Min: shown(taxi.Point{Longitude: p.Longitude - out, Latitude: p.Latitude - up}),
		Max: shown(taxi.Point{Longitude: p.Longitude + out, Latitude: p.Latitude + up}),
	}
}
