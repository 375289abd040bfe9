package dispatchside_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/matrix"
)

// TestTheJudgeIsJudged runs the suite against servers that are wrong or no servers at all. [TestOddServersAreASuccess] has
// those that are odd and right.
func TestTheJudgeIsJudged(t *testing.T) {
	if testing.Short() {
		t.Skip("two hundred servers take minutes under the race detector")
	}
	t.Parallel()
	wrong := wrongServers()
	if !whole() {
		wrong = slices.DeleteFunc(wrong, func(m matrix.Mutant) bool { return m.Name == "no more than twenty reads" }) // 20 s: each refusal slows the run down
	}
	m := matrix.Judge(t, matrix.Trial{
		Suite: &dispatchside.Suite, Sound: sound(1), Now: time.Now, Width: 3, Mutants: wrong, Variants: oddServers(), Peers: idlePeers(),
	}, matrix.Share{Wrong: 24, Idle: 3})
	named, all := m.NamedFirst()
	require.GreaterOrEqual(t, 100*named, 95*all, "named first in their reports:\n%s", m)
}

// TestEachCheckHasAMutant writes down which servers prove a check.
func TestEachCheckHasAMutant(t *testing.T) {
	t.Parallel()
	proofs := matrix.Proofs(&dispatchside.Suite, wrongServers())
	require.NotContains(t, proofs, "no mutant")
	golden.Equal(t, filepath.Join("testdata", "proofs.txt"), proofs)
}

// TestNoFalseAlarmByChance runs the suite against the variants with other names,
// numbers, places and times than [TestTheJudgeIsJudged] does: TIMES=100 for a hundred
// seeds.
func TestNoFalseAlarmByChance(t *testing.T) {
	seeds, err := strconv.Atoi(os.Getenv("TIMES"))
	if err != nil {
		t.Skip("one seed is tried by TestTheJudgeIsJudged; TIMES=N tries N others")
	}
	t.Parallel()
	for seed := range seeds {
		matrix, err := matrix.KillMatrix(t.Context(), matrix.Trial{
			Suite: &dispatchside.Suite, Sound: sound(uint64(100 + seed)), Now: time.Now, Variants: oddServers(),
		})
		require.NoError(t, err)
		for _, r := range matrix.Variants {
			if !r.OK {
				t.Errorf("seed %d, %s: %s %v", 100+seed, r.Name, r.Problem, r.Killers)
			}
		}
	}
}
