package controlling

import (
	"context"

	"github.com/spf13/cobra"
)

// completion returns the words that a shell offers to complete a word.
type completion func(context.Context) []string

// live asks a server for the words of a completion. It returns soon, if need be without
// words, since the shell waits.
func (f *serverFlags) live(ctx context.Context, call func(*calls, context.Context) ([]string, error)) (names []string) {
	asked := *f
	asked.within = completeWithin
	err := asked.do(ctx, func(c *calls, ctx context.Context) (err error) {
		names, err = call(c, ctx)
		return err
	})
	if err != nil {
		return nil
	}
	return names
}

// namedBy turns the items that a call lists into words for a shell.
func namedBy[T any](name func(T) string) func([]T, error) ([]string, error) {
	return func(all []T, err error) ([]string, error) {
		names := make([]string, len(all))
		for i, one := range all {
			names[i] = name(one)
		}
		return names, err
	}
}

// first completes the first argument with names, and further arguments with then, if
// given.
func first(names completion, then ...string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return then, cobra.ShellCompDirectiveNoFileComp
		}
		return names(cmd.Context()), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeBy completes the values of a flag with what a server has.
func completeBy(cmd *cobra.Command, flag string, names completion) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		return names(cmd.Context()), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // the flag does not exist: a mistake in the program
	}
}
