package simulator_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
)

func TestTheClockMovesByHand(t *testing.T) {
	tn := newTown(t, simulator.Options{})
	require.Equal(t, simulator.Epoch, tn.clock.Now())
	tn.advance(90 * time.Minute)
	require.Equal(t, simulator.Epoch.Add(90*time.Minute), tn.clock.Now())
	require.NoError(t, tn.clock.AdvanceTo(t.Context(), simulator.Epoch), "a time that has passed")
	require.Equal(t, simulator.Epoch.Add(90*time.Minute), tn.clock.Now())
}

func TestWaitingForWhatDoesNotCome(t *testing.T) {
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
