package simulator_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator"
	streetmap "github.com/cabrank/cabrank/simulator/town"
)

// The golden hashes were taken on amd64 at level v1; see
// [TestRecordingIsTheSameOnEveryProcessor].
func TestRecordingOfAStormyTownIsTheSameOnEveryProcessor(t *testing.T) {
	const file = "testdata/days.sha256"
	var hashes strings.Builder
	for _, name := range []string{"eta", "batch", "rank", "clear"} {
		policy, err := simulator.ParseAssigner(name)
		require.NoError(t, err)
		recording := sha256.New()
		tn := newTown(t, simulator.Options{
			Seed: 7, Cars: 40, Town: streetmap.Default(),
			Behaviour: simulator.Stormy(), Assigner: policy, Record: recording,
			Demand: simulator.Demand{PerHour: 60, Prebooked: 20},
		})
		tn.advance(12 * time.Hour)
		hashes.WriteString(hex.EncodeToString(recording.Sum(nil)) + "  " + name + "\n")
	}
	golden.Equal(t, file, hashes.String())
}
