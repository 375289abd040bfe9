package town_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/town"
)

// eightKm returns a town that tests share, which they may because towns do not
// change.
func eightKm(testing.TB) *town.Town { return town.Default() }

var shared = sync.OnceValue(func() *town.Town { return town.Generate(town.Options{Seed: 1}) })

// twentyKm is the same for a city, which takes a second to make.
func twentyKm(testing.TB) *town.Town { return city() }

var city = sync.OnceValue(func() *town.Town { return town.Generate(town.Options{Seed: 1, Size: town.City}) })

func TestTownsHaveTheSizeOfTheirMap(t *testing.T) {
	made := []*town.Town{eightKm(t)}
	for seed := range uint64(3) {
		made = append(made, town.Generate(town.Options{Seed: seed + 1, Size: town.SmallTown}))
	}
	if !testing.Short() {
		made = append(made, twentyKm(t))
	}
	junctions := map[int][2]int{town.SmallTown: {600, 1_300}, town.Town8km: {3_000, 5_000}, town.City: {15_000, 30_000}}
	for _, tn := range made {
		limits := junctions[tn.Size]
		require.GreaterOrEqual(t, len(tn.Nodes), limits[0], "seed %d, %d m", tn.Seed, tn.Size)
		require.LessOrEqual(t, len(tn.Nodes), limits[1], "seed %d, %d m", tn.Seed, tn.Size)
	}
}

func TestTownHasWhatATownHas(t *testing.T) {
	tn := eightKm(t)
	var oneWay, minor, bridges int
	speeds := map[int32]bool{}
	for i, l := range tn.Links {
		speeds[l.Speed] = true
		shape := tn.Shape(int32(i))
		require.Equal(t, tn.Nodes[l.From], shape[0])
		require.Equal(t, tn.Nodes[l.To], shape[len(shape)-1])
		if l.Bridge {
			bridges++
			require.Equal(t, town.Main, l.Class, "only main roads cross the river")
		}
		if l.Class == town.Minor {
			minor++
			if l.OneWay {
				oneWay++
			}
		}
	}
	require.Len(t, speeds, 4, "20, 30, 40 and 60 mph")
	require.InDelta(t, 0.12, float64(oneWay)/float64(minor), 0.05)
	require.GreaterOrEqual(t, bridges, 4)
	station, ok := tn.PlaceOf(town.Station)
	require.True(t, ok)
	require.Contains(t, station.Text, town.StationRoad)
	_, ok = tn.PlaceOf("zoo")
	require.False(t, ok)
}

func TestPointsGoToTheGlobeAndBack(t *testing.T) {
	for _, centre := range []taxi.Point{{}, {Longitude: -179.9, Latitude: -79}, {Longitude: 13.4, Latitude: 52.5}} {
		tn := town.Generate(town.Options{Size: 2_000, Centre: centre})
		for _, p := range append(tn.Nodes, town.XY{}) {
			wire := tn.Point(p)
			require.Equal(t, wire, tn.Point(tn.XY(wire)))
			require.Less(t, gap(p, tn.XY(wire)), 0.01)
		}
	}
}

func TestTownIsWhereItWasPut(t *testing.T) {
	centre := taxi.Point{Longitude: 13.4, Latitude: 52.5}
	require.Equal(t, centre, town.Generate(town.Options{Size: 2_000, Centre: centre}).Point(town.XY{}))
	require.Equal(t, taxi.Point{Longitude: 2.1, Latitude: 54.7}, eightKm(t).Point(town.XY{}))
}
