package judging

import (
	"runtime/debug"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// mostMemory is what a command that judges should get by with, whatever it is answered:
// beyond it the collector works harder, so that what is let go of is free at once.
const mostMemory = 160 << 20

// boundMemory asks for that, unless GOMEMLIMIT asks for something else.
func boundMemory(out cli.Outside) {
	if out.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(mostMemory)
	}
}
