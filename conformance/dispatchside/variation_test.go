package dispatchside_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/simulator/vary"
)

// TestWhatIsAllowedIsNoFinding judges the reference while its answers vary in every way
// that the interface allows. One world is tried; TIMES=N tries N others at each level.
func TestWhatIsAllowedIsNoFinding(t *testing.T) {
	oneAfterAnother(t)
	t.Parallel()
	judge := func(level vary.Level, seed uint64) {
		r, err := newVariation(t.Context(), level, seed)
		require.NoError(t, err)
		defer r.Close()
		for _, c := range check(t, r, r.target(seed)).Checks {
			switch c.Outcome {
			case conformance.Fail, conformance.Warn, conformance.Flaky, conformance.Broken:
				t.Errorf("level %d, seed %d: %s %s: %s, want %s, got %s", level, seed, c.ID, c.Outcome, c.Findings[0].Message, c.Findings[0].Expected, c.Findings[0].Got)
			}
		}
	}
	judge(vary.Rich, 1)
	worlds, _ := strconv.Atoi(os.Getenv("TIMES")) // none by default
	for n := range worlds {
		judge(vary.Mild, uint64(100+n))
		judge(vary.Rich, uint64(100+n))
	}
}
