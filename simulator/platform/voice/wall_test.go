package voice_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// TestFastClockRunsTimersInOrder checks that a fast clock runs timers in the order of their times, even if the machine
// was suspended for an hour and several are due at once. An earlier timer can still stop a later one.
func TestFastClockRunsTimersInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var slept atomic.Int64
		clock := voice.NewWall(func() time.Time { return time.Now().Add(time.Duration(slept.Load())) }, 1000)
		began := clock.Now()
		var seen []time.Duration
		note := func() { seen = append(seen, clock.Now().Sub(began)) }

		given := clock.AfterFunc(2*time.Second, func() { t.Error("nobody waits any more") })
		clock.AfterFunc(200*time.Millisecond, func() {
			note()
			require.True(t, given.Stop())
			clock.AfterFunc(time.Second, note)
			clock.AfterFunc(0, note)
		})
		slept.Store(int64(time.Hour))
		require.Equal(t, 200*time.Millisecond, clock.Now().Sub(began), "it does not pass what is still to happen")
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, []time.Duration{200 * time.Millisecond, 200 * time.Millisecond, 1200 * time.Millisecond}, seen)
		require.GreaterOrEqual(t, clock.Now().Sub(began), 1000*time.Hour)
		require.False(t, given.Stop())
	})
}
