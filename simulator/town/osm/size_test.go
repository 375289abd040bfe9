package osm_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/simulator/town/osm"
)

// zigzag returns one road of so many points on two corners of a map.
func zigzag(name string, points int) string {
	corners := []string{"[0,0]", "[0.91,0.91]"} // 143 km
	line := make([]string, points)
	for i := range line {
		line[i] = corners[i%2]
	}
	return road(name, strings.Join(line, ","))
}

func road(name, points string) string {
	return fmt.Sprintf(`{"type":"Feature","properties":{"name":%q,"highway":"residential"},`+
		`"geometry":{"type":"LineString","coordinates":[%s]}}`, name, points)
}

func collection(features ...string) string {
	return `{"type":"FeatureCollection","features":[` + strings.Join(features, ",") + `]}`
}

// folded is a road of 1,500 km that meets nothing but its own ends.
func folded(name string, shift float64) string {
	var points []string
	for i := range 12 {
		points = append(points, fmt.Sprintf("[%g,%g]", shift+float64(i)/1000, float64(i%2)*1.1))
	}
	return road(name, strings.Join(points, ","))
}

// tooLarge are maps whose lengths do not fit the millimetres of a town.
func tooLarge() map[string]string {
	chain := make([]string, 60) // each road a day's drive, from the end of the one before
	for i := range chain {
		chain[i] = road(fmt.Sprint("Stage ", i), fmt.Sprintf("[%g,%g],[%g,%g]", float64(i)/1000, float64(i%2)*1.2, float64(i+1)/1000, float64((i+1)%2)*1.2))
	}
	return map[string]string{
		"a road of 2,700 km":            collection(zigzag("Long Road", 20)),
		"a road that wraps silently":    collection(zigzag("Long Road", 40)),
		"two long roads of one name":    collection(folded("Long Road", 0), folded("Long Road", 0.5)),
		"a long way through many roads": collection(chain...),
	}
}

func TestImportRefusesLengthsThatOverflow(t *testing.T) {
	for name, in := range tooLarge() {
		t.Run(name, func(t *testing.T) {
			tn, err := osm.ReadGeoJSON(strings.NewReader(in), town.ImportOptions{})
			require.ErrorIs(t, err, town.ErrTooLarge)
			require.Nil(t, tn)
		})
	}
}

func TestImportAcceptsLongUnusedRoads(t *testing.T) {
	// A way of 400 km beside one of 40 km, in links that the quickest way never uses.
	in := collection(
		road("Short Road", "[0,0],[0,0.36]"),
		road("Scenic Road", "[0,0],[0.9,0],[0.9,0.9],[0,0.9],[0,0.36]"),
	)
	tn, err := osm.ReadGeoJSON(strings.NewReader(in), town.ImportOptions{})
	require.NoError(t, err)
	mm, _ := tn.NewRouter().Measure(at(t, tn, "1 short road"), at(t, tn, "9998 short road"))
	require.InDelta(t, 40e6, float64(mm), 1e6)
}
