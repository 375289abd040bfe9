package controlling

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// single is a command that makes one call and has no flags of its own.
type single struct {
	use, short, long, example string

	names  func(*serverFlags, context.Context) []string // completes its argument; nil: it has none
	within time.Duration                                // for the call; 0: callWithin
	server bool                                         // it is about a whole server, not about a world
	call   oneCall
}

// oneCall is a call with the argument of a command, "" where there is none.
type oneCall func(c *calls, ctx context.Context, arg string) (answer, error)

// by has the answer of a call told by print.
func by[T any](print func(io.Writer, T) error, call func(*calls, context.Context, string) (T, error)) oneCall {
	return func(c *calls, ctx context.Context, arg string) (answer, error) {
		return shownBy(print)(call(c, ctx, arg))
	}
}

// addSingle adds commands to the one that they belong to.
func addSingle(to *cobra.Command, out cli.Outside, all ...single) {
	for _, s := range all {
		to.AddCommand(s.command(out))
	}
}

func (s single) command(out cli.Outside) *cobra.Command {
	flags := serverFlags{within: s.within}
	cmd := &cobra.Command{
		Use: s.use, Short: s.short, Long: s.long, Example: s.example, Args: cli.ExactArgs(strings.Fields(s.use)[1:]...),
		RunE: func(cmd *cobra.Command, args []string) error {
			return flags.tell(cmd, func(c *calls, ctx context.Context) (answer, error) { return s.call(c, ctx, strings.Join(args, "")) })
		},
	}
	if s.names != nil {
		cmd.ValidArgsFunction = first(func(ctx context.Context) []string { return s.names(&flags, ctx) })
	}
	if s.server {
		flags.addServer(cmd, out)
	} else {
		flags.add(cmd, out)
	}
	return cmd
}
