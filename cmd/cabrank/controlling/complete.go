package controlling

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/client"
)

// completion returns the words that a shell offers to complete a word.
type completion func(context.Context) []string

// names returns a completion with the items that a server lists in the response to call. list is the member of the
// response that contains the items, and members are those of an item to show, its name first. There are no words if the
// server does not answer soon, since the shell waits.
func (f *serverFlags) names(call client.Route, list string, members ...string) completion {
	return func(ctx context.Context) (names []string) {
		asked := *f
		asked.within = completeWithin
		query := url.Values{}
		if call.Path() == control.ListVehicles.Path() {
			query.Set("limit", "500")
		}
		text, err := asked.text(ctx, call, query)
		var response map[string]json.RawMessage
		var items []map[string]any
		if err != nil || client.Decode(text, &response) != nil || client.Decode(response[list], &items) != nil {
			return nil
		}
		for _, item := range items {
			var words []string
			for _, path := range members {
				words = append(words, memberOf(item, path))
			}
			names = append(names, strings.Join(words, "\t"))
		}
		return names
	}
}

// memberOf returns a member of an object, or of one inside it, such as clock.now.
func memberOf(item map[string]any, path string) string {
	name, below, is := strings.Cut(path, ".")
	if inner, ok := item[name].(map[string]any); is && ok {
		return memberOf(inner, below)
	}
	return fmt.Sprint(item[name])
}

// journeys returns "latest" and the ids of a world's journeys, for shell completion.
func (f *serverFlags) journeys(ctx context.Context) []string {
	return append([]string{"latest\tthe one booked last"}, f.names(control.ListJourneys, "journeys", "journeyId", "status")(ctx)...)
}

// first returns a function that completes the first argument with names, and further arguments with then.
func first(names completion, then ...string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return then, cobra.ShellCompDirectiveNoFileComp
		}
		return names(cmd.Context()), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeBy completes the values of a flag with names.
func completeBy(cmd *cobra.Command, flag string, names completion) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		return names(cmd.Context()), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // the flag does not exist: a mistake in the program
	}
}
