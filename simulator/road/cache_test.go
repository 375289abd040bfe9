package road

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestACacheGrowsWithItsEntries checks that a hardly used cache is small, and that one in use
// keeps its entries while it grows to its limit.
func TestACacheGrowsWithItsEntries(t *testing.T) {
	const most = 1 << 12
	c := newCache(most, func(n uint64) uint64 { return n })
	require.Len(t, c.places, firstPlaces)
	for n := range uint64(most) {
		require.Equal(t, n, *c.put(n))
	}
	require.Len(t, c.places, most)
	for n := range uint64(most) {
		require.Equal(t, n, *c.at(n), "an entry is lost that had a place of its own")
	}
	c.put(most + 1)
	require.Len(t, c.places, most)
	require.EqualValues(t, most+1, *c.at(1))
}
