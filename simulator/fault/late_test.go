package fault_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/fault"
)

// TestARequestArrivesLate cancels a journey whose passenger boards meanwhile: dispatch is asked
// when the while is over, also when the client has gone by then.
func TestARequestArrivesLate(t *testing.T) {
	t.Parallel()
	for _, here := range []bool{true, false} {
		var w *world
		var waited time.Duration
		meanwhile := 0 // journeys that are not cancelled yet
		w = begin(t, func(o *fault.Options) {
			o.Pause = func(_ context.Context, d time.Duration) bool {
				w.mu.Lock()
				defer w.mu.Unlock()
				waited, meanwhile = d, len(w.booked(caller))
				return here
			}
		})
		w.add(`{"match":{"op":"cancel"},"do":{"kind":"delay","part":"request","for":"9s"}}`)
		made := w.post(fault.Book, booking(caller)).journey(t)
		r := w.post(fault.Cancel, w.ref(caller, made.JourneyID))
		require.Equal(t, here, r.err == nil)
		w.mu.Lock()
		require.Equal(t, 9*time.Second, waited)
		require.Equal(t, 1, meanwhile)
		w.mu.Unlock()
		require.Empty(t, w.booked(caller), "it arrived")
	}
}

// TestAnAnswerIsStale asks for a status before a journey is cancelled, and after.
func TestAnAnswerIsStale(t *testing.T) {
	t.Parallel()
	w := begin(t)
	w.add(`{"match":{"op":"status"},"do":{"kind":"stale","by":"1m"}}`)
	made := w.post(fault.Book, booking(caller)).journey(t)
	ref := w.ref(caller, made.JourneyID)
	require.Equal(t, taxi.Waiting, w.post(fault.Status, ref).journey(t).Status)
	require.Equal(t, taxi.Cancelled, w.post(fault.Cancel, ref).journey(t).Status)
	require.Equal(t, taxi.Waiting, w.post(fault.Status, ref).journey(t).Status, "as it was")
	require.NoError(t, w.host.World().Clock().Advance(t.Context(), time.Minute))
	require.Equal(t, taxi.Cancelled, w.post(fault.Status, ref).journey(t).Status, "a minute is over")
}
