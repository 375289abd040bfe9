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
)

func newSnapshot(out cli.Outside) *cobra.Command {
	var f serverFlags
	names := f.names(control.ListSnapshots, "snapshots", "name", "clock.now")
	return f.command(out, f.verbs(&cobra.Command{
		Use:   "snapshot",
		Short: "Save the state of a world, and restore it",
		Long: `Save the state of a world of 'cabrank serve' under a name, and restore it as often as you like. The journal and the
faults are not affected. Snapshots are lost when the server or their sandbox ends.`,
		Example: `  cabrank snapshot save before-retry
  cabrank snapshot restore before-retry
  cabrank ctl GET /snapshots/before-retry/download > taxis.db
  cabrank snapshot rm before-retry`,
	},
		verb{use: "[list]", does: "list the snapshots of a world", call: control.ListSnapshots, show: shown(printSnapshots)},
		verb{
			use: "save NAME", does: "save the state, replacing a snapshot of that name", call: control.TakeSnapshot, show: shown(printSnapshot), names: names, slow: true,
		},
		verb{use: "restore NAME", does: "restore a snapshot", call: control.RestoreSnapshot, show: shown(printOverview), names: names, slow: true},
		verb{use: "rm NAME", does: "remove a snapshot", call: control.DropSnapshot, names: names}))
}

func printSnapshot(w io.Writer, s control.Snapshot) error {
	return printSnapshots(w, control.Snapshots{Snapshots: []control.Snapshot{s}})
}

// printSnapshots prints snapshots, one per line.
func printSnapshots(w io.Writer, all control.Snapshots) error {
	return table(w, "snapshots", all.Snapshots, func(s control.Snapshot) string {
		return fmt.Sprintf("%s\t%s\tseed %d, %d journeys under way or booked ahead", cli.Printable(s.Name), s.Clock.Now.Format(time.RFC3339), s.Seed, s.Live)
	})
}

func newSandbox(out cli.Outside) *cobra.Command {
	var f serverFlags
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
		f.action(verb{use: "[list]", does: "list the sandboxes of a server", call: control.ListSandboxes, show: shown(printSandboxes), flags: []string{"owner", "label"}}),
		cli.Action{
			Use: "add [NAME]", Does: "create a sandbox, and print the address for a platform", Flags: sandboxFlags,
			Run: func(cmd *cobra.Command, args []string) error {
				order, err := sandboxOrder(cmd, args)
				if err != nil {
					return err
				}
				return f.ask(cmd, control.MakeSandbox, shown(printSandbox), order)
			},
		},
		f.action(verb{
			use: "rm NAME", does: "remove a sandbox with everything in it", call: control.EndSandbox, names: f.names(control.ListSandboxes, "sandboxes", "name"),
		}))
	f.addServer(cmd, out)
	addSandbox(cmd.Flags())
	completeBy(cmd, "scenario", f.names(control.ListScenarios, "scenarios", "name", "title"))
	return cmd
}

// sandboxFlags are the flags of a new sandbox.
var sandboxFlags = []string{"seed", "now", "cars", "town", "demand", "behaviour", "variation", "scenario", "empty", "ttl", "ends", "owner", "label"}

func addSandbox(fs *pflag.FlagSet) {
	fs.Uint64("seed", 0, "seed of everything random (default as the main world)")
	fs.Var(new(moment), "now", "stop its clock at this time, such as 2026-06-01T08:00:00Z (default it runs like the main world's)")
	fs.Int("cars", 0, "number of cars, such as 5 (default as the main world)")
	fs.String("town", "", "its town: otterbridge, or none for straight lines (default as the main world)")
	fs.String("demand", "", "how many journeys other people book: none, quiet, town or city (default as the main world)")
	fs.String("behaviour", "", "how people behave: calm, typical or stormy (default as the main world)")
	fs.Int("variation", 0, "how much responses vary within the limits of the interface: 0 not at all, 1 a little, 2 as much as possible (default as the main world)")
	fs.String("scenario", "", "start this scenario in it, such as no-cars; without --cars the scenario sets the number of cars")
	fs.Bool("empty", false, "start without users")
	fs.Duration("ttl", 0, "remove it after this time without requests (default 1h)")
	fs.String("ends", "", "remove it at this time even if it is used: a time, or how far ahead it is, such as 8h or 3d (default never)")
	fs.String("owner", "", "whose it is, such as ann (default the name of the token); with list: only sandboxes of this owner")
	fs.StringArray("label", nil, "a label, such as team=checkout; repeat the flag for more; with list: only sandboxes with these labels")
	sets(fs, map[string]string{"now": "clock.now"})
}

// sandboxOrder returns the request body for a new sandbox with the settings of the flags and the name in args.
func sandboxOrder(cmd *cobra.Command, args []string) (any, error) {
	order, err := sent(cmd, control.MakeSandbox, sandboxFlags)
	body := order.(object)
	delete(body, "label")
	labels, _ := cmd.Flags().GetStringArray("label")
	for _, label := range labels {
		name, value, ok := strings.Cut(label, "=")
		if !ok {
			return nil, cli.UsageError("--label is %q, want NAME=VALUE, such as team=checkout", label)
		}
		if !setMember(body, "labels."+name, value) {
			return nil, cli.UsageError("--label sets %s twice", name)
		}
	}
	if len(args) > 0 {
		body["name"] = args[0]
	}
	return body, err
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

func newReset(out cli.Outside) *cobra.Command {
	var f serverFlags
	cmd := f.command(out, &cobra.Command{
		Use:   "reset",
		Short: "Reset a world",
		Long: `Reset a world of 'cabrank serve': remove its bookings, journal and faults. The same seed gives the same ids,
cars and routes again. --keep keeps some parts.`,
		Example: `  cabrank reset
  cabrank reset --to empty --keep faults
  cabrank reset --seed 7 --now 2026-06-01T08:00:00Z`,
		Args: cli.ExactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			order, err := sent(cmd, control.ResetWorld, []string{"to", "keep", "seed", "now"})
			if err != nil {
				return err
			}
			f.within = slowWithin
			return f.ask(cmd, control.ResetWorld, shown(printOverview), order)
		},
	})
	fs := cmd.Flags()
	fs.String("to", "fixtures", "users after the reset: fixtures (those of a new world), empty (none), or the name of a snapshot")
	fs.StringSlice("keep", nil, "parts to keep: journal, faults")
	fs.Uint64("seed", 0, "seed of everything random (default as before)")
	fs.Var(new(moment), "now", "time at which its clock starts, such as 2026-06-01T08:00:00Z (default as before)")
	completeBy(cmd, "to", func(ctx context.Context) []string {
		return append(f.names(control.ListSnapshots, "snapshots", "name", "clock.now")(ctx), "fixtures", "empty")
	})
	cli.Offer(cmd, "keep", string(control.KeepJournal), string(control.KeepFaults))
	return cmd
}

func printOverview(w io.Writer, o control.Overview) error {
	_, err := fmt.Fprintf(w, "%s  %s, seed %d, %d cars, %d journeys under way or booked ahead\n",
		o.Clock.Now.Format(time.RFC3339), cli.Printable(runs(o.Clock)), o.Config.Seed, o.Config.Cars, o.Live)
	return err
}
