package booking

import (
	"math"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

const earth = 6_371_000 // metres

// metres is how far two points are apart, well enough for a town.
func metres(a, b taxi.Point) float64 {
	const degree = math.Pi / 180
	north := (b.Latitude - a.Latitude) * degree
	east := (b.Longitude - a.Longitude) * degree * math.Cos((a.Latitude+b.Latitude)/2*degree)
	return earth * math.Hypot(north, east)
}
