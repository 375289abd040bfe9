package trial_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/trial"
)

// FuzzParseFaults reads anything, and what is read is written so that it is read as the same.
func FuzzParseFaults(f *testing.F) {
	for _, seed := range []string{"", "all", "none", "seed", "lost", "disk, crash", "lost,lost", "lost,duplicate,reorder,garbled,disk,crash", "rain", ",", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		faults, err := trial.ParseFaults(text)
		if err != nil {
			return
		}
		again, err := trial.ParseFaults(faults.String())
		require.NoError(t, err, "%q is %s", text, faults)
		require.Equal(t, faults, again)
	})
}
