package judging

import (
	"runtime/debug"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// mostMemory is a soft memory limit for commands that test servers. Above it the garbage
// collector runs more often.
const mostMemory = 160 << 20

// boundMemory sets the limit, unless GOMEMLIMIT sets another.
func boundMemory(out cli.Outside) {
	if out.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(mostMemory)
	}
}
