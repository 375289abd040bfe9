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

// usual is how much a heap grows between collections, in per cent, and at first what
// it grows to from four megabytes.
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

// untilCollected calls then after the first collection from now on.
func untilCollected(then func()) {
	sentinel := new([64]byte) // large enough not to share its memory
	runtime.AddCleanup(sentinel, func(struct{}) { then() }, struct{}{})
}
