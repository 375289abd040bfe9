package simulator_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/road"
	streetmap "github.com/cabrank/cabrank/simulator/town"
)

// smallTown is the four kilometres that worlds under test lie in.
var smallTown = streetmap.Default()

func TestCarsOfATownStandAtItsRanks(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1, Town: smallTown, Cars: 20})
	_, all := tn.world.Vehicles()
	standing := map[taxi.Point]int{}
	for _, v := range all {
		standing[v.Location]++
	}
	for _, p := range smallTown.Places {
		if p.Kind == streetmap.Rank {
			require.Equal(t, 5, standing[smallTown.Point(p.At)], p.Name)
		}
	}
}

// place is the address of a kind of place of the town.
func (tn *town) place(kind streetmap.PlaceKind) taxi.Address {
	tn.Helper()
	p, ok := smallTown.PlaceOf(kind)
	require.True(tn, ok)
	return smallTown.Wire(p.Address)
}

func TestThePeopleOfTheFixturesMoveToTown(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1, Town: smallTown})
	require.NoError(t, tn.world.Populate(t.Context(), fixtures.People()))
	roads := road.Streets(smallTown)
	live := tn.records.AllLive()
	require.NotEmpty(t, live)
	for _, j := range live {
		require.True(t, roads.Covers(road.SpotOf(*j.Pickup.Location)), j.Pickup.Address)
		require.True(t, roads.Covers(road.SpotOf(*j.Dropoffs[0].Location)), j.Dropoffs[0].Address)
		require.NotEqual(t, *j.Pickup, j.Dropoffs[0])
	}
}
