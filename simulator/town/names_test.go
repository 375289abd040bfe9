package town_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/town"
)

func TestStreetNamesAreUniqueAndKnownOnesThere(t *testing.T) {
	for seed := range uint64(3) {
		for _, size := range []int{2_000, town.SmallTown} {
			tn := town.Generate(town.Options{Seed: seed, Size: size})
			seen := map[string]bool{}
			for _, s := range tn.Streets {
				require.NotEmpty(t, s.Name)
				require.False(t, seen[s.Name], "two streets are called %s", s.Name)
				seen[s.Name] = true
			}
			for _, name := range []string{
				town.HighStreet, town.StationRoad, town.BridgeStreet, town.MillLane,
				town.NoCarsLane, town.SlowStreet, town.CancelClose, "Ring Road",
			} {
				require.True(t, seen[name], "seed %d, %d m: no %s", seed, size, name)
			}
		}
	}
}

func TestStemsSoundDifferent(t *testing.T) {
	bySound := map[string]string{}
	stems := town.Stems()
	require.Greater(t, len(stems), 300)
	for i, s := range stems {
		for _, other := range stems[:i] {
			require.Greater(t, town.Edits(s, other, 2), 2, "%s and %s", s, other)
		}
		sound := soundex(s)
		require.Empty(t, bySound[sound], "sounds like %s", s)
		bySound[sound] = s
	}
}

// soundex is the code of a name by the sound of its consonants, uncut.
func soundex(name string) string {
	const groups = "bfpv cgjkqsxz dt l mn r"
	name = strings.ToLower(name)
	code := func(c byte) int {
		if before, _, ok := strings.Cut(groups, string(c)); ok {
			return strings.Count(before, " ") + 1
		}
		return 0
	}
	out, last := name[:1], code(name[0])
	for i := 1; i < len(name); i++ {
		g := code(name[i])
		if g > 0 && g != last {
			out += fmt.Sprint(g)
		}
		if name[i] != 'h' && name[i] != 'w' {
			last = g
		}
	}
	return out
}
