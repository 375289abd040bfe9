package dispatchside

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWalkIsShortenedToTheFailingSteps checks that a walk of twenty steps is shortened to the two that the failure
// needs, in their order.
func TestWalkIsShortenedToTheFailingSteps(t *testing.T) {
	t.Parallel()
	one, other := walkStep{kind: 1, which: 3}, walkStep{kind: 2, what: 1}
	steps := make([]walkStep, 20)
	steps[3], steps[11] = one, other
	shortest := shorten(steps, func(all []walkStep) bool {
		at := slices.Index(all, one)
		return at >= 0 && slices.Contains(all[at:], other)
	})
	require.Equal(t, []walkStep{one, other}, shortest)
}

// TestEarlierProbesKeepReservedBookings checks that a probe that began later cannot use the bookings that an
// earlier one has reserved, even if it is faster.
func TestEarlierProbesKeepReservedBookings(t *testing.T) {
	t.Parallel()
	l, early, late := newBookingLimit(5), &probeRun{}, &probeRun{}
	l.reserve(early, 3)
	l.reserve(late, 4) // there are two
	taken := func(p *probeRun) (n int) {
		for l.take(p) == nil {
			n++
		}
		return n
	}
	require.Equal(t, 2, taken(late))
	require.Nil(t, l.take(early))
	l.end(early)
	require.Equal(t, 2, taken(late), "what the early one did not need")
	require.Zero(t, taken(early))
	require.NotNil(t, l.take(late))
}
