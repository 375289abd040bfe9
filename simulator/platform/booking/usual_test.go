package booking_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking"
)

// TestUsualTrip proposes a trip that a known caller has made twice.
func TestUsualTrip(t *testing.T) {
	var books atomic.Int64
	desk := readingBack(t, &books)
	var s *booking.Session
	begin := func() string {
		s = desk.Session(booking.Customer{Account: "a", Number: callerNumber, Channel: taxi.FeatureVoice})
		return strings.Join(s.Begin(t.Context()).Said, " ")
	}
	say := func(words string) string {
		return strings.Join(s.Hear(t.Context(), booking.Input{Words: words, Confidence: 0.9}).Said, " ")
	}
	for range 2 {
		require.NotContains(t, begin(), "as usual")
		say("from the station to the town hall now")
		say("yes")
	}
	require.EqualValues(t, 2, books.Load())
	const proposal = "From The Station, to Town Hall, as usual?"
	require.Contains(t, begin(), proposal)
	require.Contains(t, say("yes please at eight tonight"), "The Station to Town Hall, pickup today at eight p.m.")
	begin()
	require.Contains(t, say("yes"), "The Station to Town Hall, now.")
	begin()
	require.Contains(t, say("no, to the airport"), "The Airport")
	begin()
	require.Contains(t, say("no"), "as usual?", "the pickup may still be")
	begin()
	require.Contains(t, say("no thanks, goodbye"), "Goodbye")
	begin()
	require.NotContains(t, say("from my usual place"), "Town Hall")
	begin()
	require.Contains(t, say("as usual"), "The Station to Town Hall, now.")
	require.EqualValues(t, 2, books.Load())
	say("yes")
	require.EqualValues(t, 3, books.Load())
}
