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

// advanceWithin is how long, by the wall, a clock may be on its way, or a large world be
// saved or restored: a server gives up moving a clock after five minutes.
const advanceWithin = 6 * time.Minute

func newClock(out cli.Outside) *cobra.Command {
	var flags serverFlags
	cmd := flags.command(out, &cobra.Command{
		Use:   "clock",
		Short: "Show, stop and advance the clock of a world",
		Long: `Show the clock of a world of 'cabrank serve'. It can be stopped, run faster than real time, or be advanced:
everything that is due until then happens in order.`,
		Example: `  cabrank clock
  cabrank clock pause
  cabrank clock advance --until ARRIVED
  cabrank clock speed 60`,
		Args: cli.ExactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return flags.tell(cmd, func(c *calls, ctx context.Context) (answer, error) { return shownBy(printClock)(c.Clock(ctx)) })
		},
	})
	cmd.AddCommand(newClockAdvance(out), newClockSpeed(out))
	addSingle(cmd, out, single{
		use: "pause", short: "Stop a clock until it is advanced or gets a speed", example: "  cabrank clock pause\n  cabrank clock pause --sandbox ann",
		call: by(printClock, func(c *calls, ctx context.Context, _ string) (control.Clock, error) {
			return c.SetClock(ctx, control.ClockOrder{Mode: control.Manual})
		}),
	})
	return cmd
}

func newClockSpeed(out cli.Outside) *cobra.Command {
	var flags serverFlags
	return flags.command(out, &cobra.Command{
		Use:     "speed N",
		Short:   "Let a clock run N times as fast as real time; 0 stops it",
		Example: "  cabrank clock speed 60\n  cabrank clock speed 1",
		Args:    cli.ExactArgs("N"),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := strconv.Atoi(args[0])
			if err != nil || n < 0 {
				return cli.UsageError("the speed is %q, want a number such as 60", args[0])
			}
			return flags.tell(cmd, func(c *calls, ctx context.Context) (answer, error) {
				return shownBy(printClock)(c.SetClock(ctx, control.ClockOrder{Speed: &n}))
			})
		},
	})
}

func printClock(w io.Writer, c control.Clock) error {
	_, err := fmt.Fprintf(w, "%s  %s\n", c.Now.Format(time.RFC3339), cli.Printable(runs(c)))
	return err
}

// runs says how a clock runs.
func runs(c control.Clock) string {
	text := fmt.Sprintf("×%d", c.Speed)
	if c.Speed == 0 {
		text = "stands still"
	}
	if c.Lives > 0 {
		text += fmt.Sprintf(", of which this machine manages ×%d", c.Lives)
	}
	return text
}

func newClockAdvance(out cli.Outside) *cobra.Command {
	var flags serverFlags
	var by, within time.Duration
	var to, until, journey string
	cmd := flags.command(out, &cobra.Command{
		Use:   "advance",
		Short: "Advance a clock by a duration, to a time, or until something happens",
		Long: `Advance a clock, and print what happens on the way. --until STATUS advances it until a journey has that status,
--until change until any journey changes, and --until idle until no journey is active or booked ahead.

The exit code is 1 if the condition of --until is not met.`,
		Example: `  cabrank clock advance --by 15m
  cabrank clock advance --until ARRIVED
  cabrank clock advance --until COMPLETE --journey J3W8R2 --within 2h
  cabrank clock advance --until change
  cabrank clock advance --until idle
  cabrank clock advance --to 2026-06-02T09:00:00Z`,
		Args: cli.ExactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			order := control.Advance{By: host.Duration(by), Within: host.Duration(within)}
			asked := 0
			for _, flag := range []string{"by", "to", "until"} {
				if cmd.Flags().Changed(flag) {
					asked++
				}
			}
			if asked != 1 || cmd.Flags().Changed("journey") && until == "" {
				return cli.UsageError("want one of --by, --to and --until; --journey goes with --until only")
			}
			if to != "" {
				at, err := momentOf("--to", to)
				if err != nil {
					return err
				}
				order.To = &at
			}
			switch {
			case strings.EqualFold(until, "idle"):
				order.Until = &control.Until{Idle: true}
			case strings.EqualFold(until, "change"):
				order.Until = &control.Until{Change: true}
			case until != "":
				order.Until = &control.Until{Journey: taxi.JourneyID(journey), Status: taxi.Status(strings.ToUpper(until))}
			}
			flags.within = advanceWithin
			return flags.tell(cmd, func(c *calls, ctx context.Context) (answer, error) { return shownBy(printMoved)(c.Advance(ctx, order)) })
		},
	})
	fs := cmd.Flags()
	fs.DurationVar(&by, "by", 0, "advance by this duration of the world's clock, such as 15m")
	fs.StringVar(&to, "to", "", "advance to this time of the world, such as 2026-06-02T09:00:00Z")
	fs.StringVar(&until, "until", "", "advance until a journey has this status, such as ARRIVED, until any journey changes (change), or until no journey is active (idle)")
	fs.StringVar(&journey, "journey", "latest", "the journeyId for --until; latest is the newest booking")
	fs.DurationVar(&within, "within", 0, "give up --until after this duration of the world's clock (default 100 days)")
	complete(cmd, "until", append(words(taxi.Statuses()), "change", "idle"))
	completeBy(cmd, "journey", flags.journeys)
	return cmd
}

// momentOf reads a moment that a flag names.
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
		fmt.Fprintf(w, "… and %d changes more\n", more)
	}
	_, err := fmt.Fprintf(w, "%s now, %v later\n", moved.Now.Format(time.RFC3339), moved.Now.Sub(moved.From).Round(time.Second))
	return err
}

// changeLine tells a change of a journey.
func changeLine(e control.Change) string {
	line := fmt.Sprintf("%s  %s  %-9s  %s", e.At.Format(time.TimeOnly), cli.Printable(string(e.JourneyID)), e.To, e.Event)
	if e.VehicleID != "" {
		line += "  " + cli.Printable(e.VehicleID)
	}
	return line
}
