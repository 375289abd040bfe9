package callingside_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance/callingside"
)

// TestTheFrozenSetIsOfTheCatalogue reads requirements/1. It has all checks, as no release has
// shipped it yet: from then on it stays as it is, and later checks are in the latest
// requirements alone.
func TestTheFrozenSetIsOfTheCatalogue(t *testing.T) {
	t.Parallel()
	var ids, numbered []string
	for i, c := range callingside.Suite.Checks {
		ids = append(ids, c.ID)
		numbered = append(numbered, fmt.Sprintf("P-%02d", i+1))
	}
	require.Equal(t, numbered, ids)
	frozen, err := os.ReadFile("requirements/1.txt")
	require.NoError(t, err)
	require.Equal(t, ids, strings.Fields(string(frozen)))
}

// TestEveryCheckSaysAll looks for checks that leave a reader alone.
func TestEveryCheckSaysAll(t *testing.T) {
	t.Parallel()
	for _, c := range callingside.Suite.Checks {
		for _, text := range []string{c.Clause, c.Requirement, c.Why, c.Hint} {
			require.NotEmpty(t, text, c.ID)
		}
		require.NotEmpty(t, c.Operations, c.ID)
		require.NotEmpty(t, c.Tier, c.ID)
	}
}
