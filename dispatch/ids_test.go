package dispatch

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestIDsNeverCollide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		start := rapid.Uint64Range(0, 1<<27-5000).Draw(t, "start")
		seen := make(map[uint64]bool)
		for n := start; n < start+5000; n++ {
			id := scatter(n, seed)
			require.False(t, seen[id], "n=%d seed=%d", n, seed)
			require.Less(t, id, uint64(1)<<35)
			seen[id] = true
		}
	})
}

func TestIDsDoNotFollowOn(t *testing.T) {
	follow := 0
	for n := range uint64(5000) {
		if scatter(n+1, 1) == scatter(n, 1)+1 {
			follow++
		}
	}
	require.Less(t, follow, 5)
}
