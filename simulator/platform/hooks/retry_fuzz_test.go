package hooks

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// FuzzRetryAfter checks that any Retry-After header gives a delay within the limits.
func FuzzRetryAfter(f *testing.F) {
	for _, header := range []string{"", "0", "-1", "120", "99999999999999999999", "Tue, 24 Nov 2026 10:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "soon"} {
		f.Add(header)
	}
	now := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, header string) {
		wait := retryAfter(header, now)
		require.GreaterOrEqual(t, wait, time.Duration(0))
		require.LessOrEqual(t, wait, longestRetryAfter)
	})
}
