package road_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cabrank/cabrank/simulator/road"
	"github.com/cabrank/cabrank/simulator/town"
)

// smallTown is the default town, four kilometres across.
var smallTown = town.Default()

func TestRouteDriveAndTimesAgree(t *testing.T) {
	roads := road.Streets(smallTown)
	rapid.Check(t, func(t *rapid.T) {
		spot := func(name string) road.Spot {
			if rapid.Bool().Draw(t, name+" off the street") {
				half := int32(smallTown.Size) * 500
				x, y := rapid.Int32Range(-half, half).Draw(t, name+" x"), rapid.Int32Range(-half, half).Draw(t, name+" y")
				return road.SpotOf(smallTown.Point(town.XY{X: x, Y: y}))
			}
			return roads.Door(rapid.Uint64().Draw(t, name))
		}
		from, to := spot("from"), spot("to")
		require.True(t, roads.Covers(from))
		if rapid.Bool().Draw(t, "asked before") {
			roads.Times([]road.Candidate{{Spot: to}, {Spot: from}}, to)
		}
		var r road.Route
		roads.Route(from, to, &r)
		length, took := roads.Drive(from, to)
		require.Equal(t, took, r.Took)
		require.Equal(t, length, r.Millimetres())
		require.Equal(t, took, road.Streets(smallTown).Times([]road.Candidate{{Spot: from}, {Spot: from}}, to)[1])

		require.Equal(t, from, r.At(-time.Second))
		require.Equal(t, from, r.At(0))
		require.Equal(t, to, r.At(r.Took))
		last := from
		for at := time.Duration(0); at <= r.Took+time.Second; at += time.Second {
			now := r.At(at)
			require.Less(t, float64(road.Distance(last, now))/1000, 28.0, "faster than any street allows, at %v of %v", at, r.Took)
			last = now
		}
		require.Equal(t, to, last)
	})
}

// TestStreetsCoverEveryDoor checks that Covers is true for every door of the town, including doors at the edge that are outside
// the square area in which the town was generated.
func TestStreetsCoverEveryDoor(t *testing.T) {
	roads := road.Streets(smallTown)
	for i := range smallTown.Doors() {
		d := smallTown.Door(smallTown.NthDoor(i))
		require.True(t, roads.Covers(road.SpotOf(smallTown.Point(d.At))), d)
	}
}

func TestStreetsCoverOnlyTheTown(t *testing.T) {
	roads := road.Streets(smallTown)
	centre := roads.Centre().Point()
	near, far := centre, centre
	near.Latitude += 1.9 / 111.3
	far.Latitude += 2.1 / 111.3
	require.True(t, roads.Covers(road.SpotOf(near)))
	require.False(t, roads.Covers(road.SpotOf(far)))
	require.False(t, roads.Covers(road.Spot{Lon: -10_815_000, Lat: 539_583_000}), "York")
}

func TestCachedDrivesAllocateNothing(t *testing.T) {
	roads := road.Streets(smallTown)
	var r road.Route
	n := uint64(0)
	drive := func() {
		from, to := roads.Door(n%50), roads.Door(n*7%50+50)
		roads.Drive(from, to)
		roads.Route(from, to, &r)
		r.At(r.Took / 2)
	}
	for range 500 { // until the spaces are large enough
		n++
		drive()
	}
	doors := testing.AllocsPerRun(100, func() { roads.Door(n % 50); roads.Door(n%50 + 50) })
	require.InDelta(t, doors, testing.AllocsPerRun(500, func() { n++; drive() }), 0.1)
}
