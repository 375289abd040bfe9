package dispatchside

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAProbeThatBeginsHasItsBookings although one that began later is faster.
func TestAProbeThatBeginsHasItsBookings(t *testing.T) {
	t.Parallel()
	l, early, late := newBookingLimit(5), &probeRun{}, &probeRun{}
	l.keep(early, 3)
	l.keep(late, 4) // there are two
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
