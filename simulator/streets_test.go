package simulator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/road"
	streetmap "github.com/cabrank/cabrank/simulator/town"
)

// smallTown is the default town, four kilometres across, for worlds under test.
var smallTown = streetmap.Default()

func TestCarsStartAtTheTaxiRanks(t *testing.T) {
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

// place returns the address of the first place of a kind.
func (tn *town) place(kind streetmap.PlaceKind) taxi.Address {
	tn.Helper()
	p, ok := smallTown.PlaceOf(kind)
	require.True(tn, ok)
	return smallTown.Wire(p.Address)
}

func TestFixtureBookingsArePlacedInTheTown(t *testing.T) {
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

// route returns the legs of a journey, and requires that each begins where the one before ended
// and is as long as its line.
func (tn *town) route(ref taxi.JourneyRef) []simulator.Leg {
	tn.Helper()
	at, legs, err := tn.world.JourneyRoute(tn.Context(), ref.JourneyID)
	require.NoError(tn, err)
	require.Equal(tn, tn.clock.Now(), at)
	for i, l := range legs {
		if i > 0 {
			require.Equal(tn, legs[i-1].Line[len(legs[i-1].Line)-1], l.Line[0])
		}
		length := 0.0
		for k := 1; k < len(l.Line); k++ {
			length += metres(l.Line[k-1], l.Line[k])
		}
		require.InEpsilon(tn, float64(l.Millimetres)/1000, length, 0.01)
		require.Positive(tn, l.Took)
	}
	return legs
}

// TestJourneyRouteMatchesTheCarsDrive checks that the route of a journey with two drop-offs matches
// the position of its car at every status.
func TestJourneyRouteMatchesTheCarsDrive(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1, Town: smallTown})
	pickup, first, last := tn.place(streetmap.Hospital), tn.place(streetmap.Station), tn.place(streetmap.Stadium)
	ref := tn.asap(1, pickup, first, last)
	legs := tn.route(ref)
	require.Len(t, legs, 2, "nobody has it")
	require.Equal(t, *pickup.Location, legs[0].Line[0])
	require.Equal(t, *last.Location, legs[1].Line[len(legs[1].Line)-1])

	tn.until(ref, taxi.Accepted)
	legs = tn.route(ref)
	require.Len(t, legs, 3)
	require.Equal(t, simulator.ToPickup, legs[0].Stop)
	require.Zero(t, legs[0].Driven)
	planned := legs[0].Line

	tn.until(ref, taxi.EnRoute)
	tn.advance(20 * time.Second)
	legs = tn.route(ref)
	driven := legs[0].Driven
	require.Positive(t, driven)
	require.Less(t, driven, len(legs[0].Line))
	require.Equal(t, *tn.status(ref).Location, legs[0].Line[driven-1], "the car is there")
	require.Subset(t, legs[0].Line, planned)
	require.Zero(t, legs[1].Driven)

	tn.until(ref, taxi.Arrived)
	require.Len(t, tn.route(ref), 2)
	tn.until(ref, taxi.POB)
	tn.advance(legs[1].Took + time.Second)
	legs = tn.route(ref)
	require.Len(t, legs[0].Line, legs[0].Driven, "it stands at the first drop-off")
	tn.advance(5 * time.Minute)
	legs = tn.route(ref)
	require.Len(t, legs[0].Line, legs[0].Driven)
	require.Positive(t, legs[1].Driven)
	tn.until(ref, taxi.Complete)
	legs = tn.route(ref)
	require.Len(t, legs[1].Line, legs[1].Driven)

	_, _, err := tn.world.JourneyRoute(t.Context(), "J0")
	refused(t, err, simulator.RefusedUnknown, "no journey")
}
