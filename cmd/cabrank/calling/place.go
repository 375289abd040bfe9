package calling

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
)

// ParsePoint parses LATITUDE,LONGITUDE in degrees; false: it is not a point on the Earth.
func ParsePoint(text string) (taxi.Point, bool) {
	lat, lon, _ := strings.Cut(text, ",")
	y, errY := strconv.ParseFloat(strings.TrimSpace(lat), 64)
	x, errX := strconv.ParseFloat(strings.TrimSpace(lon), 64)
	ok := errY == nil && errX == nil && math.Abs(y) <= 90 && math.Abs(x) <= 180
	return taxi.Point{Longitude: x, Latitude: y}, ok
}

// ParsePlace parses "ADDRESS@LATITUDE,LONGITUDE", or finds a place of the fixtures by its
// name or a word of its name.
func ParsePlace(text string) (taxi.Address, error) {
	if i := strings.LastIndexByte(text, '@'); i > 0 {
		at, ok := ParsePoint(text[i+1:])
		if !ok {
			return taxi.Address{}, fmt.Errorf("%q: want ADDRESS@LATITUDE,LONGITUDE in degrees", text)
		}
		return taxi.Address{Address: text[:i], Location: &at}, nil
	}
	found := placesAmong(fixtures.Places(), text)
	if len(found) == 0 {
		return taxi.Address{}, noPlace(text)
	}
	return found[0].Address, nil
}
