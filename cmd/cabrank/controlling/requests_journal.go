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
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/client"
)

// journalFlags are shared by the commands that show requests.
type journalFlags struct {
	serverFlags

	after  int
	colour bool // not a flag: whether output is coloured
}

// textWithin limits how long a text such as a report of all requests may take.
const textWithin = time.Minute

// inColour returns a function that finds out whether the output is coloured, and then calls run.
func (f *journalFlags) inColour(run func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) (err error) {
		if f.colour, err = cli.Coloured(cmd, f.out, f.out.Stdout); err != nil {
			return err
		}
		return run(cmd, args)
	}
}

// addAfter adds --after to a command.
func (f *journalFlags) addAfter(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.after, "after", 0, "only requests after the one with this id")
}

// lines prints requests, one per line.
func (f *journalFlags) lines(w io.Writer, list query.Listing) error {
	for _, d := range list.Requests {
		r := call{d}
		if _, err := fmt.Fprintln(w, r.line(f.colour)); err != nil {
			return err
		}
	}
	return nil
}

// orProblem makes a call about the journal. If the server refuses it with the status refusedWith, an expectation is not
// met: err is then nil, and p contains the details.
func orProblem[In, Out any](ctx context.Context, f *journalFlags, refusedWith int, call control.Call[In, Out], in In) (out Out, p *client.Problem, err error) {
	err = f.do(ctx, func(ctx context.Context, c *client.Client) (err error) {
		out, err = client.Do(ctx, c, call, in)
		if told, is := errors.AsType[*client.Problem](err); is && told.Status == refusedWith {
			p, err = told, nil
		}
		return err
	})
	return out, p, err
}

// printWhole prints a document of the journal as JSON.
func printWhole(out cli.Outside, v any) error {
	text, err := jsonv2.Marshal(v, asTold)
	if err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return cli.PrintJSON(out.Stdout, json.RawMessage(text))
}

// nearest lists the requests that are closest to an expectation, and how each differs from it.
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

// orNothing returns a value in one printable line, or "nothing" if it is empty.
func orNothing(value string) string {
	if value == "" {
		return "nothing"
	}
	return cli.Line(value)
}
