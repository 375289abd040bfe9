package town_test

import (
	"fmt"
	"slices"
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
				"Ring Road",
			} {
				require.True(t, seen[name], "seed %d, %d m: no %s", seed, size, name)
			}
		}
	}
}

// No two stems share a Soundex code, nor are they within two letters of each
// other. The names that every town has, and the towns' own, are not among them.
func TestStemsSoundDifferent(t *testing.T) {
	words := town.Stems()
	for _, known := range append(town.TownNames(), "High", "Station", "Bridge", "Mill", "Ring") {
		require.NotContains(t, words, known)
	}
	require.Greater(t, len(words), 5_000)
	bySound, byPart := map[string]string{}, map[string][]string{}
	for _, s := range words {
		sound := soundex(s)
		require.Empty(t, bySound[sound], "sounds like %s", s)
		bySound[sound] = s
		// Words within two letters of each other have a part in common that is
		// each without two letters or fewer.
		for _, part := range without(without([]string{strings.ToLower(s)})) {
			for _, other := range byPart[part] {
				require.Greater(t, town.Edits(strings.ToLower(s), strings.ToLower(other), 2), 2, "%s and %s", s, other)
			}
			byPart[part] = append(byPart[part], s)
		}
	}
}

// without adds to words what is left of each when a letter goes, each once.
func without(words []string) []string {
	all := slices.Clone(words)
	for _, w := range words {
		for i := range w {
			all = append(all, w[:i]+w[i+1:])
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// A street is known by its name though the type is forgotten or mistaken, and
// the town as large as they come.
func TestStreetsAreKnownByTheirStems(t *testing.T) {
	made := []*town.Town{town.Generate(town.Options{Seed: 2, Size: town.SmallTown}), eightKm(t)}
	if !testing.Short() {
		made = append(made, twentyKm(t))
	}
	for _, tn := range made {
		streets := map[string]string{}
		for _, s := range tn.Streets {
			stem := s.Name[:strings.LastIndexByte(s.Name, ' ')]
			require.Empty(t, streets[stem], "%d m: and %s", tn.Size, s.Name)
			streets[stem] = s.Name
		}
	}
}

// What a recogniser makes of a name is found: the type lost, a letter of the stem
// lost or two swapped.
func TestStreetsAreFoundFromHalfAName(t *testing.T) {
	tn := eightKm(t)
	for i := 0; i < len(tn.Streets); i += 7 {
		name := tn.Streets[i].Name
		stem := strings.ToLower(name[:strings.LastIndexByte(name, ' ')])
		if len(stem) < 5 || stem == "station" || stem == "no cars" {
			continue
		}
		middle := len(stem) / 2
		kind := name[len(stem):]
		for _, said := range []string{
			stem, stem + " boulevard", stem[:middle] + stem[middle+1:] + kind,
			stem[:middle-1] + stem[middle:middle+1] + stem[middle-1:middle] + stem[middle+1:] + kind,
		} {
			found, err := tn.Lookup("2 " + said)
			require.NoError(t, err, said)
			require.Contains(t, found.Text, "2 "+name+", ", "%q", said)
		}
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
