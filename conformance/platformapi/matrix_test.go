package platformapi_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/matrix"
	"github.com/cabrank/cabrank/conformance/platformapi"
	"github.com/cabrank/cabrank/conformance/platformapi/mutants"
)

// TestTheJudgeIsJudged runs the suite against platforms that are wrong, odd or none at
// all. WHOLE=1 has all of them, and makes every call; without it a sample is asked for
// the checks that it names.
func TestTheJudgeIsJudged(t *testing.T) {
	t.Parallel()
	whole := os.Getenv("WHOLE") != ""
	trial := matrix.Trial{
		Suite: &platformapi.Suite, Sound: sound, Now: time.Now, Width: 3, Focused: !whole,
		Mutants: mutants.All(), Variants: mutants.Variants(), Peers: mutants.NullPeers(),
	}
	require.GreaterOrEqual(t, len(trial.Mutants), 60)
	require.GreaterOrEqual(t, len(trial.Variants), 15)
	switch {
	case whole:
	case testing.Short():
		trial.Mutants, trial.Variants, trial.Peers = matrix.Sample(trial.Mutants, 30), matrix.Sample(trial.Variants, 15), trial.Peers[:1]
	default:
		trial.Mutants, trial.Variants, trial.Peers = matrix.Sample(trial.Mutants, 15), matrix.Sample(trial.Variants, 6), matrix.Sample(trial.Peers, 3)
	}
	m, err := matrix.KillMatrix(t.Context(), trial)
	require.NoError(t, err)
	for _, r := range slices.Concat(m.Mutants, m.Variants, m.Peers) {
		if !r.OK {
			t.Errorf("%s: %s\n%v", r.Name, r.Problem, r.Killers)
		}
	}
	if whole {
		require.Empty(t, m.Unproved, "checks without a mutant")
		var table strings.Builder
		require.NoError(t, m.WriteText(&table))
		t.Log("\n" + table.String())
	}
}

// TestEachCheckHasAMutant reads the names only.
func TestEachCheckHasAMutant(t *testing.T) {
	t.Parallel()
	var named strings.Builder
	for _, m := range mutants.All() {
		named.WriteString(m.KilledBy + " ")
	}
	for _, c := range platformapi.Suite.Checks {
		if c.Level != conformance.Observed {
			require.Contains(t, named.String(), c.ID)
		}
	}
}

// TestClearTextIsFailed judges a call that was placed over http.
func TestClearTextIsFailed(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]conformance.Outcome{
		"http://voice.example": conformance.Fail, "https://voice.example": conformance.Pass, "http://127.0.0.1:80": conformance.NotVerified,
	} {
		call := conformance.Exchange{
			ID: 1, Operation: "POST /channels/voice", Sound: true,
			Request:  conformance.Request{Method: "POST", URL: address + "/channels/voice"},
			Response: &conformance.Response{Status: 201},
		}
		for _, r := range platformapi.Suite.Verdicts([]conformance.Exchange{call}) {
			if r.ID == "VOI-14" {
				require.Equal(t, want, r.Outcome, address)
			}
		}
	}
}
