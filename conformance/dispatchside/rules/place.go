package rules

import (
	"math"
	"strings"

	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// pointOf reads a valid Point.
func pointOf(v jsonvalue.Value) taxi.Point {
	lon := v.At("longitude").Number()
	lat := v.At("latitude").Number()
	return taxi.Point{Longitude: lon, Latitude: lat}
}

// Apart returns the distance between two points, in metres.
func Apart(a, b taxi.Point) float64 { return metres(a, b) }

// metres returns the distance between two points along the earth's surface.
func metres(a, b taxi.Point) float64 {
	const earth, degree = 6_371_000, math.Pi / 180
	dLat, dLon := (b.Latitude-a.Latitude)*degree, (b.Longitude-a.Longitude)*degree
	h := math.Pow(math.Sin(dLat/2), 2) +
		math.Cos(a.Latitude*degree)*math.Cos(b.Latitude*degree)*math.Pow(math.Sin(dLon/2), 2)
	return 2 * earth * math.Asin(math.Sqrt(min(1, h)))
}

// Tolerances in metres: a place within near is the same; within exact no precision was
// lost; beyond elsewhere it is another place, even if the text is the same.
const (
	near      = 25
	exact     = 1
	elsewhere = 10_000
)

// Likeness is how well an address in a reply matches the one that was sent.
type Likeness struct {
	textShown, pointShown bool
	text                  textMatch
	distance              float64 // metres
}

// textMatch grades two texts of an address.
type textMatch int

const (
	textForeign textMatch = iota
	textReworded
	textKept
)

// LikenessOf compares two addresses.
func LikenessOf(shown, sent jsonvalue.Value) Likeness {
	var l Likeness
	if t := shown.At("address"); t.HasText() {
		l.textShown = true
		l.text = compareText(t.Text(), sent.At("address").Text())
	}
	at, is := coordinates(shown.At("location"))
	was, wasOne := coordinates(sent.At("location"))
	if is && wasOne {
		l.pointShown = true
		l.distance = metres(at, was)
	}
	return l
}

// coordinates reads a Point; false: it is not valid.
func coordinates(v jsonvalue.Value) (taxi.Point, bool) {
	longitude, latitude := v.At("longitude"), v.At("latitude")
	return taxi.Point{Longitude: longitude.Number(), Latitude: latitude.Number()}, longitude.IsNumber() && latitude.IsNumber()
}

// compareText grades a returned text: servers may change spaces, case and punctuation,
// or add the parts of a normalised address.
func compareText(got, sent string) textMatch {
	if got == sent {
		return textKept
	}
	g, w := fold(got), fold(sent)
	if strings.Contains(g, w) || strings.Contains(w, g) && len(g) > len(w)/2 {
		return textReworded
	}
	return textForeign
}

func fold(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return r == ' ' || r == ',' || r == '.' || r == '\t' || r == '\n'
	}), " ")
}

// shownAtAll reports whether the reply has a text or a point to compare.
func (l Likeness) shownAtAll() bool { return l.textShown || l.pointShown }

// Same reports whether either half shows the place that was sent.
func (l Likeness) Same() bool {
	return l.textShown && l.text != textForeign || l.pointShown && l.distance <= near
}
