package booking_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking"
)

// TestCallersHaveTheirOwnClock asks for a taxi in half an hour where callers name times by
// another clock than the wall's: what is read back is by theirs.
func TestCallersHaveTheirOwnClock(t *testing.T) {
	var books atomic.Int64
	desk := readingBack(t, &books, func(o *booking.Options) {
		o.Callers = func() time.Time { return callersNow.Add(90 * time.Minute) }
	})
	s := desk.Session(booking.Customer{Account: "a", Number: callerNumber, Channel: taxi.FeatureVoice})
	s.Begin(t.Context())
	step := s.Hear(t.Context(), booking.Input{Words: "from the station to the town hall in half an hour", Confidence: 0.9})
	require.Equal(t, booking.Confirm, step.State)
	require.Contains(t, strings.Join(step.Said, " "), "four thirty p.m.", "two thirty, 90 minutes and half an hour")
}
