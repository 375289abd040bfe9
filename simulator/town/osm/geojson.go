// Package osm reads the streets, places and houses of a town from maps: GeoJSON, and extracts of
// OpenStreetMap.
package osm

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/town"
)

// ReadGeoJSON reads a map from GeoJSON (RFC 7946). Streets are the LineStrings and
// MultiLineStrings of a FeatureCollection on which taxis may drive, with the properties name, ref, highway,
// oneway, maxspeed and junction where they are there. Points, Polygons and MultiPolygons are places and
// houses if their properties are the OpenStreetMap tags of such; others are ignored. The
// collection's members name, and attribution or copyright, are used for the town unless
// the options set them.
func ReadGeoJSON(r io.Reader, o town.ImportOptions) (*town.Town, error) {
	o = o.Defaulted()
	d := geoJSON{barriers: map[taxi.Point]bool{}, limited: &io.LimitedReader{R: r, N: o.MaxBytes + 1}, most: o.MaxPoints}
	in := bufio.NewReader(d.limited)
	if mark, _ := in.Peek(3); string(mark) == "\ufeff" { // an error of reading comes again
		_, _ = in.Discard(3)
	}
	d.dec = json.NewDecoder(in)
	err := d.collection()
	if err == nil {
		err = d.end()
	}
	if d.limited.N <= 0 {
		return nil, fmt.Errorf("read GeoJSON: %w: more than %d bytes", town.ErrTooLarge, o.MaxBytes)
	}
	if err != nil {
		return nil, fmt.Errorf("read GeoJSON: %w", err)
	}
	o.Name, o.Attribution = cmp.Or(o.Name, string(d.name)), cmp.Or(o.Attribution, string(d.attribution), string(d.copyright))
	t, err := town.Import(d.parted(), d.spots, o)
	if err != nil {
		return nil, fmt.Errorf("import GeoJSON: %w", err)
	}
	return t, nil
}

// geoJSON parses a collection feature by feature, so that a large file is never
// completely in memory.
type geoJSON struct {
	limited *io.LimitedReader
	dec     *json.Decoder
	roads   []town.Road
	spotList
	barriers map[taxi.Point]bool
	points   int
	most     int

	name, attribution, copyright text // of the collection
}

// geometry is a GeoJSON geometry; the form of its coordinates depends on its type.
type geometry struct {
	Type        string          `json:"type"`
	Coordinates json.RawMessage `json:"coordinates"`
}

type feature struct {
	Geometry   *geometry       `json:"geometry"`
	Properties map[string]text `json:"properties"`
}

// text is a property that may be a string, a number or a boolean.
type text string

// UnmarshalJSON accepts any scalar and ignores other values.
func (s *text) UnmarshalJSON(b []byte) error {
	switch {
	case len(b) > 0 && b[0] == '"':
		var v string
		if err := json.Unmarshal(b, &v); err != nil {
			return err
		}
		*s = text(clean(strings.TrimSpace(v)))
	case len(b) > 0 && (b[0] == '{' || b[0] == '['), string(b) == "null":
	default:
		*s = text(b)
	}
	return nil
}

// collection parses the object around the features.
func (d *geoJSON) collection() error {
	if err := d.expect('{'); err != nil {
		return err
	}
	found := false
	for d.dec.More() {
		key, err := d.dec.Token()
		if err != nil {
			return err
		}
		if key != "features" {
			if err := d.dec.Decode(d.member(key)); err != nil {
				return fmt.Errorf("member %.60q: %w", fmt.Sprint(key), err)
			}
			continue
		}
		found = true
		if err := d.features(); err != nil {
			return err
		}
	}
	if err := d.expect('}'); err != nil {
		return err
	}
	if !found {
		return errors.New("not a FeatureCollection: there is no member \"features\"")
	}
	return nil
}

// member returns where to store a member of the collection.
func (d *geoJSON) member(key json.Token) any {
	switch key {
	case "name":
		return &d.name
	case "attribution":
		return &d.attribution
	case "copyright": // as written by Overpass
		return &d.copyright
	default:
		return new(json.RawMessage)
	}
}

// end checks that nothing follows the collection.
func (d *geoJSON) end() error {
	switch t, err := d.dec.Token(); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return err
	default:
		return fmt.Errorf("%.60q after the end of the collection", fmt.Sprint(t))
	}
}

