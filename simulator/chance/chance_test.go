package chance_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/chance"
)

func TestRandomStreamsAreDistinct(t *testing.T) {
	first := func(seed uint64, p chance.Purpose, entity, nth uint64) uint64 {
		s := chance.New(seed, p, entity, nth)
		return s.Uint64()
	}
	seen := map[uint64]bool{}
	for seed := range uint64(4) {
		for p := chance.Parking; p <= chance.AsDirected; p++ {
			for entity := range uint64(20) {
				for nth := range uint64(5) {
					seen[first(seed, p, entity, nth)] = true
				}
			}
		}
	}
	require.Len(t, seen, 4*8*20*5)
	again := first(1, chance.Fate, 2, 3)
	require.Equal(t, again, first(1, chance.Fate, 2, 3))
}

func TestDrawsHaveTheirDistributions(t *testing.T) {
	const n = 100_000
	s := chance.New(1, chance.Boarding, 0, 0)
	var sum, over time.Duration
	for range n {
		d := s.Exponential(time.Minute)
		sum += d
		if d > 2*time.Minute {
			over++
		}
	}
	require.InDelta(t, 60, (sum / n).Seconds(), 1)
	require.InDelta(t, math.Exp(-2), float64(over)/n, 0.005)

	late := make([]time.Duration, n)
	for i := range late {
		late[i] = s.Skewed(time.Minute)
	}
	slices.Sort(late)
	require.InDelta(t, 60, late[n/2].Seconds(), 1)
	require.InDelta(t, 60*2.15, late[n*84/100].Seconds(), 3)

	hits := 0
	for range n {
		if s.Chance(150) {
			hits++
		}
	}
	require.InDelta(t, 1500, hits, 150)
	for range 1000 {
		d := s.Between(2*time.Second, 3*time.Second)
		require.True(t, d >= 2*time.Second && d <= 3*time.Second)
	}
}
