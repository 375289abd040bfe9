package platformapi_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/matrix"
	"github.com/cabrank/cabrank/conformance/platformapi"
)

// TestTheJudgeIsJudged runs the suite against platforms that are wrong, odd or none at all.
func TestTheJudgeIsJudged(t *testing.T) {
	t.Parallel()
	share := matrix.Share{Wrong: 15, Odd: 6, Idle: 3}
	if testing.Short() {
		share = matrix.Share{Wrong: 30, Odd: 15, Idle: 3}
	}
	matrix.Judge(t, matrix.Trial{
		Suite: &platformapi.Suite, Sound: sound, Now: time.Now, Width: 3,
		Mutants: wrongPlatforms(), Variants: oddPlatforms(), Peers: idlePeers(),
	}, share)
}

// TestEachCheckHasAMutant writes down which platforms prove a check.
func TestEachCheckHasAMutant(t *testing.T) {
	t.Parallel()
	proofs := matrix.Proofs(&platformapi.Suite, wrongPlatforms())
	require.NotContains(t, proofs, "no mutant")
	golden.Equal(t, filepath.Join("testdata", "proofs.txt"), proofs)
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
