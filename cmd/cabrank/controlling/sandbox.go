package controlling

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/vary"
)

func newSandbox(out cli.Outside) *cobra.Command {
	var flags serverFlags
	var sandbox sandboxFlags
	list := flags.one("[list]", "list the sandboxes of a server", nil,
		by(printSandboxes, func(c *calls, ctx context.Context, _ string) (list control.SandboxList, err error) {
			if err = sandbox.readLabels(); err != nil {
				return list, err
			}
			list.Sandboxes, err = c.SandboxesOf(ctx, sandbox.order.Owner, sandbox.order.Labels)
			return list, err
		}))
	list.Flags = namesOfSandbox
	cmd := cli.WithActions(&cobra.Command{
		Use:   "sandbox",
		Short: "Give each tester a world of their own on one server",
		Long: `Create separate worlds on a server of 'cabrank serve'. Each has its own address, bookings, clock, seed, faults and
journal. A sandbox without requests for an hour, or for --ttl, is removed. With --ends it is removed at that time even if
it is used.`,
		Example: `  cabrank sandbox add ann
  cabrank sandbox add ann --now 2026-06-01T08:00:00Z --seed 7   # its clock stands still
  cabrank sandbox add --town none --cars 5 --ttl 10m
  cabrank sandbox add ann --scenario no-cars   # plays it there
  cabrank sandbox add ann --label team=checkout --ends 8h
  cabrank sandbox list --label team=checkout
  cabrank book --sandbox ann
  cabrank clock advance --until ARRIVED --sandbox ann
  cabrank sandbox rm ann`,
	},
		list,
		cli.Action{
			Use: "add [NAME]", Does: "create a sandbox, and print the address for a platform", Flags: sandboxOnly,
			Run: func(cmd *cobra.Command, args []string) error {
				order, err := sandbox.asked(cmd, strings.Join(args, ""))
				if err != nil {
					return err
				}
				return flags.tell(cmd, func(c *calls, ctx context.Context) (answer, error) {
					return shownBy(printSandbox)(c.NewSandbox(ctx, order))
				})
			},
		},
		flags.one("rm NAME", "remove a sandbox with everything in it", flags.sandboxes, removing((*calls).DeleteSandbox)))
	flags.addServer(cmd, out)
	sandbox.add(cmd.Flags())
	completeBy(cmd, "scenario", flags.scenarios)
	return cmd
}

// sandboxFlags say what a new sandbox is like.
type sandboxFlags struct {
	order     control.SandboxOrder
	seed      uint64
	variation int
	now       string
	labels    []string
}

// sandboxOnly are the flags of a new sandbox.
var sandboxOnly = []string{"seed", "now", "cars", "town", "demand", "behaviour", "variation", "scenario", "empty", "ttl", "ends", "owner", "label"}

// namesOfSandbox are the flags that also select sandboxes.
var namesOfSandbox = []string{"owner", "label"}

func (f *sandboxFlags) add(fs *pflag.FlagSet) {
	fs.Uint64Var(&f.seed, "seed", 0, "seed of everything random (default as the main world)")
	fs.StringVar(&f.now, "now", "", "stop its clock at this time, such as 2026-06-01T08:00:00Z (default it runs like the main world's)")
	fs.IntVar(&f.order.Cars, "cars", 0, "number of cars, such as 5 (default as the main world)")
	fs.StringVar(&f.order.Town, "town", "", "its town: otterbridge, or none for straight lines (default as the main world)")
	fs.StringVar(&f.order.Demand, "demand", "", "how many journeys other people book: none, quiet, town or city (default as the main world)")
	fs.StringVar(&f.order.Behaviour, "behaviour", "", "how people behave: calm, typical or stormy (default as the main world)")
	fs.IntVar(&f.variation, "variation", 0, "how much responses vary within the limits of the interface: 0 not at all, 1 a little, 2 as much as possible (default as the main world)")
	fs.StringVar(&f.order.Scenario, "scenario", "", "start this scenario in it, such as no-cars; without --cars the scenario sets the number of cars")
	fs.BoolVar(&f.order.Empty, "empty", false, "start without users")
	fs.DurationVar((*time.Duration)(&f.order.TTL), "ttl", 0, "remove it after this time without requests (default 1h)")
	fs.StringVar(&f.order.Ends, "ends", "", "remove it at this time even if it is used: a time, or how far ahead it is, such as 8h or 3d (default never)")
	fs.StringVar(&f.order.Owner, "owner", "", "whose it is, such as ann (default the name of the token); with list: only sandboxes of this owner")
	fs.StringArrayVar(&f.labels, "label", nil, "a label, such as team=checkout; repeat the flag for more; with list: only sandboxes with these labels")
}

// readLabels reads the labels of the flags.
func (f *sandboxFlags) readLabels() error {
	for _, label := range f.labels {
		name, value, ok := strings.Cut(label, "=")
		if !ok {
			return cli.UsageError("--label is %q, want NAME=VALUE, such as team=checkout", label)
		}
		if f.order.Labels == nil {
			f.order.Labels = make(map[string]string)
		}
		f.order.Labels[name] = value
	}
	return nil
}

