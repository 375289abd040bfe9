package platform_test

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestAloudCost logs the mean processor time that the child processes need to recognise a spoken sentence that may describe a
// trip. It checks that each result has a Witness.
func TestAloudCost(t *testing.T) {
	speaker, listener := programs(t)
	a := newAloud(t)
	a.ear.aloud = listener
	pcm := spoken(t, speaker, "can i have a taxi from the town hall to the harbour view hotel please", "rms", 16000)
	used := func() time.Duration {
		var r syscall.Rusage
		require.NoError(t, syscall.Getrusage(syscall.RUSAGE_CHILDREN, &r))
		return time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	a.call(16000, pcm) // counts the model, and reads the dictionary
	before := used()
	const times = 5
	for range times {
		a.ear.heard = nil
		a.call(16000, pcm)
		require.Len(t, a.ear.heard, 1)
		require.NotEmpty(t, a.ear.heard[0].Witness)
	}
	t.Logf("%.1f s of speech take %.2f s of a processor", float64(len(pcm))/16000, ((used() - before) / times).Seconds())
}