func (d *geoJSON) expect(want json.Delim) error {
	got, err := d.dec.Token()
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("the input ends too soon")
	case err != nil:
		return err
	case got != want:
		return fmt.Errorf("%.60q where there should be %q", fmt.Sprint(got), want.String())
	}
	return nil
}

func (d *geoJSON) features() error {
	if err := d.expect('['); err != nil {
		return err
	}
	for i := 0; d.dec.More(); i++ {
		var f feature
		err := d.dec.Decode(&f)
		if err == nil {
			err = d.keepFeature(&f)
		}
		if err != nil {
			return fmt.Errorf("feature %d: %w", i, err)
		}
	}
	return d.expect(']')
}

// entry reads the relevant properties.
func (f *feature) entry() *entry {
	e := new(entry)
	for key, value := range f.Properties {
		e.tag([]byte(key), []byte(value))
	}
	return e
}

// keepFeature stores the lines of a feature, or its spot.
func (d *geoJSON) keepFeature(f *feature) (err error) {
	if f.Geometry == nil {
		return nil
	}
	var lines [][][]float64
	switch raw := f.Geometry.Coordinates; f.Geometry.Type {
	case "Point":
		lines = [][][]float64{make([][]float64, 1)}
		err = json.Unmarshal(raw, &lines[0][0])
	case "LineString":
		lines = make([][][]float64, 1)
		err = json.Unmarshal(raw, &lines[0])
	case "MultiLineString", "Polygon":
		err = json.Unmarshal(raw, &lines)
	case "MultiPolygon": // of which the first part counts
		var parts [][][][]float64
		if err = json.Unmarshal(raw, &parts); len(parts) > 0 {
			lines = parts[0]
		}
	default:
		return nil
	}
	if err != nil {
		return fmt.Errorf("coordinates: %w", err)
	}
	e := f.entry()
	switch {
	case f.Geometry.Type == "Point" || strings.HasSuffix(f.Geometry.Type, "Polygon"):
		return d.keepSpot(e, lines)
	case e.isClosed():
		return nil
	}
	return d.keepRoad(e, lines)
}

func (d *geoJSON) keepRoad(e *entry, lines [][][]float64) (err error) {
	for _, line := range lines {
		road := e.road
		if road.Points, err = positions(line); err != nil {
			return err
		}
		if d.points += len(line); d.points > d.most {
			return fmt.Errorf("%w: more than %d points", town.ErrTooLarge, d.most)
		}
		d.roads = append(d.roads, road)
	}
	return nil
}

// keepSpot stores a feature at its point, or in the middle of a polygon's outer ring.
func (d *geoJSON) keepSpot(e *entry, rings [][][]float64) error {
	if len(rings) == 0 || len(rings[0]) == 0 {
		return nil
	}
	points, err := positions(rings[0])
	if err != nil {
		return err
	}
	e.spot.At = middle(points[:max(len(points)-1, 1)]) // the last point of a ring is the first
	if e.isBarrier() && len(points) == 1 {
		if d.points++; d.points > d.most {
			return fmt.Errorf("%w: more than %d points", town.ErrTooLarge, d.most)
		}
		d.barriers[e.spot.At] = true
	}
	d.add(e)
	return nil
}

// parted returns the roads, each of which ends before a barrier and begins again behind it.
func (d *geoJSON) parted() (parts []town.Road) {
	for _, road := range d.roads {
		for rest := road.Points; ; {
			at := slices.IndexFunc(rest, func(p taxi.Point) bool { return d.barriers[p] })
			if at < 0 {
				road.Points = rest
				break
			}
			part := road
			part.Points, rest = rest[:at], rest[at+1:]
			parts = append(parts, part)
		}
		parts = append(parts, road)
	}
	return parts
}

func positions(line [][]float64) ([]taxi.Point, error) {
	var points []taxi.Point
	for _, c := range line {
		if len(c) < 2 {
			return nil, fmt.Errorf("a position has %d numbers, not longitude and latitude", len(c))
		}
		points = append(points, taxi.Point{Longitude: c[0], Latitude: c[1]})
	}
	return points, nil
}
