package serving

import (
	"math"
	"runtime/debug"
)

// ballastBytes is the size of a block of memory that a server allocates and never
// touches. The garbage collector runs when the heap has doubled: with a heap of a few
// megabytes that would be 20 times a second under load. With the ballast it runs some
// tens of megabytes later. Memory that is not touched is not resident.
const ballastBytes = 32 << 20

// newBallast returns the ballast, or nil if the program's memory is limited (GOMEMLIMIT),
// since the ballast would count against the limit.
func newBallast() []byte {
	if debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return nil
	}
	return make([]byte, ballastBytes)
}
