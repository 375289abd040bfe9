package controlling

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance/journal/live/query"
	"github.com/cabrank/cabrank/simulator/control/client"
)

// journalFlags are those of commands that tell of calls.
type journalFlags struct {
	serverFlags

	after  int
	colour bool // none of them: whether output is coloured
}

// textWithin bounds how long an answer takes that is a text, such as a report of all calls.
const textWithin = time.Minute

// inColour runs what a command does, once it is known whether its output is coloured.
func (f *journalFlags) inColour(run func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) (err error) {
		if f.colour, err = cli.Coloured(cmd, f.out, f.out.Stdout); err != nil {
			return err
		}
		return run(cmd, args)
	}
}

// addAfter adds --after to a command that asks about calls as they come.
func (f *journalFlags) addAfter(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.after, "after", 0, "only requests after the one with this id")
}

// lines tells calls, one a line.
func (f *journalFlags) lines(w io.Writer, list query.Listing) error {
	for _, d := range list.Requests {
		r := call{d}
		if _, err := fmt.Fprintln(w, r.line(f.colour)); err != nil {
			return err
		}
	}
	return nil
}

// orProblem makes a call about the journal that is refused with a status where things are not as
// they should be: p says how they are then.
func (f *journalFlags) orProblem(ctx context.Context, refusedWith int, call func(*calls, context.Context) error) (p *client.Problem, err error) {
	err = f.do(ctx, func(c *calls, ctx context.Context) error {
		err := call(c, ctx)
		if told, is := errors.AsType[*client.Problem](err); is && told.Status == refusedWith {
			p = told
			return nil
		}
		return err
	})
	return p, err
}

// text makes a call whose answer is a text.
func (f *journalFlags) text(ctx context.Context, call func(*calls, context.Context) ([]byte, error)) (text []byte, err error) {
	f.within = textWithin
	err = f.do(ctx, func(c *calls, ctx context.Context) (err error) {
		text, err = call(c, ctx)
		return err
	})
	return text, err
}

// whole prints an answer as it was told.
func (f *journalFlags) whole(ctx context.Context, w io.Writer, read func(c *calls, ctx context.Context, into any) error) error {
	var text json.RawMessage
	if err := f.do(ctx, func(c *calls, ctx context.Context) error { return read(c, ctx, &text) }); err != nil {
		return err
	}
	return cli.PrintJSON(w, text)
}

// printWhole writes what the journal told as JSON.
func printWhole(out cli.Outside, v any) error {
	text, err := jsonv2.Marshal(v, asTold)
	if err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return cli.PrintJSON(out.Stdout, json.RawMessage(text))
}

// nearest tells the calls that came nearest, and how each differs.
func (f *journalFlags) nearest(all []query.NearMiss, indent string) string {
	var b strings.Builder
	for _, miss := range all {
		near := call{miss.Request}
		fmt.Fprintf(&b, "%snearest %s\n", indent, strings.TrimLeft(near.line(f.colour), " "))
		for _, d := range miss.Differences {
			fmt.Fprintf(&b, "%s        %s: wanted %s, got %s\n", indent, cli.Line(d.Term), orNothing(d.Expected), orNothing(d.Got))
		}
	}
	return b.String()
}

// orNothing is a value in words.
func orNothing(value string) string {
	if value == "" {
		return "nothing"
	}
	return cli.Line(value)
}
