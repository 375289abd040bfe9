package controlling

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/journal/live/query"
	"github.com/cabrank/cabrank/simulator/control/client"
)

// filter is a flag that selects requests, with its query parameter.
type filter struct{ flag, parameter, usage string }

var filters = []filter{
	{"op", "op", "only calls of this operation: config, user, book, cancel or status"},
	{"phone", "phone", "only calls about this telephone number, such as 442079460020"},
	{"user", "userId", "only calls about this user"},
	{"journey", "journeyId", "only calls about this journey"},
	{"verdict", "verdict", "only calls with this verdict on what was sent: ok, warn or fail"},
	{"answer-verdict", "answerVerdict", "only calls with this verdict on the answer: ok, warn or fail"},
	{"rule", "rule", "only calls of which this check found something, such as P-05"},
	{"status", "status", "only calls answered with this code, such as 503 or 5xx; 0: with nothing"},
	{"fault", "fault", "only calls to which this fault was made to happen, by its id or its kind, such as html-page; * any"},
}

// filterFlags returns the names of the filters.
func filterFlags() (all []string) {
	for _, f := range filters {
		all = append(all, f.flag)
	}
	return all
}

// addFilters adds the flags that select requests.
func addFilters(cmd *cobra.Command) {
	for _, f := range filters {
		cmd.Flags().String(f.flag, "", f.usage)
		sets(cmd.Flags(), map[string]string{f.flag: f.parameter})
	}
	cli.Offer(cmd, "op", "config", "user", "book", "cancel", "status")
	cli.Offer(cmd, "verdict", "ok", "warn", "fail")
	cli.Offer(cmd, "answer-verdict", "ok", "warn", "fail")
	cli.Offer(cmd, "rule", checks()...)
}

// checks lists the ids of the checks with their requirements, for shell completion.
func checks() (all []string) {
	for _, c := range slices.Concat(callingside.Suite.TrafficChecks(), dispatchside.Suite.Checks) {
		all = append(all, c.ID+"\t"+c.Requirement)
	}
	return all
}

// matched returns the match object for the filter flags, merged with the JSON object more; nil: every request matches.
func matched(cmd *cobra.Command, more string) (jsontext.Value, error) {
	in, err := sent(cmd, client.WaitForRequests, filterFlags())
	if err != nil {
		return nil, err
	}
	members := map[string]json.RawMessage{}
	if more != "" {
		if err := json.Unmarshal([]byte(more), &members); err != nil {
			return nil, cli.UsageError("--match is not a JSON object: %w", err)
		}
	}
	body := in.(object)
	for name, value := range members {
		if body[name] != nil {
			i := slices.IndexFunc(filters, func(f filter) bool { return f.parameter == name })
			return nil, cli.UsageError("--match and --%s both set %s", filters[i].flag, name)
		}
		body[name] = value
	}
	if len(body) == 0 {
		return nil, nil
	}
	return json.Marshal(body)
}

// asTold is the JSON option for recorded requests, since their bodies may contain duplicate names.
var asTold = jsontext.AllowDuplicateNames(true)

// meant adds the nearest ids to a usage error if --rule is an unknown check. It returns other errors unchanged.
func meant(cmd *cobra.Command, err error) error {
	refusal, is := errors.AsType[*cli.ExitError](err)
	rule, _ := cmd.Flags().GetString("rule")
	id := strings.ToUpper(rule)
	if !is || refusal.Code != cli.ExitUsage || id == "" {
		return err
	}
	var known []string
	for _, c := range checks() {
		name, _, _ := strings.Cut(c, "\t")
		known = append(known, name)
	}
	if slices.Contains(known, id) {
		return err
	}
	const slip = 2 // wrong letters
	near := slices.DeleteFunc(cli.Nearest(id, known), func(name string) bool { return cli.Changes(id, name) > slip })
	if len(near) == 0 {
		return cli.UsageError("%w; 'cabrank explain' lists them", err)
	}
	return cli.UsageError("%w; did you mean %s? 'cabrank explain' lists them", err, strings.Join(near, ", "))
}

// waitFlags are the flags that say which requests to wait for, and how long.
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
