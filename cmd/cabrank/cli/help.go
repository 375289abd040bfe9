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

// newCompletion returns the command that prints completion scripts. It has an action for each shell, where cobra's own
// has a subcommand.
func newCompletion(out Outside, root *cobra.Command) *cobra.Command {
	var plain bool
	shell := func(name, does string, write func() error) Action {
		return Action{Use: name, Does: does, Run: func(*cobra.Command, []string) error { return write() }}
	}
	cmd := WithActions(&cobra.Command{
		Use:   "completion",
		Short: "Print the completion script of a shell",
		Long: `Print a script by which a shell completes commands, flags and their values. The packages of a release contain
these scripts.`,
		Example: `  source <(cabrank completion bash)
  cabrank completion zsh > "${fpath[1]}/_cabrank"
  cabrank completion fish > ~/.config/fish/completions/cabrank.fish
  cabrank completion powershell | Out-String | Invoke-Expression`,
	},
		shell("bash", "for bash, with the package bash-completion", func() error { return root.GenBashCompletionV2(out.Stdout, !plain) }),
		shell("zsh", "for zsh, after compinit", func() error {
			if plain {
				return root.GenZshCompletionNoDesc(out.Stdout)
			}
			return root.GenZshCompletion(out.Stdout)
		}),
		shell("fish", "for fish", func() error { return root.GenFishCompletion(out.Stdout, !plain) }),
		shell("powershell", "for PowerShell", func() error {
			if plain {
				return root.GenPowerShellCompletion(out.Stdout)
			}
			return root.GenPowerShellCompletionWithDesc(out.Stdout)
		}))
	cmd.Flags().BoolVar(&plain, "no-descriptions", false, "leave out the descriptions of commands and flags")
	return cmd
}

// ExactArgs is cobra.ExactArgs with an error that names the wanted arguments.
func ExactArgs(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != len(names) {
			return wantUse(cmd.UseLine(), args)
		}
		return nil
	}
}

// AtMostOne accepts one argument or none.
func AtMostOne(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return wantUse(cmd.UseLine(), args)
	}
	return nil
}

func wantUse(use string, args []string) error {
	plural := "s"
	if len(args) == 1 {
		plural = ""
	}
	return UsageError("want %q, got %d argument%s", use, len(args), plural)
}

// Offer sets the words with which a shell completes a flag.
func Offer(cmd *cobra.Command, flag string, words ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag does not exist: a mistake in the program
	}
}
