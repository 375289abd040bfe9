package controlling

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/dispatchside"
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
	{"fault", "fault", "only calls to which this fault was made to happen, by its id; * any"},
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

// matched returns the filters as a match object of the journal, merged with the JSON object
// more; nil: every request matches.
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

// asTold are the JSON options for recorded requests: a body may contain a duplicate name.
var asTold = jsontext.AllowDuplicateNames(true)

// meant adds the nearest ids to the refusal of an unknown --rule.
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
