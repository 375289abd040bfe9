package serving

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// TestADatabaseThatIsReferredTo is named by a variable, or by a file.
func TestADatabaseThatIsReferredTo(t *testing.T) {
	s := newShell(t)
	s.Env["MY_DATABASE"] = "first.db"
	s.Write("database.txt", "second.db\n")
	s.Write("empty.txt", "\n")
	for reference, file := range map[string]string{"env:MY_DATABASE": "first.db", "@database.txt": "second.db"} {
		_, stop := s.Serve("--town", "none", "--db", reference)
		require.Contains(t, stop(), file)
		require.FileExists(t, file)
	}
	for reference, says := range map[string]string{
		"env:NONE": "--db: secret: the environment has no NONE", "@none.txt": "--db: secret: ", "@empty.txt": "--db: @empty.txt is empty",
	} {
		require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--listen", "127.0.0.1:0", "--db", reference), says)
	}
	s.Env["MY_DATABASE"] = "postgres://ann:tulip77@127.0.0.1:1/taxis"
	said := s.Fails(cli.ExitUsage, "serve", "--listen", "127.0.0.1:0", "--control-token", givenToken, "--db", "env:MY_DATABASE")
	require.Contains(t, said, "no server answers")
	require.NotContains(t, said, "tulip77")
}

// TestTheDemoHasItsOwnDatabase: a shared one may be another replica's.
func TestTheDemoHasItsOwnDatabase(t *testing.T) {
	s := newShell(t)
	s.Env["MY_DATABASE"] = "postgres://ann:tulip77@127.0.0.1:1/taxis"
	for _, database := range []string{s.Env["MY_DATABASE"], "env:MY_DATABASE"} {
		said := s.Fails(cli.ExitUsage, "demo", "--headless", "--control-token", givenToken, "--db", database)
		require.Contains(t, said, "another replica may run it")
		require.NotContains(t, said, "tulip77")
	}
}
