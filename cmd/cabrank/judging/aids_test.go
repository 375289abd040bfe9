package judging

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// TestIDsAreNotRunAsCommands passes ids that a server made up to a program that runs a shell.
func TestIDsAreNotRunAsCommands(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	f := aidFlags{advanceCmd: []string{"sh", "-c", "echo {journeyId} > " + filepath.Join(folder, "ran")}}
	var target dispatchside.Target
	require.NoError(t, f.apply(&target, cli.Outside{}))
	for _, id := range []taxi.JourneyID{"$(touch PWNED)", "a;b", "-x", "a b", "`id`", "a\nb", "", "ä"} {
		require.ErrorContains(t, target.Advance(t.Context(), id, taxi.Arrived), "is not handed to a program", string(id))
		require.NoFileExists(t, filepath.Join(folder, "ran"))
	}
	require.NoError(t, target.Advance(t.Context(), "J000-1_x:2.3", taxi.Arrived))
	require.Equal(t, "J000-1_x:2.3\n", clitest.Read(t, filepath.Join(folder, "ran")))
}
