package crew_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/crew"
)

func TestCarKindsServeRequestedCategories(t *testing.T) {
	for asked, served := range map[string][]string{
		"":           {"saloon", "estate", "executive", "mpv", "minibus", "accessible"},
		"standard":   {"saloon", "estate", "executive", "mpv", "minibus", "accessible"},
		"Saloon":     {"saloon", "estate", "executive"},
		"estate":     {"estate", "mpv"},
		"executive":  {"executive"},
		"MPV":        {"mpv", "minibus"},
		"minibus":    {"minibus"},
		"accessible": {"accessible"},
		"WHEELCHAIR": {"accessible"},
	} {
		for _, has := range []string{"saloon", "estate", "executive", "mpv", "minibus", "accessible"} {
			require.Equal(t, slices.Contains(served, has), crew.KindOf(has)&crew.KindsFor(asked) != 0, "%s for %s", has, asked)
		}
	}
}

func TestMPVAndMinibusAreLarge(t *testing.T) {
	for category, large := range map[string]bool{"": false, "saloon": false, "estate": false, "executive": false, "accessible": false, "mpv": true, "Minibus": true} {
		require.Equal(t, large, crew.IsLarge(category), category)
	}
}
