package controlling

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/dispatchside"
)

// matchFlags select requests of the journal.
type matchFlags struct {
	words map[string]*string // by the name of the query parameter
}

// filters are the flags that select requests, each with its query parameter.
var filters = []struct{ flag, parameter, usage string }{
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

func (f *matchFlags) addMatch(cmd *cobra.Command) {
	f.words = map[string]*string{}
	for _, filter := range filters {
		f.words[filter.parameter] = cmd.Flags().String(filter.flag, "", filter.usage)
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

// object returns the flags as a match object of the journal, merged with the JSON object
// more; nil: every request matches.
func (f *matchFlags) object(more string) (jsontext.Value, error) {
	members := map[string]json.RawMessage{}
	if more != "" {
		if err := json.Unmarshal([]byte(more), &members); err != nil {
			return nil, cli.UsageError("--match is not a JSON object: %w", err)
		}
	}
	for _, filter := range filters {
		value := *f.words[filter.parameter]
		if value == "" {
			continue
		}
		if _, twice := members[filter.parameter]; twice {
			return nil, cli.UsageError("--match and --%s both set %s", filter.flag, filter.parameter)
		}
		text, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("--%s: %w", filter.flag, err)
		}
		members[filter.parameter] = text
	}
	if len(members) == 0 {
		return nil, nil
	}
	text, err := json.Marshal(members)
	return text, err
}

// asTold are the JSON options for recorded requests: a body may contain a duplicate name.
var asTold = jsontext.AllowDuplicateNames(true)

// meant adds the nearest ids to the refusal of an unknown --rule.
func (f *matchFlags) meant(err error) error {
	refusal, is := errors.AsType[*cli.ExitError](err)
	id := strings.ToUpper(*f.words["rule"])
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
