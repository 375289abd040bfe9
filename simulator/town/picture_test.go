package town_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/simulator/town/osm"
)

// TestAPictureHasEveryStreet checks that the lines of a picture have exactly the segments of
// the links that they were joined from.
func TestAPictureHasEveryStreet(t *testing.T) {
	tn := town.Default()
	p := tn.Picture()
	bits, lines, links := map[[2]town.XY]int{}, 0, len(tn.Links)
	for i := range tn.Links {
		each(tn.Shape(int32(i)), func(bit [2]town.XY) { bits[bit]++ })
	}
	class := town.Main
	for _, s := range p.Streets {
		require.GreaterOrEqual(t, s.Class, class, "the widest first")
		class = s.Class
		require.NotEmpty(t, s.Name)
		lines += len(s.Lines)
		for _, line := range s.Lines {
			each(line, func(bit [2]town.XY) { bits[bit]-- })
		}
	}
	for bit, n := range bits {
		require.Zero(t, n, bit)
	}
	require.Less(t, lines, links/2)
	require.NotEmpty(t, p.Outline)
	require.NotEmpty(t, p.River)
	require.Contains(t, p.RiverName, "River")
	require.Positive(t, p.Water)
	require.NotEmpty(t, p.Rail)
	require.Len(t, p.Runway.Ends, 2)
	require.Greater(t, p.Runway.Apron, p.Runway.Width)
	letter, colour := town.Station.Mark()
	require.Equal(t, "S", letter)
	require.Len(t, colour, 7)
}

func each(line []town.XY, do func([2]town.XY)) {
	for i := 1; i < len(line); i++ {
		do([2]town.XY{line[i-1], line[i]})
	}
}

// TestPictureOfImportedMapInventsNothing checks that the picture of an imported map shows no rails, no
// runway and no street name that its file does not have.
func TestPictureOfImportedMapInventsNothing(t *testing.T) {
	tn, err := osm.ReadGeoJSON(strings.NewReader(`{"type":"FeatureCollection","features":[
		{"type":"Feature","properties":{"highway":"residential"},"geometry":{"type":"LineString","coordinates":[[0,0],[0.01,0]]}},
		{"type":"Feature","properties":{"aeroway":"aerodrome","name":"Field"},"geometry":{"type":"Point","coordinates":[0.005,0.0001]}},
		{"type":"Feature","properties":{"railway":"station","name":"Halt"},"geometry":{"type":"Point","coordinates":[0.006,0.0001]}}]}`), town.ImportOptions{})
	require.NoError(t, err)
	_, ok := tn.PlaceOf(town.Airport)
	require.True(t, ok)
	_, ok = tn.PlaceOf(town.Station)
	require.True(t, ok)
	p := tn.Picture()
	require.Empty(t, p.Rail)
	require.Empty(t, p.Runway.Ends)
	require.Len(t, p.Streets, 1)
	require.Empty(t, p.Streets[0].Name, "it was made up")
}
