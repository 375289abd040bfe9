package controlling

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/host"
)

func newFaultAdd(out cli.Outside) *cobra.Command {
	var f serverFlags
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
			return f.addFault(cmd, args)
		},
	}
	f.add(cmd, out)
	fs := cmd.Flags()
	fs.String("id", "", "name of the fault, such as lost-booking (default f-1, f-2, …)")
	fs.String("op", "", "only requests of this operation: config, user, book, cancel or status")
	fs.String("phone", "", "only requests with this phone number, such as 442079460020")
	fs.String("user", "", "only requests with this userId")
	fs.String("journey", "", "only requests with this journeyId")
	fs.Int("nth", 0, "only the nth of these requests, from 1")
	fs.Float64("probability", 0, "only this share of them, above 0 and at most 1; the same ones in each run")
	fs.Int("skip", 0, "skip this number of requests first")
	fs.Int("times", 0, "end after this number of requests, from 1 (default: no limit)")
	fs.Var(new(moment), "from", "begin at this time of the world, such as 2026-06-01T09:00:00Z")
	fs.Var(new(moment), "to", "end at this time of the world")
	fs.Duration("ttl", 0, "end after this duration of the world's clock (default 15m without --times and --to)")
	for _, name := range faultFlags[1:7] {
		sets(fs, map[string]string{name: "match." + name})
	}
	for _, name := range faultFlags[7:] {
		sets(fs, map[string]string{name: "window." + name})
	}
	cli.Offer(cmd, "op", words(fault.Ops())...)
	return cmd
}

// faultFlags are the flags of 'cabrank fault add': the id of the fault, those that select requests, and those that
// limit how often and how long.
var faultFlags = []string{"id", "op", "phone", "user", "journey", "nth", "probability", "skip", "times", "from", "to", "ttl"}

// addFault asks the server to add a fault, and prints it. The server validates the parameters.
func (f *serverFlags) addFault(cmd *cobra.Command, args []string) error {
	for flag, want := range map[string]string{"times": "1 or more; without --times there is no limit", "probability": "above 0 and at most 1"} {
		if given := cmd.Flags().Lookup(flag); given.Changed && given.Value.String() == "0" {
			return cli.UsageError("--%s is 0, want %s", flag, want)
		}
	}
	rule, err := sent(cmd, control.AddFault, faultFlags)
	if err != nil {
		return err
	}
	do := object{"kind": args[0]}
	for _, p := range args[1:] {
		name, value, ok := strings.Cut(p, "=")
		if !ok || name == "" || name == "kind" {
			return cli.UsageError("%q is not a parameter; want NAME=VALUE, as 'cabrank fault catalogue %s' lists them", p, args[0])
		}
		do[name] = parameterOf(args[0], name, value)
	}
	rule.(object)["do"] = do
	text, err := f.text(cmd.Context(), control.AddFault, rule)
	if err != nil {
		return err
	}
	return f.print(slices.Concat([]byte(`{"faults":[`), text, []byte("]}")), shown(printFaults))
}

// parameterOf converts a value to the type that the catalogue gives for the parameter; a value that does not fit stays
// a string.
func parameterOf(kind, name, value string) any {
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
