package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// TestEveryCommandHasAnExample reads the help of each command.
func TestEveryCommandHasAnExample(t *testing.T) {
	cli.Walk(cli.Root(cli.Outside{}, groups), func(cmd *cobra.Command) {
		require.NotEmpty(t, cmd.Short, cmd.CommandPath())
		if cmd.HasSubCommands() && cmd.HasParent() && !cmd.HasAvailableLocalFlags() {
			return // it only holds others
		}
		require.Contains(t, cmd.Example, cmd.CommandPath(), "an example of %s", cmd.CommandPath())
		require.True(t, cmd.GroupID != "" || cmd.Parent() != cmd.Root(), "%s is in no group of the help", cmd.CommandPath())
	})
}

// untested are flags of the voice platform that no test gives yet; the list may only
// get shorter.
var untested = []string{"allow-private-hooks", "fast-retries", "insecure", "recordings"}

// TestEveryFlagIsTested looks for each flag in the command lines of the tests. A
// flag of a group that several commands share is one flag.
func TestEveryFlagIsTested(t *testing.T) {
	tests := testTexts(t)
	cli.Walk(cli.Root(cli.Outside{}, groups), func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && !slices.Contains(untested, f.Name) && !strings.Contains(tests, `"--`+f.Name+`"`) {
				t.Errorf("no test has --%s of %q", f.Name, cmd.CommandPath())
			}
		})
	})
}

// testTexts are the test files below this folder, without this one.
func testTexts(t *testing.T) string {
	var texts strings.Builder
	t.Helper()
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") && !strings.HasPrefix(path, "clitest") || path == "commands_test.go" || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		texts.Write(text)
		return err
	})
	require.NoError(t, err)
	return texts.String()
}
