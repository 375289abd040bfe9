package calling

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
)

// ParsePlace reads "ADDRESS@LATITUDE,LONGITUDE", or finds a place of the
// fictional town by its name or a word of it.
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
	wanted := strings.ToLower(strings.TrimSpace(text))
	for _, p := range fixtures.Places() {
		if wanted != "" && (strings.EqualFold(p.Kind, wanted) || strings.Contains(strings.ToLower(p.Name), wanted)) {
			return p.Address, nil
		}
	}
	return taxi.Address{}, fmt.Errorf("no place %q here; 'cabrank samples --places' lists them, or give ADDRESS@LATITUDE,LONGITUDE", text)
}
