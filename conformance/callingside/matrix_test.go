package callingside_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/callingside/mutants"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/matrix"
)

// quick is how time goes by in the tests: as fast as a busy machine can answer before a platform gives up, which is after two
// seconds of real time; and twice as fast in the gate, which has all of them.
func quick() mutants.Clock {
	times := 5
	if os.Getenv("WHOLE") != "" {
		times = 10
	}
	wait := func(ctx context.Context, d time.Duration) { client.Pause(ctx, d) }
	return mutants.Fast(mutants.Clock{Now: time.Now, Wait: wait}, times)
}

// TestTheJudgeIsJudged tries platforms that are wrong, odd or none.
func TestTheJudgeIsJudged(t *testing.T) {
	if testing.Short() {
		t.Skip("platforms whose clock is five times as fast are too slow under the race detector")
	}
	t.Parallel()
	clock := quick()
	matrix.Judge(t, matrix.Trial{
		Suite: &callingside.Suite, Sound: sound(clock), Now: time.Now, Width: 6,
		Mutants: wrongPlatforms(clock), Variants: oddPlatforms(clock), Peers: idlePeers(),
	}, matrix.Share{Wrong: 12, Odd: 9, Idle: 6})
}

// TestEachCheckHasAMutant writes down which platforms prove a check.
func TestEachCheckHasAMutant(t *testing.T) {
	t.Parallel()
	proofs := matrix.Proofs(&callingside.Suite, wrongPlatforms(quick()))
	require.NotContains(t, proofs, "no mutant")
	golden.Equal(t, filepath.Join("testdata", "proofs.txt"), proofs)
}
