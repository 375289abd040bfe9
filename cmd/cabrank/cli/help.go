package cli

import (
	"slices"

	"github.com/spf13/cobra"
)

// newHelp returns the command that prints another command's help. Unlike cobra's own, it
// fails for an unknown command.
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", GroupID: groupAbout,
		Short: "Help about any command",
		Example: `  cabrank help
  cabrank help check platform`,
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil {
				return UsageError("%w", err)
			}
			if len(rest) > 0 && !slices.Contains(Actions(cmd), rest[0]) {
				return noCommand(cmd, rest[0])
			}
			cmd.InitDefaultHelpFlag() // cobra adds --help only when a command runs
			return cmd.Help()
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var names []cobra.Completion
			if cmd, _, err := root.Find(args); err == nil {
				names = Actions(cmd)
				for _, sub := range cmd.Commands() {
					names = append(names, sub.Name())
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}
