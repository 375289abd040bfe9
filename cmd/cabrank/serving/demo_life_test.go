package serving

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/town"
)

// TestDemoTripsDiffer expects different people on different trips, and no number that has a
// meaning for testers.
func TestDemoTripsDiffer(t *testing.T) {
	streets := town.Generate(town.Options{Seed: 1, Size: town.SmallTown})
	now := time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)
	names, ways := map[string]bool{}, map[string]bool{}
	for n := range lifeTrips {
		r := lifeTrip(streets, n, now)
		require.Equal(t, r, lifeTrip(streets, n, now), "the same in every run")
		require.NotEqual(t, r.Pickup.Address, r.Dropoffs[0].Address)
		names[r.Name], ways[r.Pickup.Address+" → "+r.Dropoffs[0].Address] = true, true
	}
	require.Len(t, names, lifeTrips)
	require.Len(t, ways, lifeTrips)
	for _, p := range fixtures.People() {
		require.NotContains(t, names, p.Name)
	}
	for _, p := range newcomers() {
		require.Zero(t, p.Bookings, p.Name)
	}
}
