package journals

import (
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

// TestTheListOfSandboxes expects each name once, as long as a sandbox of that name has files, and
// no new list from a sandbox that starts while the server stops.
func TestTheListOfSandboxes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "calls.jsonl.sandboxes")
	list := &sandboxList{path: path, of: func(name string) string { return path + "-" + name }, log: slog.New(slog.DiscardHandler)}
	text := func() string {
		return clitest.Read(t, path)
	}
	for _, name := range []string{"bob", "ann", "bob"} {
		require.NoError(t, list.add(name))
	}
	require.Equal(t, "bob\nann\n", text())
	require.NoError(t, list.drop("bob"))
	require.Equal(t, "bob\nann\n", text(), "another one is called so")
	require.NoError(t, list.drop("bob"))
	require.NoError(t, list.drop("nobody"))
	require.NoError(t, list.add("cat"))
	require.Equal(t, "ann\ncat\n", text())

	list.end()
	require.NoFileExists(t, path)
	require.NoError(t, list.add("late"))
	require.NoError(t, list.drop("late"))
	require.NoFileExists(t, path)
}
