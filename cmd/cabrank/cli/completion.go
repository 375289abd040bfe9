package cli

import "github.com/spf13/cobra"

// newCompletion returns the command that prints completion scripts. Cobra's own is a command for each shell.
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
