package main

import (
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// TestAMistypedCommandIsWrongUse expects exit code 2 for a subcommand that does not exist, so
// that scripts stop.
func TestAMistypedCommandIsWrongUse(t *testing.T) {
	s := newShell(t)
	require.Contains(t, s.Fails(cli.ExitUsage, "sandbox", "ad", "bob"), "did you mean add?")
	require.Contains(t, s.Fails(cli.ExitUsage, "fault", "inject", "x"), `there is no command "inject"`)
	require.Contains(t, s.OK("platform", "account"), "Actions:")
	var each func(cmd *cobra.Command)
	each = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			each(sub)
		}
		if cmd.HasSubCommands() && cmd.Name() != "help" {
			args := append(pathTo(cmd), "no-such-command", "other", "words")
			s.Fails(cli.ExitUsage, args...)
		}
	}
	each(cli.Root(cli.Outside{}, groups))
}

// pathTo are the names that lead to a command.
func pathTo(cmd *cobra.Command) []string {
	if !cmd.HasParent() {
		return nil
	}
	return append(pathTo(cmd.Parent()), cmd.Name())
}
