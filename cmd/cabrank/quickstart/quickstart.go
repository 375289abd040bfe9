// Package quickstart keeps the garbage collector out of the way while the program
// starts. A start makes some tens of megabytes, nearly all of which stays; the
// collector would go over them half a dozen times, since it begins at four, and take
// a sixth of the time to the first answer. So the first collection is at 32 MB, and
// after it everything is as usual.
//
// Go initialises packages in the order of their import paths, as far as what they
// import allows. This one imports nothing but the runtime, and is so initialised
// before ours and nearly all libraries. Whoever sets GOGC or GOMEMLIMIT is obeyed.
package quickstart

import (
	"os"
	"runtime"
	"runtime/debug"
)

// Growth of the heap between two collections, in per cent: usual is the default of Go, and atFirst lets the first
// collection wait until the heap has 32 MB, since Go begins with four.
const (
	usual   = 100
	atFirst = 800
)

func init() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		untilCollected(func() { debug.SetGCPercent(usual) })
		debug.SetGCPercent(atFirst)
	}
}

// untilCollected calls then once, after the next garbage collection.
func untilCollected(then func()) {
	sentinel := new([64]byte) // large enough not to share its memory
	runtime.AddCleanup(sentinel, func(struct{}) { then() }, struct{}{})
}
