package town_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/town"
)

func TestDefaultTownHasExpectedStreets(t *testing.T) {
	tn := town.Default()
	var oneWay, minor int
	speeds := map[int32]bool{}
	for i, l := range tn.Links {
		speeds[l.Speed] = true
		shape := tn.Shape(int32(i))
		require.Equal(t, tn.Nodes[l.From], shape[0])
		require.Equal(t, tn.Nodes[l.To], shape[len(shape)-1])
		if l.Class == town.Minor {
			minor++
			if l.OneWay {
				oneWay++
			}
		}
	}
	require.Len(t, speeds, 4, "20, 30, 40 and 60 mph")
	require.InDelta(t, 0.12, float64(oneWay)/float64(minor), 0.05)
	station, ok := tn.PlaceOf(town.Station)
	require.True(t, ok)
	require.Contains(t, station.Text, "Station Road")
	_, ok = tn.PlaceOf("zoo")
	require.False(t, ok)
}

func TestPointConversionIsReversible(t *testing.T) {
	for _, centre := range []taxi.Point{{}, {Longitude: -179.9, Latitude: -79}, {Longitude: 13.4, Latitude: 52.5}} {
		tn, err := town.Import([]town.Road{{Name: "Cross Road", Points: []taxi.Point{
			{Longitude: centre.Longitude - 0.02, Latitude: centre.Latitude - 0.01}, {Longitude: centre.Longitude + 0.02, Latitude: centre.Latitude + 0.01},
		}}}, nil, town.ImportOptions{})
		require.NoError(t, err)
		require.Equal(t, centre, tn.Point(town.XY{}))
		for _, p := range append(town.Default().Nodes, tn.Nodes...) {
			wire := tn.Point(p)
			require.Equal(t, wire, tn.Point(tn.XY(wire)))
			require.Less(t, gap(p, tn.XY(wire)), 0.01)
		}
	}
	require.Equal(t, taxi.Point{Longitude: 2.1, Latitude: 54.7}, town.Default().Point(town.XY{}))
}
