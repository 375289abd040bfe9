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
	streets := town.Default()
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

// TestTheWorldSlowsDownForCalls follows the speed of a demo's world through calls.
func TestTheWorldSlowsDownForCalls(t *testing.T) {
	speed := 20
	p := newPace(1, func() int { return speed }, func(to int) error { speed = to; return nil })
	for _, step := range []struct {
		calls, set int // set: somebody sets this speed, before the call; 0: nobody does
		want       int
	}{
		{calls: 1, want: 1},
		{calls: 2, want: 1},
		{calls: 1, want: 1},
		{calls: 0, want: 20}, // two calls
		{calls: 1, want: 1},
		{calls: 0, set: 60, want: 60}, // somebody else has set it
		{calls: 1, want: 1},
		{calls: 0, want: 60},
		{calls: 1, set: 1, want: 1},
		{calls: 0, want: 1}, // it is slow anyway
	} {
		if step.set > 0 {
			speed = step.set
		}
		p.live(step.calls)
		<-p.news
		p.adjust()
		require.Equal(t, step.want, speed, "%+v", step)
	}
	p.live(1)
	p.live(2) // waits for nobody
}
