package cli

import "github.com/spf13/cobra"

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
