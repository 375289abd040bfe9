package worlds

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHeapIsFullNearTheMemoryLimit checks at which memory limits the heap of this test, with 64 MiB in
// use, counts as full.
func TestHeapIsFullNearTheMemoryLimit(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	live := make([]byte, 64<<20)
	for limit, full := range map[int64]bool{math.MaxInt64: false, 1 << 30: false, 80 << 20: true, 96 << 20: false} {
		debug.SetMemoryLimit(limit)
		require.Equal(t, full, heapIsFull(), "%d MiB of %d MiB", len(live)>>20, limit>>20)
	}
	runtime.KeepAlive(live)
}
