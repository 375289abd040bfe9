package controlling

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	journal "github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/simulator/control/client"
)

// journalFlags are those of commands that tell of calls.
type journalFlags struct {
	serverFlags

	after  int
	colour bool // none of them: whether output is coloured
}

// Bounds of an answer that is a text, such as a report of all calls.
const (
	textWithin = time.Minute
	mostAnswer = 64 << 20 // bytes
)

// addAfter adds --after to a command that asks about calls as they come.
func (f *journalFlags) addAfter(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.after, "after", 0, "only requests after the one with this id")
}

// lines tells calls, one a line.
func (f *journalFlags) lines(w io.Writer, list journal.Listing) error {
	for _, d := range list.Requests {
		r := call{d}
		if _, err := fmt.Fprintln(w, r.line(f.colour)); err != nil {
			return err
		}
	}
	return nil
}

// ask makes a call about the journal that is refused with a status where things are not as
// they should be: p says how they are then.
func (f *journalFlags) ask(ctx context.Context, path string, in, answer any, refusedWith int) (p *client.Problem, err error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(f.within, callWithin))
	defer cancel()
	c, err := f.client(f.world())
	if err != nil {
		return nil, err
	}
	err = c.Do(ctx, http.MethodPost, path, in, answer)
	if p, is := errors.AsType[*client.Problem](err); is && p.Status == refusedWith {
		return p, nil
	}
	return nil, f.told(err)
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
func (f *journalFlags) nearest(all []journal.NearMiss, indent string) string {
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

// text makes a call whose answer is a text.
func (f *journalFlags) text(ctx context.Context, path string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, textWithin)
	defer cancel()
	resp, err := f.send(ctx, f.world(), http.MethodGet, path, nil)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, mostAnswer+1))
	if err == nil && len(text) > mostAnswer {
		err = fmt.Errorf("the answer is longer than %d bytes", mostAnswer)
	}
	if err != nil {
		return nil, cli.Exit(cli.ExitUnreachable, fmt.Errorf("%s: %w", f.url, cli.OneLine(err)))
	}
	return text, nil
}
