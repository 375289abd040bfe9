package dispatchside_test

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/mutants"
	"github.com/cabrank/cabrank/conformance/matrix"
)

// TestTheJudgeIsJudged runs the suite against every server that is wrong, odd or
// no server at all. WHOLE=1 takes every mutant and tells each every story, as the gate
// does by `cabrank check matrix`, and tells the evidence where it finds what it should
// not: a minute's work. Otherwise a sample of the mutants is told the stories of their own checks.
func TestTheJudgeIsJudged(t *testing.T) {
	if testing.Short() {
		t.Skip("two hundred servers take minutes under the race detector")
	}
	t.Parallel()
	whole, wrong, odd, peers := whole(), mutants.All(), mutants.Variants(), mutants.NullPeers()
	if !whole { // TestOddServersAreASuccess has the variants, and the gate all of it
		slow := func(m matrix.Mutant) bool { return m.Name == "no more than twenty reads" } // 20 s: each refusal slows the run down
		wrong, odd, peers = slices.DeleteFunc(matrix.Sample(wrong, 24), slow), nil, matrix.Sample(peers, 3)
	}
	matrix, err := matrix.KillMatrix(t.Context(), matrix.Trial{
		Suite: &dispatchside.Suite, Sound: sound(1), Now: time.Now, Width: 3, Focused: !whole,
		Mutants: wrong, Variants: odd, Peers: peers,
	})
	require.NoError(t, err)
	var table strings.Builder
	require.NoError(t, matrix.WriteText(&table))
	if whole {
		t.Log("\n" + table.String())
	}
	for _, r := range append(append(matrix.Mutants, matrix.Variants...), matrix.Peers...) {
		if !r.OK {
			t.Errorf("%s: %s\n%v %v", r.Name, r.Problem, r.Killers, r.Warners)
			explain(t, r)
		}
	}
	named, all := matrix.NamedFirst()
	if whole {
		require.Greater(t, all, 190)
		require.Contains(t, table.String(), "userId a number")
		require.Empty(t, matrix.Unproved, "checks without a mutant")
		require.True(t, matrix.OK())
	}
	require.GreaterOrEqual(t, 100*named, 95*all, "named first in their reports:\n%s", table.String())
}

// TestAFaultFailsFewOthers tells some mutants every story: what a fault in ids
// breaks must not spill over, nor may clean-up move the clock under later stories.
func TestAFaultFailsFewOthers(t *testing.T) {
	if !whole() {
		t.Skip("whole runs: the gate has them for all mutants, WHOLE=1 runs these")
	}
	t.Parallel()
	few := []matrix.Mutant{matrix.Named(mutants.All(), "one userId for all"), matrix.Named(mutants.All(), "userId a number")}
	matrix, err := matrix.KillMatrix(t.Context(), matrix.Trial{Suite: &dispatchside.Suite, Sound: sound(1), Now: time.Now, Mutants: few})
	require.NoError(t, err)
	for _, r := range matrix.Mutants {
		require.True(t, r.OK, "%s: %s: %v", r.Name, r.Problem, r.Killers)
	}
}

func explain(t *testing.T, r matrix.MatrixRow) {
	t.Helper()
	if r.Report == nil || os.Getenv("WHOLE")+os.Getenv("TIMES") == "" {
		return
	}
	for _, c := range r.Report.Checks {
		if (c.Outcome == conformance.Fail || c.Outcome == conformance.Broken) && len(c.Findings) > 0 {
			t.Logf("   %s %s: %s | %s | %s", c.ID, c.Operation, c.Findings[0].Message, c.Findings[0].Expected, c.Findings[0].Got)
		}
	}
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
			Suite: &dispatchside.Suite, Sound: sound(uint64(100 + seed)), Now: time.Now, Variants: mutants.Variants(),
		})
		require.NoError(t, err)
		for _, r := range matrix.Variants {
			if !r.OK {
				t.Errorf("seed %d, %s: %s %v", 100+seed, r.Name, r.Problem, r.Killers)
				explain(t, r)
			}
		}
	}
}
