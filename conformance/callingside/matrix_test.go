package callingside_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/callingside/mutants"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/matrix"
)

// quick is how time goes by in the tests: as fast as a busy machine can answer before a platform gives up, which is after two
// seconds of real time.
func quick() mutants.Clock {
	wait := func(ctx context.Context, d time.Duration) { client.Pause(ctx, d) }
	return mutants.Fast(mutants.Clock{Now: time.Now, Wait: wait}, 5)
}

// TestTheJudgeIsJudged tries a sample of the platforms that are wrong, odd or none.
// WHOLE=1 tries them all, each in every scene.
func TestTheJudgeIsJudged(t *testing.T) {
	if testing.Short() {
		t.Skip("platforms whose clock is five times as fast are too slow under the race detector")
	}
	t.Parallel()
	clock := quick()
	whole := os.Getenv("WHOLE") != ""
	trial := matrix.Trial{
		Suite: &callingside.Suite, Sound: mutants.Sound(clock), Now: time.Now, Width: 6, Focused: !whole,
		Mutants: mutants.All(clock), Variants: mutants.Variants(clock), Peers: mutants.NullPeers(clock),
	}
	if !whole {
		trial.Mutants, trial.Variants, trial.Peers = matrix.Sample(trial.Mutants, 12), matrix.Sample(trial.Variants, 9), matrix.Sample(trial.Peers, 6)
	}
	m, err := matrix.KillMatrix(t.Context(), trial)
	require.NoError(t, err)
	for _, r := range append(append(m.Mutants, m.Variants...), m.Peers...) {
		if !r.OK {
			t.Errorf("%s: %s\n%v %v%s", r.Name, r.Problem, r.Killers, r.Warners, why(r))
		}
	}
	if whole {
		var table strings.Builder
		require.NoError(t, m.WriteText(&table))
		t.Log("\n" + table.String())
		require.Empty(t, m.Unproved, "checks without a mutant")
	}
}

// why says what failed.
func why(r matrix.MatrixRow) string {
	text := ""
	if r.Report == nil {
		return text
	}
	for _, c := range r.Report.Checks {
		if c.Outcome == conformance.Fail || c.Outcome == conformance.Broken {
			text += "\n   " + c.ID + " " + string(c.Operation) + ": " + c.Findings[0].Message + " | " + c.Findings[0].Expected + " | " + c.Findings[0].Got
		}
	}
	return text
}
