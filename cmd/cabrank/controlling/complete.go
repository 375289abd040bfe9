package controlling

import (
	"context"
	"net/http"

	"github.com/spf13/cobra"
)

// completion is what a shell may offer for a word.
type completion func(context.Context) []string

// live asks a server what there is, for a shell that completes a word: it gets an answer
// soon, or none.
func live[A any](ctx context.Context, f *serverFlags, path string, names func(A) []string) []string {
	return liveAt(ctx, f, f.world(), path, names)
}

func liveAt[A any](ctx context.Context, f *serverFlags, base, path string, names func(A) []string) []string {
	asked := *f
	asked.within = completeWithin
	var answer A
	if asked.callAt(ctx, base, http.MethodGet, path, nil, &answer) != nil {
		return nil
	}
	return names(answer)
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
