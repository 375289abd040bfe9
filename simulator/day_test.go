package simulator_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator"
	streetmap "github.com/cabrank/cabrank/simulator/town"
)

// The golden hashes were taken on amd64 at level v1; see
// [TestRecordingIsTheSameOnEveryProcessor].
func TestRecordingOfAStormyTownIsTheSameOnEveryProcessor(t *testing.T) {
	const golden = "testdata/days.sha256"
	var hashes strings.Builder
	for _, name := range []string{"eta", "batch", "rank", "clear"} {
		policy, err := simulator.ParseAssigner(name)
		require.NoError(t, err)
		recording := sha256.New()
		tn := newTown(t, simulator.Options{
			Seed: 7, Cars: 40, Town: streetmap.Generate(streetmap.Options{Seed: 7, Size: streetmap.SmallTown}),
			Behaviour: simulator.Stormy(), Assigner: policy, Record: recording,
			Demand: simulator.Demand{PerHour: 60, Prebooked: 20},
		})
		tn.advance(12 * time.Hour)
		hashes.WriteString(hex.EncodeToString(recording.Sum(nil)) + "  " + name + "\n")
	}
	got := hashes.String()
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o600))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got, "if the world was meant to change: go test ./simulator -run Recording -update")
}
