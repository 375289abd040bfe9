package controlling

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/host"
)

// advanceWithin limits, in real time, how long advancing a clock, or saving or restoring
// a large world, may take: a server gives up advancing a clock after five minutes.
const advanceWithin = 6 * time.Minute

func newClock(out cli.Outside) *cobra.Command {
	var flags serverFlags
	var advance advanceFlags
	set := func(use, does string, order func(arg string) (control.ClockOrder, error)) cli.Action {
		return cli.Action{Use: use, Does: does, Run: func(cmd *cobra.Command, args []string) error {
			o, err := order(strings.Join(args, ""))
			if err != nil {
				return err
			}
			return flags.tell(cmd, func(c *calls, ctx context.Context) (answer, error) { return shownBy(printClock)(c.SetClock(ctx, o)) })
		}}
	}
	cmd := flags.command(out, cli.WithActions(&cobra.Command{
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
		flags.one("[show]", "show the clock", nil, by(printClock, func(c *calls, ctx context.Context, _ string) (control.Clock, error) { return c.Clock(ctx) })),
		set("pause", "stop it until it is advanced or gets a speed", func(string) (control.ClockOrder, error) {
			return control.ClockOrder{Mode: control.Manual}, nil
		}),
		set("speed N", "let it run N times as fast as real time; 0 stops it", func(arg string) (control.ClockOrder, error) {
			n, err := strconv.Atoi(arg)
			if err != nil || n < 0 {
				return control.ClockOrder{}, cli.UsageError("the speed is %q, want a number such as 60", arg)
			}
			return control.ClockOrder{Speed: &n}, nil
		}),
		cli.Action{
			Use: "advance", Does: "advance it by a duration, to a time, or until something happens", Flags: []string{"by", "to", "until", "journey", "within"},
			Run: func(cmd *cobra.Command, _ []string) error {
				order, err := advance.order(cmd)
				if err != nil {
					return err
				}
				flags.within = advanceWithin
				return flags.tell(cmd, func(c *calls, ctx context.Context) (answer, error) { return shownBy(printMoved)(c.Advance(ctx, order)) })
			},
		}))
	advance.add(cmd)
	completeBy(cmd, "journey", flags.journeys)
	return cmd
}

func printClock(w io.Writer, c control.Clock) error {
	_, err := fmt.Fprintf(w, "%s  %s\n", c.Now.Format(time.RFC3339), cli.Printable(runs(c)))
	return err
}

// runs describes how a clock runs.
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

// advanceFlags say how far a clock is advanced.
type advanceFlags struct {
	by, within         time.Duration
	to, until, journey string
}

func (f *advanceFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.DurationVar(&f.by, "by", 0, "advance by this duration of the world's clock, such as 15m")
	fs.StringVar(&f.to, "to", "", "advance to this time of the world, such as 2026-06-02T09:00:00Z")
	fs.StringVar(&f.until, "until", "", "advance until a journey has this status, such as ARRIVED, until any journey changes (change), or until no journey is active (idle)")
	fs.StringVar(&f.journey, "journey", "latest", "the journeyId for --until; latest is the newest booking")
	fs.DurationVar(&f.within, "within", 0, "give up --until after this duration of the world's clock (default 100 days)")
	complete(cmd, "until", append(words(taxi.Statuses()), "change", "idle"))
}

// order is what the flags ask for.
func (f *advanceFlags) order(cmd *cobra.Command) (order control.Advance, err error) {
	asked := 0
	for _, flag := range []string{"by", "to", "until"} {
		if cmd.Flags().Changed(flag) {
			asked++
		}
	}
	if asked != 1 || cmd.Flags().Changed("journey") && f.until == "" {
		return order, cli.UsageError("want one of --by, --to and --until; --journey goes with --until only")
	}
	order = control.Advance{By: host.Duration(f.by), Within: host.Duration(f.within)}
	if f.to != "" {
		at, err := momentOf("--to", f.to)
		if err != nil {
			return order, err
		}
		order.To = &at
	}
	switch {
	case strings.EqualFold(f.until, "idle"):
		order.Until = &control.Until{Idle: true}
	case strings.EqualFold(f.until, "change"):
		order.Until = &control.Until{Change: true}
	case f.until != "":
		order.Until = &control.Until{Journey: taxi.JourneyID(f.journey), Status: taxi.Status(strings.ToUpper(f.until))}
	}
	return order, nil
}

// momentOf parses the time of a flag.
func momentOf(flag, text string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, cli.UsageError("%s is %q, want a time such as 2026-06-01T09:00:00Z", flag, text)
	}
	return at, nil
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
