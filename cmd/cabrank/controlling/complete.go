package controlling

import (
	"context"

	"github.com/spf13/cobra"
)

// completion is what a shell may offer for a word.
type completion func(context.Context) []string

// live asks a server what there is, for a shell that completes a word: it gets an answer
// soon, or none.
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

// namedBy makes the words that a shell offers of what a call lists.
func namedBy[T any](name func(T) string) func([]T, error) ([]string, error) {
	return func(all []T, err error) ([]string, error) {
		names := make([]string, len(all))
		for i, one := range all {
			names[i] = name(one)
		}
		return names, err
	}
}

// first completes the first argument, and second, where there is one, those after it.
func first(names completion, then ...string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return then, cobra.ShellCompDirectiveNoFileComp
		}
		return names(cmd.Context()), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeBy lets a shell complete the values of a flag by what a server has.
func completeBy(cmd *cobra.Command, flag string, names completion) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		return names(cmd.Context()), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // there is no such flag: a mistake in the program
	}
}
