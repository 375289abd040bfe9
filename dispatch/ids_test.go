package dispatch

import (
	"math/bits"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestIDsNeverCollide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		given := newIDs(rapid.Uint64().Draw(t, "seed"), rapid.SampledFrom([]IDForm{ShortIDs, NumberIDs, UUIDs}).Draw(t, "form"))
		start := rapid.OneOf(rapid.Uint64Range(0, 1<<31), rapid.Just[uint64](frontMost-2500)).Draw(t, "start")
		seen := make(map[string]bool)
		for n := start; n < start+5000; n++ {
			id := string(given.journey(n))
			require.False(t, seen[id], "n=%d", n)
			seen[id] = true
		}
	})
}

// TestIDsOfFarNumbersDiffer checks numbers that differ by a power of two, whose ids were once the same.
func TestIDsOfFarNumbersDiffer(t *testing.T) {
	given := newIDs(1, ShortIDs)
	seen := map[string]uint64{}
	for bit := 27; bit < 35; bit++ {
		for n := range uint64(64) {
			id := string(given.journey(1<<bit + n))
			other, taken := seen[id]
			require.False(t, taken, "%d and %d are %s", other, 1<<bit+n, id)
			seen[id] = 1<<bit + n
		}
	}
}

func TestIDsMatchTheirFormat(t *testing.T) {
	for form, want := range map[IDForm]string{
		ShortIDs:  `^[JU][0-9A-HJKMNP-TV-Z]{8}$`,
		NumberIDs: `^1\d{13}$`,
		UUIDs:     `^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`,
	} {
		given := newIDs(1, form)
		for n := range uint64(100) {
			require.Regexp(t, want, given.journey(n))
			require.Regexp(t, want, given.user(n))
		}
	}
}

func TestConsecutiveIDsShareAPrefix(t *testing.T) {
	given := newIDs(7, ShortIDs)
	fronts := map[string]bool{}
	for n := range uint64(4 << blockBits) {
		fronts[string(given.journey(n))[:1+halfBits/5]] = true
	}
	require.Len(t, fronts, 4)
}

// No bit of an id may depend on a single bit of the seed or of the kind. Otherwise an attacker could compute the seed
// from one id, and with it all others.
func TestIDsDoNotRevealTheSeed(t *testing.T) {
	value := func(id string) (v uint64) {
		for _, r := range id[1:] {
			v = v<<5 | uint64(strings.IndexRune("0123456789ABCDEFGHJKMNPQRSTVWXYZ", r))
		}
		return v
	}
	changed := func(of string, other func(seed uint64, bit int) string) {
		for bit := range 64 {
			flips, trials := 0, 0
			for seed := range uint64(60) {
				given := newIDs(seed*0x9e37_79b9_7f4a_7c15, ShortIDs)
				flips += bits.OnesCount64(value(string(given.journey(5000))) ^ value(other(seed*0x9e37_79b9_7f4a_7c15, bit)))
				trials += 2 * halfBits
			}
			require.InDelta(t, 0.5, float64(flips)/float64(trials), 0.06, "bit %d of the %s", bit, of)
		}
	}
	changed("seed", func(seed uint64, bit int) string {
		given := newIDs(seed^1<<bit, ShortIDs)
		return string(given.journey(5000))
	})
	changed("kind", func(seed uint64, _ int) string {
		given := newIDs(seed, ShortIDs)
		return string(given.user(5000))
	})
}
