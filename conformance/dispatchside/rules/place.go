package rules

import (
	"math"
	"strings"

	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// PointOf returns the Point in a value, which must be valid: see [IsPoint].
func PointOf(v jsonvalue.Value) taxi.Point {
	lon := v.At("longitude").Number()
	lat := v.At("latitude").Number()
	return taxi.Point{Longitude: lon, Latitude: lat}
}

// Apart returns the distance between two points along the earth's surface, in metres.
func Apart(a, b taxi.Point) float64 {
	const earth, degree = 6_371_000, math.Pi / 180
	dLat, dLon := (b.Latitude-a.Latitude)*degree, (b.Longitude-a.Longitude)*degree
	h := math.Pow(math.Sin(dLat/2), 2) +
		math.Cos(a.Latitude*degree)*math.Cos(b.Latitude*degree)*math.Pow(math.Sin(dLon/2), 2)
	return 2 * earth * math.Asin(math.Sqrt(min(1, h)))
}

// Tolerances in metres: a place within Near is the same; within Exact no precision was
// lost; beyond Elsewhere it is another place, even if the text is the same.
const (
	Near      = 25
	Exact     = 1
	Elsewhere = 10_000
)

// Likeness is how far an address in a reply is like the one that was sent, by its text and by its point.
type Likeness struct {
	TextShown, PointShown bool
	Text                  TextMatch
	Distance              float64 // metres
}

// TextMatch says how similar two texts of an address are.
type TextMatch int

// The grades: another text, the same in other words or with more of the address, the same.
const (
	TextForeign TextMatch = iota
	TextReworded
	TextKept
)

// LikenessOf compares the address in a reply with the one that was sent.
func LikenessOf(shown, sent jsonvalue.Value) Likeness {
	var l Likeness
	if t := shown.At("address"); t.HasText() {
		l.TextShown = true
		l.Text = compareText(t.Text(), sent.At("address").Text())
	}
	at, is := Coordinates(shown.At("location"))
	was, wasOne := Coordinates(sent.At("location"))
	if is && wasOne {
		l.PointShown = true
		l.Distance = Apart(at, was)
	}
	return l
}

// Coordinates returns the longitude and latitude in a value; false if either is not a number.
func Coordinates(v jsonvalue.Value) (taxi.Point, bool) {
	longitude, latitude := v.At("longitude"), v.At("latitude")
	return taxi.Point{Longitude: longitude.Number(), Latitude: latitude.Number()}, longitude.IsNumber() && latitude.IsNumber()
}

// compareText says how similar a returned text is: servers may change spaces, case and punctuation,
// or add the parts of a normalised address.
func compareText(got, sent string) TextMatch {
	if got == sent {
		return TextKept
	}
	g, w := Fold(got), Fold(sent)
	if strings.Contains(g, w) || strings.Contains(w, g) && len(g) > len(w)/2 {
		return TextReworded
	}
	return TextForeign
}

// Fold returns a text in lower case and without punctuation, with single spaces.
func Fold(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return r == ' ' || r == ',' || r == '.' || r == '\t' || r == '\n'
	}), " ")
}

// ShownAtAll reports whether the reply has a text or a point to compare.
func (l Likeness) ShownAtAll() bool { return l.TextShown || l.PointShown }

// Same reports whether the text or the point shows the place that was sent.
func (l Likeness) Same() bool {
	return l.TextShown && l.Text != TextForeign || l.PointShown && l.Distance <= Near
}
