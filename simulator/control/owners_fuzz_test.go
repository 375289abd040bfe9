package control

import (
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// FuzzNames reads ends and labels: what is accepted is as it is promised to others.
func FuzzNames(f *testing.F) {
	for _, seed := range []struct{ ends, name, value string }{
		{"8h", "team", "checkout"},
		{"30d", "_a1", ""},
		{"99999999999999999999d", "1a", "ä"},
		{"-0d", "", "\xff"},
		{"2026-06-01T10:00:00+02:00", "a-b", "\x00"},
		{"2562047h47m16.854775807s", "__name__", "b\nc"},
		{"0001-01-01T00:00:00Z", "a", "a"},
		{"9999-12-31T23:59:59Z", "a", "a"},
		{"d", "a", "a"},
	} {
		f.Add(seed.ends, seed.name, seed.value)
	}
	now := time.Date(2026, time.June, 1, 8, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, ends, name, value string) {
		if at, err := ahead(ends, now, longestEnd); err == nil {
			require.True(t, at.After(now) && !at.After(now.Add(longestEnd)), "%q is %v", ends, at)
		}
		if checkLabels(map[string]string{name: value}) == nil {
			require.Regexp(t, `^label_[a-zA-Z0-9_]{1,40}$`, "label_"+name) // as Prometheus takes it
			require.True(t, utf8.ValidString(value), "%q", value)
		}
	})
}
