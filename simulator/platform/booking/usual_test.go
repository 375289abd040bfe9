package booking_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/booking"
)

// TestRepeatedTripIsProposedAsUsual checks that a trip that a known caller has made twice is proposed "as usual", and how the answers to
// the proposal are understood.
func TestRepeatedTripIsProposedAsUsual(t *testing.T) {
	third := newParty(t, knowing())
	desk := deskOf(third.url)
	defer desk.Close()
	var s *booking.Session
	begin := func() string {
		var step booking.Step
		s, step = rings(t, desk, callerNumber)
		return strings.Join(step.Said, " ")
	}
	say := func(words string) string {
		return strings.Join(s.Hear(t.Context(), booking.Input{Words: words, Confidence: 0.9}).Said, " ")
	}
	for range 2 {
		require.NotContains(t, begin(), "as usual")
		say("from the station to the town hall now")
		say("yes")
	}
	require.Len(t, third.bodies("/book"), 2)
	const proposal = "From Otterbridge Station, to Town Hall, as usual?"
	require.Contains(t, begin(), proposal)
	require.Contains(t, say("yes please at eight tonight"), "Otterbridge Station to Town Hall, pickup today at eight p.m.")
	begin()
	require.Contains(t, say("yes"), "Otterbridge Station to Town Hall, now.")
	begin()
	require.Contains(t, say("no, to the airport"), "Airport")
	begin()
	require.Contains(t, say("no"), "as usual?", "the pickup may still be")
	begin()
	require.Contains(t, say("no thanks, goodbye"), "Goodbye")
	begin()
	require.NotContains(t, say("from my usual place"), "Town Hall")
	begin()
	require.Contains(t, say("as usual"), "Otterbridge Station to Town Hall, now.")
	require.Len(t, third.bodies("/book"), 2)
	say("yes")
	require.Len(t, third.bodies("/book"), 3)
}
