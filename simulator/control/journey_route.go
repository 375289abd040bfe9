package control

import (
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"github.com/paulmach/orb"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
)

// readJourneyRoute returns the route of a journey's car as GeoJSON (RFC 7946): a line for
// each drive, or two for the current one, the first of which has been driven.
func readJourneyRoute(c *call) (sent written, err error) {
	id, err := c.journeyID()
	if err != nil {
		return sent, err
	}
	at, legs, err := c.world().JourneyRoute(c, id)
	if err != nil {
		return sent, err
	}
	all := newCollection()
	all.JourneyID, all.At = id, at
	for _, l := range legs {
		if l.Driven > 1 {
			all.addLeg(&l, l.Line[:l.Driven], true)
		}
		if l.Driven < len(l.Line) {
			all.addLeg(&l, l.Line[max(l.Driven-1, 0):], false)
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		return sent, fmt.Errorf("route of %s: %w", id, err)
	}
	h := c.w.Header()
	h.Set("Content-Type", geoJSON)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	_, _ = c.w.Write(text) // the client may have disconnected
	return sent, nil
}

// addLeg adds a part of a drive as a line; done reports whether it has been driven.
func (c *FeatureCollection) addLeg(l *simulator.Leg, part []taxi.Point, done bool) {
	line := make(orb.LineString, len(part))
	for i, p := range part {
		line[i] = shown(p)
	}
	if len(line) == 1 { // a line needs two points
		line = append(line, line[0])
	}
	of := c.add(line)
	of["done"] = done
	of["metres"], of["seconds"] = l.Millimetres/1000, int64(l.Took.Seconds()) // of the whole drive
	if of["to"] = "pickup"; l.Stop != simulator.ToPickup {
		of["to"], of["stop"] = "dropoff", l.Stop
	}
}

// ReadTown is the call that returns the town as GeoJSON.
var ReadTown = Call[url.Values, FeatureCollection]{get("readTown", "/town", "The town as GeoJSON (RFC 7946): for a map", readTown).answers("Town").mayBeUnchanged().more(
	"Features are in drawing order: `outline`, the edge of the built-up area; each `park`; the `river`; " +
		"the `apron` and `runway` of the airport; a `street` of each class, the widest class first; the `rail`; each `place`. " +
		"Imported maps have only streets and places, and an open plane (`--town none`) has only places. The response has an " +
		"`ETag`, and is compressed if the client accepts gzip.")}

// readTown returns the town as GeoJSON (RFC 7946).
func readTown(c *call) (sent written, err error) {
	m, err := c.server.maps.of(c.world())
	if err != nil {
		return sent, err
	}
	m.ServeHTTP(c.w, c.r)
	return sent, nil
}

// FeatureCollection is a GeoJSON document (RFC 7946) of a town, or of the route of a journey.
// Package orb/geojson would bring a database's format into the program.
type FeatureCollection struct {
	Type     string     `json:"type"` // FeatureCollection
	BBox     []float64  `json:"bbox,omitempty"`
	Features []*Feature `json:"features"`

	Name        string     `json:"name,omitempty"`        // of the town; "": an open plane
	Attribution string     `json:"attribution,omitempty"` // of an imported map
	Centre      *orb.Point `json:"centre,omitempty"`
	Size        int        `json:"size,omitempty"` // side of its square in metres

	JourneyID taxi.JourneyID `json:"journeyId,omitempty"` // of a route
	At        time.Time      `json:"at,omitzero"`         // of a route, by the world's clock
}

// Feature is a part of a [FeatureCollection].
type Feature struct {
	Type       string         `json:"type"` // Feature
	Geometry   Geometry       `json:"geometry"`
	Properties map[string]any `json:"properties"`
}

// Geometry is the shape of a [Feature].
type Geometry struct {
	Type        string `json:"type"` // such as LineString
	Coordinates any    `json:"coordinates"`
}

func newCollection() *FeatureCollection {
	return &FeatureCollection{Type: "FeatureCollection", Features: []*Feature{}}
}

// add adds a feature, and returns its properties.
func (c *FeatureCollection) add(g orb.Geometry) map[string]any {
	f := &Feature{Type: "Feature", Geometry: Geometry{g.GeoJSONType(), g}, Properties: map[string]any{}}
	c.Features = append(c.Features, f)
	return f.Properties
}

// within sets the bounding box of a collection.
func (c *FeatureCollection) within(b orb.Bound) { c.BBox = append(b.Min[:], b.Max[:]...) }
