package controlling

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance/journal/live/query"
	"github.com/cabrank/cabrank/simulator/control/client"
)

// waitFlags say which requests to wait for, and how long.
type waitFlags struct {
	journalFlags

	match   string
	count   int
	timeout time.Duration
}

// Timeouts of --timeout in real time: the default and the maximum.
const (
	usualWait   = 10 * time.Second
	longestWait = 5 * time.Minute
)

func newRequestsWait(out cli.Outside) *cobra.Command {
	var f waitFlags
	cmd := &cobra.Command{
		Use:   "wait",
		Short: "Wait for requests, and print them",
		Long: `Wait until 'cabrank serve' has received a number of matching requests, including earlier ones, and print them. Flags select
the requests; --match compares anything that the journal stores, such as values in bodies. After the timeout,
the closest requests are printed, and how they differ.

Exit codes: 0 received, 1 not received in time, 2 wrong usage, 3 no response, or the server has no journal.`,
		Example: `  cabrank requests wait --op book --phone 442079460020
  cabrank requests wait --op status --count 3 --timeout 30s
  cabrank requests wait --op book --match '{"body": {"/name": "Ada"}}' --after 17`,
		Args: cli.ExactArgs(),
		RunE: f.inColour(func(cmd *cobra.Command, _ []string) error { return meant(cmd, f.wait(cmd, out)) }),
	}
	f.add(cmd, out)
	addFilters(cmd)
	f.addAfter(cmd)
	fs := cmd.Flags()
	fs.StringVar(&f.match, "match", "", `further conditions, as JSON, such as {"body": {"/name": "Ada"}, "without": ["/journeyId"]}`)
	fs.IntVar(&f.count, "count", 1, "number of requests to wait for, from 1")
	fs.DurationVar(&f.timeout, "timeout", usualWait, "give up after this duration, at most 5m")
	return cmd
}

func (f *waitFlags) wait(cmd *cobra.Command, out cli.Outside) error {
	switch {
	case f.count < 1:
		return cli.UsageError("--count is %d, want 1 or more", f.count)
	case f.timeout < 0 || f.timeout > longestWait:
		return cli.UsageError("--timeout is %s, want at most %s", f.timeout, longestWait)
	}
	match, err := matched(cmd, f.match)
	if err != nil {
		return err
	}
	f.within = f.timeout + callWithin
	list, p, err := orProblem(cmd.Context(), &f.journalFlags, http.StatusRequestTimeout, client.WaitForRequests, query.Waiting{
		Match: match, Count: &f.count, Timeout: f.timeout.String(), After: f.after, Brief: !f.asJSON,
	})
	switch {
	case err != nil:
		return err
	case p == nil && f.asJSON:
		return printWhole(out, list)
	case p == nil:
		return f.lines(out.Stdout, list)
	case f.asJSON:
		err = printWhole(out, p)
	default:
		_, err = fmt.Fprint(out.Stdout, f.nearest(p.Nearest, ""))
	}
	if err != nil {
		return err
	}
	return cli.Exit(cli.ExitFindings, errors.New(cli.Line(p.Detail)))
}
