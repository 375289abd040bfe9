package access

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestThrottleCountsFailuresByNetwork checks that failures are counted by IPv4 address and by IPv6 network of 64 bits, and
// separately for logins and requests.
func TestThrottleCountsFailuresByNetwork(t *testing.T) {
	now := time.Date(2026, 6, 1, 8, 0, 0, 0, time.UTC)
	wrong := func() bool { return false }
	for _, row := range []struct {
		one, other string
		same       bool
	}{
		{"2001:db8::1", "2001:db8::ffff:2", true},
		{"fe80::1%eth0", "fe80::2", true},
		{"2001:db8::1", "2001:db8:0:1::1", false},
		{"192.0.2.1", "192.0.2.2", false},
		{"::ffff:192.0.2.1", "::ffff:192.0.2.2", false},
	} {
		throttle := NewThrottle()
		for range failuresForUser {
			_, wait := throttle.Hear(row.one, "A", now, wrong)
			require.Zero(t, wait)
			_, wait = throttle.Try(row.one, "A", now)
			require.Zero(t, wait, "the one does not count as the other")
		}
		_, heard := throttle.Hear(row.other, "a", now, wrong)
		_, tried := throttle.Try(row.other, "a", now)
		require.Equal(t, row.same, heard > 0, row)
		require.Equal(t, row.same, tried > 0, row)
	}
}

// TestProvenClientSurvivesGuessingFlood checks that a client that has sent the right credentials is not throttled,
// even when a guesser at the same address tries more names than the throttle stores.
func TestProvenClientSurvivesGuessingFlood(t *testing.T) {
	now := time.Date(2026, 6, 1, 8, 0, 0, 0, time.UTC)
	throttle := NewThrottle()
	right, wrong := func() bool { return true }, func() bool { return false }
	match, _ := throttle.Hear("192.0.2.1", "A", now, right)
	require.True(t, match)
	for i := range 2 * rememberedClients {
		now = now.Add(time.Second / 300)
		_, _ = throttle.Try("192.0.2.1", strconv.Itoa(i), now)
		_, _ = throttle.Hear("192.0.2.1", strconv.Itoa(i), now, wrong)
	}
	for range 150 {
		_, _ = throttle.Hear("192.0.2.1", "A", now, wrong)
	}
	match, wait := throttle.Hear("192.0.2.1", "A", now, right)
	require.True(t, match)
	require.Zero(t, wait)
	require.Less(t, throttle.pairs.Len(), rememberedClients/2, "names that are refused are not remembered")
}
