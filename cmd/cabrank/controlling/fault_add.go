package controlling

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/host"
)

// addFlags describe a rule.
type addFlags struct {
	serverFlags

	rule     fault.Rule
	chance   float64
	from, to string
}

func newFaultAdd(out cli.Outside) *cobra.Command {
	var f addFlags
	cmd := &cobra.Command{
		Use:   "add FAULT [PARAMETER=VALUE …]",
		Short: "Add a fault; flags select the requests and how often",
		Long: `Add a fault of the catalogue. Flags select the requests, how often and how long. PARAMETER=VALUE sets a
parameter of the fault; 'cabrank fault catalogue FAULT' lists them. If several faults match a request, the
first one applies.`,
		Example: `  cabrank fault add commit-then-drop --op book --times 1
  cabrank fault add status status=503 retryAfter=30s --probability 0.2 --ttl 5m
  cabrank fault add delay for=8s --op status --phone 442079460020
  cabrank fault add close part=body reset=true --op book
  cabrank fault add member member=/eta/value value=-3`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.UsageError("want the name of a fault, as 'cabrank fault catalogue' lists them")
			}
			return nil
		},
		ValidArgsFunction: completeAdd,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.show(shownBy(printFaults)(f.run(cmd, args)))
		},
	}
	f.add(cmd, out)
	return cmd
}

func (f *addFlags) add(cmd *cobra.Command, out cli.Outside) {
	fs, m, w := cmd.Flags(), &f.rule.Match, &f.rule.Window
	f.serverFlags.add(cmd, out)
	fs.StringVar(&f.rule.ID, "id", "", "name of the fault, such as lost-booking (default f-1, f-2, …)")
	fs.StringVar((*string)(&m.Op), "op", "", "only requests of this operation: config, user, book, cancel or status")
	fs.StringVar((*string)(&m.Phone), "phone", "", "only requests with this phone number, such as 442079460020")
	fs.StringVar((*string)(&m.User), "user", "", "only requests with this userId")
	fs.StringVar((*string)(&m.Journey), "journey", "", "only requests with this journeyId")
	fs.IntVar(&m.Nth, "nth", 0, "only the nth of these requests, from 1")
	fs.Float64Var(&f.chance, "probability", 0, "only this share of them, above 0 and at most 1; the same ones in each run")
	fs.IntVar(&w.Skip, "skip", 0, "skip this number of requests first")
	fs.IntVar((*int)(&w.Times), "times", 0, "end after this number of requests, from 1 (default: no limit)")
	fs.StringVar(&f.from, "from", "", "begin at this time of the world, such as 2026-06-01T09:00:00Z")
	fs.StringVar(&f.to, "to", "", "end at this time of the world")
	fs.DurationVar((*time.Duration)(&w.TTL), "ttl", 0, "end after this duration of the world's clock (default 15m without --times and --to)")
	complete(cmd, "op", words(fault.Ops()))
}

// complete lets a shell complete the values of a flag.
func complete(cmd *cobra.Command, flag string, values []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return values, cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // the flag does not exist: a mistake in the program
	}
}

func (f *addFlags) run(cmd *cobra.Command, args []string) (added control.Faults, err error) {
	for _, at := range []struct {
		flag, text string
		to         *time.Time
	}{{"--from", f.from, &f.rule.Window.From}, {"--to", f.to, &f.rule.Window.To}} {
		if at.text == "" {
			continue
		}
		if *at.to, err = momentOf(at.flag, at.text); err != nil {
			return added, err
		}
	}
	if cmd.Flags().Changed("times") && f.rule.Window.Times == 0 {
		return added, cli.UsageError("--times is 0, want 1 or more; without --times there is no limit")
	}
	f.rule.Match.Probability = fault.Share(f.chance)
	if cmd.Flags().Changed("probability") && f.chance == 0 {
		return added, cli.UsageError("--probability is 0, want above 0 and at most 1")
	}
	rule, err := withParameters(f.rule, args[0], args[1:])
	if err != nil {
		return added, err
	}
	added.Faults = make([]fault.Listed, 1)
	err = f.do(cmd.Context(), func(c *calls, ctx context.Context) (err error) {
		added.Faults[0], err = c.AddFault(ctx, rule)
		return err
	})
	return added, err
}

// withParameters returns a rule as JSON, with its fault and parameters. The server
// validates the parameters.
func withParameters(r fault.Rule, kind string, parameters []string) (json.RawMessage, error) {
	do := map[string]any{"kind": kind}
	for _, p := range parameters {
		name, value, ok := strings.Cut(p, "=")
		if !ok || name == "" || name == "kind" {
			return nil, cli.UsageError("%q is not a parameter; want NAME=VALUE, as 'cabrank fault catalogue %s' lists them", p, kind)
		}
		do[name] = valueOf(kind, name, value)
	}
	text, err := json.Marshal(struct {
		ID     string         `json:"id,omitempty"`
		Match  fault.Match    `json:"match,omitzero"`
		Window fault.Window   `json:"window,omitzero"`
		Do     map[string]any `json:"do"`
	}{r.ID, r.Match, r.Window, do})
	return text, err
}

// valueOf converts a value to the type that the catalogue gives for the parameter.
func valueOf(kind, name, value string) any {
	for _, f := range fault.Catalogue() {
		for _, p := range f.Parameters {
			if f.Name != kind || p.Name != name {
				continue
			}
			if n, err := strconv.Atoi(value); err == nil && p.Type == "integer" {
				return n
			}
			if b, err := strconv.ParseBool(value); err == nil && p.Type == "boolean" {
				return b
			}
			if d, err := time.ParseDuration(value); err == nil && p.Type == "duration" {
				return host.Duration(d)
			}
		}
	}
	return value
}

// completeAdd completes the names of faults, and then their parameters.
func completeAdd(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return completeKinds(cmd, args, typed)
	}
	var names []string
	for _, f := range fault.Catalogue() {
		for _, p := range f.Parameters {
			if f.Name == args[0] {
				names = append(names, p.Name+"=\t"+p.Means)
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
