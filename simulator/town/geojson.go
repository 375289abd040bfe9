package town

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// ImportGeoJSON reads streets from GeoJSON (RFC 7946): the LineStrings and
// MultiLineStrings of a FeatureCollection, with the properties name, highway,
// oneway, maxspeed and junction where they are there. Other geometry is passed
// over.
func ImportGeoJSON(r io.Reader, o ImportOptions) (*Town, error) {
	o = o.Defaulted()
	d := geoJSON{limited: &io.LimitedReader{R: r, N: o.MaxBytes + 1}, most: o.MaxPoints}
	d.dec = json.NewDecoder(d.limited)
	err := d.collection()
	if err == nil {
		err = d.end()
	}
	if d.limited.N <= 0 {
		return nil, fmt.Errorf("read GeoJSON: %w: more than %d bytes", ErrTooLarge, o.MaxBytes)
	}
	if err != nil {
		return nil, fmt.Errorf("read GeoJSON: %w", err)
	}
	t, err := Import(d.roads, o)
	if err != nil {
		return nil, fmt.Errorf("import GeoJSON: %w", err)
	}
	return t, nil
}

// geoJSON reads a collection feature by feature, so that a large file is never
// in memory as a whole.
type geoJSON struct {
	limited *io.LimitedReader
	dec     *json.Decoder
	roads   []Road
	points  int
	most    int
}

// geometry is a GeoJSON geometry; what its coordinates are depends on its type.
type geometry struct {
	Type        string          `json:"type"`
	Coordinates json.RawMessage `json:"coordinates"`
}

type feature struct {
	Geometry   *geometry `json:"geometry"`
	Properties struct {
		Name     text `json:"name"`
		Highway  text `json:"highway"`
		OneWay   text `json:"oneway"`
		MaxSpeed text `json:"maxspeed"`
		Junction text `json:"junction"`
	} `json:"properties"`
}

// text is a property that may be a string, a number or a truth value.
type text string

// UnmarshalJSON takes any scalar and leaves out the rest.
func (s *text) UnmarshalJSON(b []byte) error {
	switch {
	case len(b) > 0 && b[0] == '"':
		var v string
		if err := json.Unmarshal(b, &v); err != nil {
			return err
		}
		*s = text(strings.TrimSpace(v))
	case len(b) > 0 && (b[0] == '{' || b[0] == '['), string(b) == "null":
	default:
		*s = text(b)
	}
	return nil
}

// collection reads the object around the features.
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
			var skipped json.RawMessage
			if err := d.dec.Decode(&skipped); err != nil {
				return fmt.Errorf("member %q: %w", clip(fmt.Sprint(key)), err)
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

// end makes sure that nothing follows the collection.
func (d *geoJSON) end() error {
	switch t, err := d.dec.Token(); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return err
	default:
		return fmt.Errorf("%q after the end of the collection", clip(fmt.Sprint(t)))
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
		return fmt.Errorf("%q where there should be %q", clip(fmt.Sprint(got)), want.String())
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
			err = d.take(&f)
		}
		if err != nil {
			return fmt.Errorf("feature %d: %w", i, err)
		}
	}
	return d.expect(']')
}

// take keeps the lines of a feature.
func (d *geoJSON) take(f *feature) error {
	var lines [][][]float64
	switch {
	case f.Geometry == nil:
		return nil
	case f.Geometry.Type == "LineString":
		lines = make([][][]float64, 1)
		if err := json.Unmarshal(f.Geometry.Coordinates, &lines[0]); err != nil {
			return fmt.Errorf("coordinates: %w", err)
		}
	case f.Geometry.Type == "MultiLineString":
		if err := json.Unmarshal(f.Geometry.Coordinates, &lines); err != nil {
			return fmt.Errorf("coordinates: %w", err)
		}
	}
	p := &f.Properties
	for _, line := range lines {
		road := Road{
			Name: string(p.Name), Highway: string(p.Highway), OneWay: string(p.OneWay),
			MaxSpeed: string(p.MaxSpeed), Junction: string(p.Junction),
		}
		for _, c := range line {
			if len(c) < 2 {
				return fmt.Errorf("a position has %d numbers, not longitude and latitude", len(c))
			}
			road.Points = append(road.Points, taxi.Point{Longitude: c[0], Latitude: c[1]})
		}
		if d.points += len(line); d.points > d.most {
			return fmt.Errorf("%w: more than %d points", ErrTooLarge, d.most)
		}
		d.roads = append(d.roads, road)
	}
	return nil
}
