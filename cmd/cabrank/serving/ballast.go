package serving

import (
	"math"
	"runtime/debug"
)

// ballastBytes is how much memory a server reserves that it never touches. The garbage
// collector begins when the heap has doubled: with a world of some megabytes that would be
// 20 times a second under load. With the ballast it begins some tens of megabytes later.
// Memory that is not touched is not resident.
const ballastBytes = 32 << 20

// newBallast returns the ballast; nil where whoever runs the program has limited its memory
// (GOMEMLIMIT), which the ballast would count against.
func newBallast() []byte {
	if debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return nil
	}
	return make([]byte, ballastBytes)
}
