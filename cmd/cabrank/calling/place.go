package calling

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
)

// ParsePlace reads "ADDRESS@LATITUDE,LONGITUDE", or finds a place of the
// fixtures by its name or a word of it.
func ParsePlace(text string) (taxi.Address, error) {
	if i := strings.LastIndexByte(text, '@'); i > 0 {
		lat, lon, _ := strings.Cut(text[i+1:], ",")
		y, errY := strconv.ParseFloat(strings.TrimSpace(lat), 64)
		x, errX := strconv.ParseFloat(strings.TrimSpace(lon), 64)
		if errY != nil || errX != nil {
			return taxi.Address{}, fmt.Errorf("%q: want ADDRESS@LATITUDE,LONGITUDE", text)
		}
		return taxi.Address{Address: text[:i], Location: &taxi.Point{Longitude: x, Latitude: y}}, nil
	}
	found := placesAmong(fixtures.Places(), text)
	if len(found) == 0 {
		return taxi.Address{}, noPlace(text)
	}
	return found[0].Address, nil
}
