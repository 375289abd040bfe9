package control

import (
	"time"

	"github.com/paulmach/orb"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

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

// within sets the bounds of a collection.
func (c *FeatureCollection) within(b orb.Bound) { c.BBox = append(b.Min[:], b.Max[:]...) }
