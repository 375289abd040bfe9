package platformapi_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/platformapi"
)

// TestTheFrozenSetIsOfTheCatalogue reads requirements/1: each id is a check's, and, as
// long as nothing is added, each check is in it.
func TestTheFrozenSetIsOfTheCatalogue(t *testing.T) {
	t.Parallel()
	frozen, err := os.ReadFile("requirements/1.txt")
	require.NoError(t, err)
	var ids []string
	for _, c := range platformapi.Suite.Checks {
		ids = append(ids, c.ID)
	}
	require.Equal(t, ids, strings.Fields(string(frozen)))
}

// TestEveryCheckSaysAll looks for checks that leave a reader alone.
func TestEveryCheckSaysAll(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, c := range platformapi.Suite.Checks {
		require.NotEmpty(t, c.Clause, c.ID)
		require.NotEmpty(t, c.Requirement, c.ID)
		require.NotEmpty(t, c.Why, c.ID)
		require.NotEmpty(t, c.Hint, c.ID)
		require.NotEmpty(t, c.Operations, c.ID)
		require.False(t, seen[c.ID], c.ID)
		require.False(t, c.Level == conformance.Must && strings.Contains(c.Requirement, "not shown"), c.ID)
		seen[c.ID] = true
	}
	require.Greater(t, len(seen), 90)
}
