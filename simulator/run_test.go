package simulator_test

import (
	"bytes"
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/crew"
	"github.com/cabrank/cabrank/simulator/demand"
	"github.com/cabrank/cabrank/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// live runs a world by the wall, inside a synctest bubble, until the test ends or stops it.
func live(t *testing.T, o simulator.Options) (tn *town, stop func()) {
	t.Helper()
	o.Seed, o.Sweep = 1, "0 0 1 1 *"
	if o.Wall == nil {
		o.Wall, o.Speed = time.Now, 1
	}
	tn = newTown(t, o)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		tn.world.Run(ctx)
	}()
	stop = func() {
		cancel()
		<-done
	}
	t.Cleanup(stop)
	return tn, stop
}

// pass lets time pass on the wall.
func pass(t *testing.T, d time.Duration) {
	t.Helper()
	select {
	case <-time.After(d):
	case <-t.Context().Done():
	}
	synctest.Wait()
}

// TestEventLagIsMeasured checks that events are reported as eight seconds late, at any
// speed of the clock, if the machine stands still for eight seconds before the first offer.
func TestEventLagIsMeasured(t *testing.T) {
	for _, speed := range []int{1, 60} {
		synctest.Test(t, func(t *testing.T) {
			var stalled atomic.Int64
			var log bytes.Buffer
			tn, stop := live(t, simulator.Options{
				Wall: func() time.Time { return time.Now().Add(time.Duration(stalled.Load())) }, Speed: speed, Log: slog.New(slog.NewTextHandler(&log, nil)),
			})
			offer := 15 * time.Second / time.Duration(speed)
			tn.asap(1, station, hospital)
			pass(t, offer/2)
			require.Zero(t, tn.world.Stats().LagMax)
			stalled.Store(int64(8 * time.Second))
			pass(t, offer)
			require.Equal(t, 8*time.Second, tn.world.Stats().LagMax)
			require.Equal(t, 8*time.Second, tn.world.Stats().LagP99)
			stop()
			require.Contains(t, log.String(), "lag_p99=8s lag_max=8s")
		})
	}
}

func TestSpeedChangesDoNotMoveTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tn, _ := live(t, simulator.Options{})
		zero := tn.clock.Now()
		pass(t, time.Minute)
		require.Equal(t, zero.Add(time.Minute), tn.clock.Now())

		require.NoError(t, tn.clock.SetSpeed(60))
		require.Equal(t, zero.Add(time.Minute), tn.clock.Now())
		pass(t, time.Second)
		require.Equal(t, zero.Add(2*time.Minute), tn.clock.Now())

		tn.clock.Pause()
		pass(t, time.Hour)
		require.Equal(t, simulator.Reading{Now: zero.Add(2 * time.Minute), Speed: 60, Paused: true, Callers: simulator.CallersByWall}, tn.clock.Read())

		tn.advance(time.Hour)
		require.Equal(t, zero.Add(62*time.Minute), tn.clock.Now())
		tn.clock.Resume()
		pass(t, time.Second)
		require.Equal(t, zero.Add(63*time.Minute), tn.clock.Now())
	})
}

func TestABookingWakesTheWorld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tn, _ := live(t, simulator.Options{})
		pass(t, time.Minute) // until nothing is planned before the night
		seen, cancel := tn.world.Subscribe(100)
		defer cancel()
		tn.asap(1, station, hospital)
		pass(t, time.Minute)
		require.Greater(t, len(seen), 1, "a driver has accepted, though nobody asked")
	})
}

func TestSpeedChangeWakesTheWorld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tn, _ := live(t, simulator.Options{})
		ref := tn.book(1, tn.clock.Now().Add(24*time.Hour), station, hospital)
		seen, cancel := tn.world.Subscribe(100)
		defer cancel()
		pass(t, time.Second)
		require.NoError(t, tn.clock.SetSpeed(10_000))
		pass(t, 9*time.Second)
		require.Equal(t, taxi.Complete, tn.status(ref).Status)
		require.NotEmpty(t, seen)
		require.NoError(t, tn.clock.SetSpeed(0))
	})
}

func TestInvalidSpeedsAndOptionsAreRefused(t *testing.T) {
	tn := newTown(t, simulator.Options{})
	require.Error(t, tn.clock.SetSpeed(60), "there is no wall")
	require.Error(t, tn.clock.SetSpeed(-1))
	require.Error(t, tn.clock.SetSpeed(simulator.MaxSpeed+1))
	for name, o := range map[string]simulator.Options{
		"no wall":     {Speed: 1},
		"too fast":    {Speed: simulator.MaxSpeed + 1, Wall: time.Now},
		"few crews":   {Cars: 3, Crews: crew.First(2)},
		"fewer cars":  {Cars: -1},
		"no schedule": {Sweep: "now and then"},
		"local time":  {Sweep: "TZ=Europe/London * * * * *"},
		"never":       {Sweep: "0 0 30 2 *"},
		"demand":      {Demand: demand.Demand{PerHour: -1}},
		"shift":       {Shifts: []crew.Shift{{Begins: "soon", Ends: "0 5 * * *"}}},
		"shift there": {Shifts: []crew.Shift{{Begins: "0 5 * * *", Ends: "TZ=Europe/London 0 5 * * *"}}},
	} {
		_, err := simulator.New(t.Context(), store.Memory(), o)
		require.Error(t, err, name)
	}
}

func TestSlowSubscribersLoseEventsWithoutBlocking(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1})
	deaf, cancel := tn.world.Subscribe(1)
	tn.until(tn.asap(1, station, hospital), taxi.Complete)
	require.Len(t, deaf, 1)
	require.Positive(t, tn.world.Stats().Lost)
	cancel()
	cancel()
}

func TestManualClockAdvancesButNeverGoesBack(t *testing.T) {
	tn := newTown(t, simulator.Options{})
	require.Equal(t, simulator.Epoch, tn.clock.Now())
	tn.advance(90 * time.Minute)
	require.Equal(t, simulator.Epoch.Add(90*time.Minute), tn.clock.Now())
	require.NoError(t, tn.clock.AdvanceTo(t.Context(), simulator.Epoch), "a time that has passed")
	require.Equal(t, simulator.Epoch.Add(90*time.Minute), tn.clock.Now())
}

func TestClockWaitEndsWhenStatusIsNotReached(t *testing.T) {
	tn := newTown(t, simulator.Options{})
	ref := tn.book(1, tn.clock.Now().Add(24*time.Hour), station, hospital)
	err := tn.clock.UntilStatus(t.Context(), ref.JourneyID, taxi.POB, time.Hour)
	require.ErrorIs(t, err, simulator.ErrNotReached)
	require.Equal(t, simulator.Epoch.Add(time.Hour), tn.clock.Now())
	require.ErrorIs(t, tn.clock.UntilIdle(t.Context(), time.Minute), simulator.ErrNotReached)

	gone, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, tn.clock.Advance(gone, time.Hour), context.Canceled)
	require.ErrorIs(t, tn.clock.Step(gone), context.Canceled)
}
