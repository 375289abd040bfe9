package judging

import (
	"context"
	"sync"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/mutants"
)

// callerClock is a fast clock for the small platform that shows the checks of callers.
var callerClock = sync.OnceValue(func() mutants.Clock {
	const times = 10
	return mutants.Fast(mutants.Clock{Now: cli.Now, Wait: wait}, times)
})

// callerAlone runs one check against the small platform.
func callerAlone(ctx context.Context, id string) (*conformance.Report, error) {
	return mutants.Try(ctx, callerClock(), []string{id})
}
