package controlling

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control"
)

func newClock(out cli.Outside) *cobra.Command {
	var f serverFlags
	set := func(use, does string, order func(arg string) (object, error)) cli.Action {
		return cli.Action{Use: use, Does: does, Run: func(cmd *cobra.Command, args []string) error {
			o, err := order(strings.Join(args, ""))
			if err != nil {
				return err
			}
			return f.ask(cmd, control.SetClock, shown(printClock), o)
		}}
	}
	cmd := f.command(out, cli.WithActions(&cobra.Command{
		Use:   "clock",
		Short: "Show, stop and advance the clock of a world",
		Long: `Show the clock of a world of 'cabrank serve', stop it, let it run faster than real time, or advance it: everything
that is due until then happens in order.

'advance' prints what happens on the way. --until STATUS advances the clock until a journey has that status, --until
change until any journey changes, and --until idle until no journey is active or booked ahead. The exit code is 1 if the
condition of --until is not met.`,
		Example: `  cabrank clock
  cabrank clock pause
  cabrank clock speed 60
  cabrank clock advance --by 15m
  cabrank clock advance --until ARRIVED
  cabrank clock advance --until COMPLETE --journey J3W8R2 --within 2h
  cabrank clock advance --to 2026-06-02T09:00:00Z`,
	},
		f.action(verb{use: "[show]", does: "show the clock", call: control.ReadClock, show: shown(printClock)}),
		set("pause", "stop it until it is advanced or gets a speed", func(string) (object, error) { return object{"mode": control.Manual}, nil }),
		set("speed N", "let it run N times as fast as real time; 0 stops it", func(arg string) (object, error) {
			n, err := strconv.Atoi(arg)
			if err != nil || n < 0 {
				return nil, cli.UsageError("the speed is %q, want a number such as 60", arg)
			}
			return object{"speed": n}, nil
		}),
		cli.Action{
			Use: "advance", Does: "advance it by a duration, to a time, or until something happens", Flags: []string{"by", "to", "until", "journey", "within"},
			Run: func(cmd *cobra.Command, _ []string) error {
				order, err := advanced(cmd)
				if err != nil {
					return err
				}
				f.within = slowWithin
				return f.ask(cmd, control.AdvanceClock, shown(printMoved), order)
			},
		}))
	addAdvance(cmd)
	completeBy(cmd, "journey", f.journeys)
	return cmd
}

func printClock(w io.Writer, c control.Clock) error {
	_, err := fmt.Fprintf(w, "%s  %s\n", c.Now.Format(time.RFC3339), cli.Printable(runs(c)))
	return err
}

// runs returns in words how fast a clock runs.
func runs(c control.Clock) string {
	text := fmt.Sprintf("×%d", c.Speed)
	if c.Speed == 0 {
		text = "stands still"
	}
	if c.Lives > 0 {
		text += fmt.Sprintf(", but this machine reaches only ×%d", c.Lives)
	}
	return text
}

// addAdvance adds the flags of advance to a command.
func addAdvance(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.Duration("by", 0, "advance by this duration of the world's clock, such as 15m")
	fs.Var(new(moment), "to", "advance to this time of the world, such as 2026-06-02T09:00:00Z")
	fs.String("until", "", "advance until a journey has this status, such as ARRIVED, until any journey changes (change), or until no journey is active (idle)")
	fs.String("journey", "latest", "the journeyId for --until; latest is the newest booking since the world began or was reset")
	fs.Duration("within", 0, "give up --until after this duration of the world's clock (default 100 days; a day for a status that the journey has passed, as WAITING once a driver has accepted)")
	sets(fs, map[string]string{"until": "until.status", "journey": "until.journey"})
	cli.Offer(cmd, "until", append(words(taxi.Statuses()), "change", "idle")...)
}

// advanced returns the request body for the flags of advance.
func advanced(cmd *cobra.Command) (any, error) {
	asked := 0
	for _, flag := range []string{"by", "to", "until"} {
		if cmd.Flags().Changed(flag) {
			asked++
		}
	}
	until, _ := cmd.Flags().GetString("until")
	if asked != 1 || cmd.Flags().Changed("journey") && until == "" {
		return nil, cli.UsageError("want one of --by, --to and --until; --journey goes with --until only")
	}
	if until == "" {
		return sent(cmd, control.AdvanceClock, []string{"by", "to", "within"})
	}
	order, err := sent(cmd, control.AdvanceClock, []string{"until", "journey", "within"})
	if word := strings.ToLower(until); word == "idle" || word == "change" {
		order.(object)["until"] = word
	} else {
		setMember(order.(object), "until.status", strings.ToUpper(until))
	}
	return order, err
}

func printMoved(w io.Writer, moved control.Advanced) error {
	for _, e := range moved.Events {
		fmt.Fprintln(w, cli.Printable(changeLine(e)))
	}
	if more := moved.Changes - len(moved.Events); more > 0 {
		fmt.Fprintf(w, "… and %d more changes\n", more)
	}
	_, err := fmt.Fprintf(w, "%s now, %v later\n", moved.Now.Format(time.RFC3339), moved.Now.Sub(moved.From).Round(time.Second))
	return err
}

// changeLine describes a change of a journey in one line.
func changeLine(e control.Change) string {
	line := fmt.Sprintf("%s  %s  %-9s  %s", e.At.Format(time.TimeOnly), cli.Printable(string(e.JourneyID)), e.To, e.Event)
	if e.VehicleID != "" {
		line += "  " + cli.Printable(e.VehicleID)
	}
	return line
}
