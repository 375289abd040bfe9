package memo_test

import (
	"bytes"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/memo"
)

// TestRepeatedTextIsCached checks that the value of a repeated text is made only twice, and that the same text of
// another kind has its own value.
func TestRepeatedTextIsCached(t *testing.T) {
	m, made := memo.New[string](), 0
	of := func(kind, text string) string {
		return m.Of(kind, []byte(text), func(bool) string {
			made++
			return kind + " " + text
		})
	}
	for range 10 {
		require.Equal(t, "a x", of("a", "x"))
	}
	require.Equal(t, 2, made)
	for range 10 {
		require.Equal(t, "b x", of("b", "x"), "the same text of another kind")
	}
	require.Equal(t, "a x", of("a", "x"))
}

// TestCacheOverflowReturnsCorrectValues has more texts come than are remembered: each gets its own.
func TestCacheOverflowReturnsCorrectValues(t *testing.T) {
	m := memo.New[int]()
	for range 3 {
		for i := range 2000 {
			require.Equal(t, i, m.Of("", strconv.AppendInt(nil, int64(i), 10), func(bool) int { return i }))
		}
	}
}

// TestLongTextsAreNotCached checks that the value of a long text is made each time.
func TestLongTextsAreNotCached(t *testing.T) {
	m, made := memo.New[int](), 0
	for range 3 {
		m.Of("", bytes.Repeat([]byte("x"), 4<<10), func(kept bool) int {
			require.False(t, kept)
			made++
			return made
		})
	}
	require.Equal(t, 3, made)
}
