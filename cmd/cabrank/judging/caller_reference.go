package judging

import (
	"context"
	"net/http/httptest"
	"sync"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/mutants"
	"github.com/cabrank/cabrank/conformance/matrix"
)

// callerClock is a fast clock for the small platform that proves the suite of callers.
var callerClock = sync.OnceValue(func() mutants.Clock {
	const times = 10
	return mutants.Fast(mutants.Clock{Now: cli.Now, Wait: wait}, times)
})

func callerMutants() []matrix.Mutant  { return mutants.All(callerClock()) }
func callerVariants() []matrix.Mutant { return mutants.Variants(callerClock()) }
func callerPeers() []matrix.Mutant    { return mutants.NullPeers(callerClock()) }

// soundCaller returns a correct calling platform, for the matrix to break.
func soundCaller(ctx context.Context, _ uint64) (matrix.Subject, error) {
	return mutants.Sound(callerClock())(ctx)
}

// callerAlone runs one check against the small platform.
func callerAlone(ctx context.Context, id string) (*conformance.Report, error) {
	subject, err := soundCaller(ctx, 0)
	if err != nil {
		return nil, err
	}
	server := httptest.NewServer(subject.Handler)
	defer server.Close()
	return subject.Test(ctx, matrix.Place{Port: &matrix.Port{URL: server.URL}, URL: server.URL, Now: subject.Now, Only: []string{id}})
}