// asked is what the flags ask for.
func (f *sandboxFlags) asked(cmd *cobra.Command, name string) (control.SandboxOrder, error) {
	if err := f.readLabels(); err != nil {
		return f.order, err
	}
	order := f.order
	order.Name = name
	if cmd.Flags().Changed("seed") {
		order.Seed = &f.seed
	}
	if cmd.Flags().Changed("variation") {
		order.Variation = (*vary.Level)(&f.variation)
	}
	if f.now != "" {
		at, err := momentOf("--now", f.now)
		if err != nil {
			return order, err
		}
		order.Clock = &control.ClockOrder{Mode: control.Manual, Now: &at}
	}
	return order, nil
}

func printSandbox(w io.Writer, made control.Sandbox) error {
	_, err := fmt.Fprintln(w, cli.Printable(made.ThirdPartyURL))
	return err
}

func printSandboxes(w io.Writer, all control.SandboxList) error {
	return table(w, "sandboxes", all.Sandboxes, func(s control.Sandbox) string {
		clock := "run by another replica"
		switch {
		case s.Clock != nil:
			clock = s.Clock.Now.Format(time.RFC3339) + ", " + runs(*s.Clock)
		case s.Replica == "":
			clock = "continues when it is asked for"
		}
		return fmt.Sprintf("%s\t%s\tseed %d, %d cars\t%s\tuntil %s%s", cli.Printable(s.Name), cli.Printable(s.ThirdPartyURL),
			s.Seed, s.Cars, clock, s.Expires.Format(time.RFC3339), namesOf(s))
	})
}

// namesOf returns a column with the owner, the labels and the end of a sandbox; "" if it
// has none.
func namesOf(s control.Sandbox) string {
	var all []string
	if s.Owner != "" {
		all = append(all, "of "+cli.Printable(s.Owner))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Labels)) {
		all = append(all, name+"="+cli.Printable(s.Labels[name]))
	}
	if !s.Ends.IsZero() {
		all = append(all, "ends "+s.Ends.Format(time.RFC3339))
	}
	if len(all) == 0 {
		return ""
	}
	return "\t" + strings.Join(all, ", ")
}

// sandboxes returns the names of a server's sandboxes, for shell completion.
func (f *serverFlags) sandboxes(ctx context.Context) []string {
	return f.live(ctx, func(c *calls, ctx context.Context) ([]string, error) {
		return namedBy(func(s control.Sandbox) string { return s.Name })(c.Sandboxes(ctx))
	})
}

func newReset(out cli.Outside) *cobra.Command {
	var flags serverFlags
	var order control.ResetOrder
	var keep []string
	var seed uint64
	var now string
	cmd := flags.command(out, &cobra.Command{
		Use:   "reset",
		Short: "Reset a world",
		Long: `Reset a world of 'cabrank serve': remove its bookings, journal and faults. The same seed gives the same ids,
cars and routes again. --keep keeps some parts.`,
		Example: `  cabrank reset
  cabrank reset --to empty --keep faults
  cabrank reset --seed 7 --now 2026-06-01T08:00:00Z`,
		Args: cli.ExactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, k := range keep {
				order.Keep = append(order.Keep, control.Kept(k))
			}
			if cmd.Flags().Changed("seed") {
				order.Seed = &seed
			}
			if now != "" {
				at, err := momentOf("--now", now)
				if err != nil {
					return err
				}
				order.Now = &at
			}
			flags.within = advanceWithin
			return flags.tell(cmd, func(c *calls, ctx context.Context) (answer, error) {
				return shownBy(printOverview)(c.Reset(ctx, order))
			})
		},
	})
	fs := cmd.Flags()
	fs.StringVar(&order.To, "to", "fixtures", "users after the reset: fixtures (those of a new world), empty (none), or the name of a snapshot")
	fs.StringSliceVar(&keep, "keep", nil, "parts to keep: journal, faults")
	fs.Uint64Var(&seed, "seed", 0, "seed of everything random (default as before)")
	fs.StringVar(&now, "now", "", "time at which its clock starts, such as 2026-06-01T08:00:00Z (default as before)")
	completeBy(cmd, "to", func(ctx context.Context) []string { return append(flags.snapshots(ctx), "fixtures", "empty") })
	complete(cmd, "keep", []string{string(control.KeepJournal), string(control.KeepFaults)})
	return cmd
}

func printOverview(w io.Writer, o control.Overview) error {
	_, err := fmt.Fprintf(w, "%s  %s, seed %d, %d cars, %d journeys under way or booked ahead\n",
		o.Clock.Now.Format(time.RFC3339), cli.Printable(runs(o.Clock)), o.Config.Seed, o.Config.Cars, o.Live)
	return err
}
