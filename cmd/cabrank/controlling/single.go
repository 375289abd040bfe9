package controlling

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// oneCall is a call with the argument of a command, "" where there is none.
type oneCall func(c *calls, ctx context.Context, arg string) (answer, error)

// by returns a oneCall whose response is printed by print.
func by[T any](print func(io.Writer, T) error, call func(*calls, context.Context, string) (T, error)) oneCall {
	return func(c *calls, ctx context.Context, arg string) (answer, error) {
		return shownBy(print)(call(c, ctx, arg))
	}
}

// one is an action that makes one call and has no flags of its own.
func (f *serverFlags) one(use, does string, names completion, call oneCall) cli.Action {
	v := cli.Action{Use: use, Does: does, Run: func(cmd *cobra.Command, args []string) error {
		return f.tell(cmd, func(c *calls, ctx context.Context) (answer, error) { return call(c, ctx, strings.Join(args, "")) })
	}}
	if names != nil {
		v.Complete = first(names)
	}
	return v
}

// slow is an action whose call may take long: a large world is saved or restored.
func (f *serverFlags) slow(v cli.Action) cli.Action {
	run := v.Run
	v.Run = func(cmd *cobra.Command, args []string) error {
		f.within = advanceWithin
		return run(cmd, args)
	}
	return v
}

// table prints things in columns: line puts tabs between them.
func table[T any](w io.Writer, what string, all []T, line func(T) string) error {
	if len(all) == 0 {
		_, err := fmt.Fprintln(w, "no "+what)
		return err
	}
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, one := range all {
		fmt.Fprintln(columns, line(one))
	}
	return columns.Flush()
}
