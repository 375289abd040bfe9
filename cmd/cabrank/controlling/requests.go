package controlling

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	journal "github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/client"
	"github.com/cabrank/cabrank/simulator/fault"
)

// requestsFlags select requests of the journal, and how they are printed.
type requestsFlags struct {
	journalFlags

	limit  int
	follow bool
	as     string
}

func newRequests(out cli.Outside) *cobra.Command {
	var f requestsFlags
	cmd := &cobra.Command{
		Use:   "requests [ID]",
		Short: "Show the requests that a server received, with their verdicts",
		Long: `Show the requests that 'cabrank serve' received, its responses, and the findings of the checks of both suites. The
verdict is about the request. With an id, show the whole request and response, and how to fix the findings.

The list shows the last three digits of phone numbers. --json and an id show everything that was sent, except
credentials.

Exit codes: 0 success, 2 wrong usage, 3 no response, or the server has no journal.`,
		Example: `  cabrank requests --verdict fail
  cabrank requests --follow --op book
  cabrank requests 17
  cabrank requests 17 --as curl
  cabrank requests wait --op book --timeout 30s
  cabrank requests verify expect.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			for _, name := range append(filterFlags(), "since", "after", "limit", "follow") {
				if len(args) == 1 && cmd.Flags().Changed(name) {
					return meantCommand(cmd, args[0], cli.UsageError("--%s is for the list; leave out the id", name))
				}
			}
			return cli.AtMostOne(cmd, args)
		},
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return f.ids(cmd.Context()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: f.inColour(func(cmd *cobra.Command, args []string) error { return meant(cmd, f.run(cmd, out, args)) }),
	}
	f.add(cmd, out)
	addFilters(cmd)
	fs := cmd.Flags()
	fs.String("since", "", "only requests from this time on, such as 2026-11-22T10:00:00Z")
	fs.IntVar(&f.after, "after", 0, "only requests after the one with this id: the first --limit of them instead of the last")
	fs.IntVar(&f.limit, "limit", 50, "maximum number of requests, 1 to 1000")
	fs.BoolVarP(&f.follow, "follow", "f", false, "keep printing new requests until Ctrl-C")
	fs.StringVar(&f.as, "as", "", "with an id: print the request as curl (a command), har or http (as it was sent)")
	cli.Offer(cmd, "as", "curl", "har", "http")
	cmd.AddCommand(newRequestsWait(out), newRequestsVerify(out), newRequestsReport(out))
	return cmd
}

func (f *requestsFlags) run(cmd *cobra.Command, out cli.Outside, args []string) error {
	switch {
	case len(args) == 1:
		return meantCommand(cmd, args[0], f.one(cmd.Context(), out.Stdout, args[0]))
	case f.as != "":
		return cli.UsageError("--as needs the id of a request, such as 'cabrank requests 17 --as curl'")
	case f.limit < 1 || f.limit > 1000:
		return cli.UsageError("--limit is %d, want 1 to 1000", f.limit)
	case f.after < 0:
		return cli.UsageError("--after is %d, want the id of a call", f.after)
	}
	in, err := sent(cmd, client.ListRequests, append([]string{"since", "after"}, filterFlags()...))
	if err != nil {
		return err
	}
	q := in.(url.Values)
	if f.follow {
		return f.followed(cmd.Context(), out.Stdout, q)
	}
	q.Set("limit", strconv.Itoa(f.limit))
	if f.asJSON {
		return f.ask(cmd, client.ListRequests, nil, q)
	}
	q.Set("brief", "true")
	list, err := read(cmd.Context(), &f.serverFlags, client.ListRequests, q)
	if err != nil {
		return err
	}
	if err := f.lines(out.Stdout, list); err != nil {
		return err
	}
	text := closing(len(list.Requests), list.Kept, list.Gone, list.More)
	if len(list.Requests) == 0 {
		text += f.noRule(cmd)
	}
	_, err = fmt.Fprintln(out.Stdout, text)
	return err
}

// noRule returns a note that no fault has the id or the kind of --fault, or "" if one has. This is not an error: the
// fault may have been removed.
func (f *requestsFlags) noRule(cmd *cobra.Command) string {
	id, _ := cmd.Flags().GetString("fault")
	if id == "" || id == "*" || slices.ContainsFunc(fault.Catalogue(), func(f fault.Fault) bool { return f.Name == id }) {
		return ""
	}
	all, err := read(cmd.Context(), &f.serverFlags, control.ListFaults, nil)
	if err != nil || slices.ContainsFunc(all.Faults, func(l fault.Listed) bool { return l.ID == id }) {
		return ""
	}
	return fmt.Sprintf("; there is no fault %q now: 'cabrank fault list' prints the ids, 'cabrank fault catalogue' the kinds", id)
}

// meantCommand adds a similarly spelled command to a usage error about an id. It returns other errors unchanged.
func meantCommand(cmd *cobra.Command, id string, err error) error {
	refusal, is := errors.AsType[*cli.ExitError](err)
	if !is || refusal.Code != cli.ExitUsage {
		return err
	}
	const slip = 2 // wrong letters
	for _, below := range cmd.Commands() {
		if cli.Changes(id, below.Name()) <= slip {
			return cli.UsageError("%w; did you mean '%s'?", err, below.CommandPath())
		}
	}
	return err
}

// closing returns the last line of a list: how many requests were printed, and of how many.
func closing(told, kept, gone int, more bool) string {
	switch {
	case kept == 0:
		return "no request has arrived yet"
	case told == 0:
		return fmt.Sprintf("none of %d requests matches", kept)
	}
	text := fmt.Sprintf("%d of %d requests", told, kept)
	if gone > 0 {
		text += fmt.Sprintf("; %d earlier ones are no longer stored", gone)
	}
	if more {
		text += "; --limit shows more"
	}
	return text + "; 'cabrank requests ID' shows all details of one"
}

// ids returns the ids of the last requests, for shell completion.
func (f *requestsFlags) ids(ctx context.Context) (all []string) {
	asked := f.serverFlags
	asked.within = completeWithin
	list, err := read(ctx, &asked, client.ListRequests, url.Values{"brief": {""}, "limit": {"20"}})
	if err != nil {
		return nil
	}
	for _, d := range slices.Backward(list.Requests) {
		all = append(all, fmt.Sprintf("%d\t%s", d.ID, (&call{d}).what()))
	}
	return all
}

// one prints all details of one request.
func (f *requestsFlags) one(ctx context.Context, w io.Writer, id string) error {
	switch {
	case f.as != "" && f.asJSON:
		return cli.UsageError("--json and --as are two forms: take one")
	case f.as != "" && !slices.Contains([]string{"curl", "har", "http"}, f.as):
		return cli.UsageError("--as is %q, want curl, har or http", f.as)
	}
	q := url.Values{}
	if f.as != "" {
		q.Set("as", f.as)
	}
	text, err := f.text(ctx, client.ReadRequest, q, id)
	switch {
	case err != nil:
		return err
	case f.as == "http" && cli.IsTerminal(w): // the request may contain terminal control characters
		text = []byte(printableText(string(text)))
	case f.as == "":
		return f.print(text, shown(func(w io.Writer, d journal.Document) error {
			_, err := io.WriteString(w, (&call{d}).whole(f.colour))
			return err
		}))
	}
	_, err = w.Write(text)
	return err
}

// followed prints requests as they arrive, beginning with those after --after.
func (f *requestsFlags) followed(ctx context.Context, w io.Writer, q url.Values) error {
	if !f.asJSON {
		q.Set("brief", "true")
	}
	c, err := f.client()
	if err != nil {
		return err
	}
	stream, err := c.Open(ctx, client.FollowRequests, q)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return f.explainError(err)
	}
	defer stream.Close()
	err = client.ReadEvents(stream, func(_ uint64, name string, data []byte) error { return f.event(w, name, data) })
	switch {
	case ctx.Err() != nil:
		return nil
	case errors.Is(err, client.ErrEnded):
		return cli.Exit(cli.ExitUnreachable, fmt.Errorf("%s has ended: %w", f.url, cli.OneLine(err)))
	}
	return err
}

// event prints one event of the stream of requests.
func (f *requestsFlags) event(w io.Writer, event string, data []byte) error {
	switch event {
	case "gap":
		var gap struct {
			Missed int `json:"missed"`
		}
		if json.Unmarshal(data, &gap) == nil && !f.asJSON {
			_, err := fmt.Fprintf(w, "%d requests were skipped: they arrived too fast\n", gap.Missed)
			return err
		}
	case "request":
		if f.asJSON {
			_, err := fmt.Fprintln(w, string(data))
			return err
		}
		var r call
		if err := jsonv2.Unmarshal(data, &r.Document, asTold); err != nil {
			return f.stranger()
		}
		_, err := fmt.Fprintln(w, r.line(f.colour))
		return err
	}
	return nil
}
