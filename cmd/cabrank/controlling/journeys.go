package controlling

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/client"
)

func newJourneys(out cli.Outside) *cobra.Command {
	var flags serverFlags
	var status, phone, since string
	var limit int
	cmd := flags.command(out, &cobra.Command{
		Use:   "journeys [ID]",
		Short: "List, show and control the journeys of a world",
		Long: `List the journeys of a world of 'cabrank serve', the newest booking first. With an id, or latest, show one
journey and its possible next statuses. The commands below change a journey.`,
		Example: `  cabrank journeys
  cabrank journeys latest
  cabrank journeys --status WAITING,ACCEPTED --phone 442079460020
  cabrank journeys transition latest ARRIVED --force`,
		Args:              cli.AtMostOne,
		ValidArgsFunction: first(flags.journeys),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return flags.tell(cmd, func(c *calls, ctx context.Context) (answer, error) {
					return shownBy(printJourney)(c.Journey(ctx, taxi.JourneyID(args[0])))
				})
			}
			query := client.JourneyQuery{Statuses: []taxi.Status{taxi.Status(status)}, Phone: taxi.E164(phone), Limit: limit}
			err := checkLimit(limit)
			if err == nil && since != "" {
				query.Since, err = momentOf("--since", since)
			}
			if err != nil {
				return err
			}
			return flags.tell(cmd, func(c *calls, ctx context.Context) (answer, error) {
				return shownBy(printJourneys)(c.Journeys(ctx, query))
			})
		},
	})
	fs := cmd.Flags()
	fs.StringVar(&status, "status", "", "list only journeys with these statuses, such as WAITING,ACCEPTED")
	fs.StringVar(&phone, "phone", "", "list only journeys of this phone number, such as 442079460020")
	fs.StringVar(&since, "since", "", "list only journeys that have changed since this time of the world, such as 2026-06-01T09:00:00Z")
	fs.IntVar(&limit, "limit", 20, "maximum number of journeys, up to 500")
	complete(cmd, "status", words(taxi.Statuses()))
	cmd.AddCommand(newTransition(out), newReassign(out), newScript(out))
	addSingle(cmd, out,
		journeyOrder("hold", "Hold a journey in its status until it is released", (*calls).Hold),
		journeyOrder("release", "Release a journey that is held", (*calls).Release))
	return cmd
}

// journeys are the ids of a world's journeys, for a shell that completes them.
func (f *serverFlags) journeys(ctx context.Context) []string {
	return f.live(ctx, func(c *calls, ctx context.Context) ([]string, error) {
		list, err := c.Journeys(ctx, client.JourneyQuery{})
		ids := []string{"latest\tthe one booked last"}
		for _, j := range list.Journeys {
			ids = append(ids, fmt.Sprintf("%s\t%s", j.JourneyID, j.Status))
		}
		return ids, err
	})
}

// checkLimit refuses a length of a list that a server would not take, or take for none.
func checkLimit(limit int) error {
	if limit < 1 || limit > 500 {
		return cli.UsageError("--limit is %d, want 1 to 500", limit)
	}
	return nil
}

func printJourneys(w io.Writer, list control.JourneyList) error {
	if len(list.Journeys) == 0 {
		_, err := fmt.Fprintln(w, "no journeys")
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, j := range list.Journeys {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", cli.Printable(string(j.JourneyID)), cli.Printable(string(j.Status)), whenTaken(j), cli.Printable(road(j)))
	}
	if err := table.Flush(); err != nil || list.Next == "" {
		return err
	}
	_, err := fmt.Fprintln(w, "and others; --limit lists more, and --status, --phone and --since choose")
	return err
}

func whenTaken(j simulator.JourneyView) string {
	if j.Date.IsZero() {
		return "-"
	}
	return j.Date.Format(time.RFC3339)
}

// road says from where to where a journey goes.
func road(j simulator.JourneyView) string {
	var names []string
	if j.Pickup != nil {
		names = append(names, j.Pickup.Address)
	}
	for _, d := range j.Dropoffs {
		names = append(names, d.Address)
	}
	return strings.Join(names, " → ")
}

func printJourney(w io.Writer, j simulator.JourneyView) error {
	fmt.Fprintf(w, "%s  %s  %s\n", cli.Printable(string(j.JourneyID)), cli.Printable(string(j.Status)), cli.Printable(road(j)))
	if j.VehicleID != "" {
		fmt.Fprintf(w, "car     %s\n", cli.Printable(j.VehicleID))
	}
	if j.Held {
		fmt.Fprintln(w, "held    nothing of it moves by itself; 'cabrank journeys release' lets it go on")
	}
	if len(j.Script) > 0 {
		fmt.Fprintf(w, "script  %d steps to come\n", len(j.Script))
	}
	if j.ScriptStopped != "" {
		fmt.Fprintf(w, "script  stopped: %s\n", cli.Line(j.ScriptStopped))
	}
	for _, way := range j.Ways {
		line := fmt.Sprintf("may be  %s by %s", cli.Printable(string(way.To)), cli.Printable(string(way.Event)))
		if way.When != "" {
			line += ", " + cli.Line(way.When)
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// journeyOrder is a command that gives an order without a body.
func journeyOrder(order, short string, call func(*calls, context.Context, taxi.JourneyID) (simulator.JourneyView, error)) single {
	return single{
		use: order + " ID", short: short, example: "  cabrank journeys " + order + " latest\n  cabrank journeys " + order + " J3W8R2",
		names: (*serverFlags).journeys, call: by(printJourney, func(c *calls, ctx context.Context, id string) (simulator.JourneyView, error) {
			return call(c, ctx, taxi.JourneyID(id))
		}),
	}
}

func newTransition(out cli.Outside) *cobra.Command {
	var flags serverFlags
	var event string
	var force bool
	cmd := flags.command(out, &cobra.Command{
		Use:   "transition ID STATUS",
		Short: "Change the status of a journey immediately",
		Long: `Change the status of a journey by one transition, without advancing the clock. 'cabrank journeys ID' lists the
possible ones. --force allows any status, even one that is not a legal next status.`,
		Example: `  cabrank journeys transition latest ACCEPTED
  cabrank journeys transition latest WAITING --event drop
  cabrank journeys transition J3W8R2 COMPLETE --force`,
		Args:              cli.ExactArgs("ID", "STATUS"),
		ValidArgsFunction: first(flags.journeys, words(taxi.Statuses())...),
		RunE: func(cmd *cobra.Command, args []string) error {
			order := control.TransitionBody{To: taxi.Status(strings.ToUpper(args[1])), Event: dispatch.Event(event), Force: force}
			return flags.tell(cmd, func(c *calls, ctx context.Context) (answer, error) {
				return shownBy(printJourney)(c.Transition(ctx, taxi.JourneyID(args[0]), order))
			})
		},
	})
	cmd.Flags().StringVar(&event, "event", "", "the event, if several lead to that status, such as drop")
	cmd.Flags().BoolVar(&force, "force", false, "allow an illegal transition")
	return cmd
}

func newReassign(out cli.Outside) *cobra.Command {
	var flags serverFlags
	var vehicle string
	cmd := flags.command(out, &cobra.Command{
		Use:               "reassign ID",
		Short:             "Assign another car to a journey",
		Example:           "  cabrank journeys reassign latest\n  cabrank journeys reassign latest --vehicle car-7",
		Args:              cli.ExactArgs("ID"),
		ValidArgsFunction: first(flags.journeys),
		RunE: func(cmd *cobra.Command, args []string) error {
			return flags.tell(cmd, func(c *calls, ctx context.Context) (answer, error) {
				return shownBy(printJourney)(c.Reassign(ctx, taxi.JourneyID(args[0]), control.ReassignBody{Vehicle: vehicle}))
			})
		},
	})
	cmd.Flags().StringVar(&vehicle, "vehicle", "", "id of the car, such as car-7 (default the nearest free one)")
	return cmd
}

func newScript(out cli.Outside) *cobra.Command {
	var flags serverFlags
	var phone string
	cmd := flags.command(out, &cobra.Command{
		Use:   "script ID STEP …",
		Short: "Decide what the driver of a journey does, and when",
		Long: `Decide what the driver of a journey does. A step is a duration of the world's clock since the previous step,
and a status, drop or hold: 90s:EN_ROUTE. With drop the driver cancels; with hold nothing else
happens. For the next booking, use next as the ID.`,
		Example: `  cabrank journeys script latest 30s:ACCEPTED 1m:EN_ROUTE 10s:drop
  cabrank journeys script next 5s:ACCEPTED 0s:hold --phone 442079460020`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return cli.UsageError("want the id of a journey, latest or next, and steps such as 30s:ACCEPTED")
			}
			return nil
		},
		ValidArgsFunction: first(func(ctx context.Context) []string {
			return append(flags.journeys(ctx), "next\tthe next booking")
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			steps, err := stepsOf(args[1:])
			switch {
			case err != nil:
				return err
			case args[0] != "next" && phone != "":
				return cli.UsageError("--phone goes with next only")
			case args[0] != "next":
				return flags.tell(cmd, func(c *calls, ctx context.Context) (answer, error) {
					return shownBy(printJourney)(c.Script(ctx, taxi.JourneyID(args[0]), control.ScriptBody{Steps: steps}))
				})
			}
			order := control.NextScriptBody{Phone: taxi.E164(phone), Steps: steps}
			return flags.tell(cmd, func(c *calls, ctx context.Context) (answer, error) {
				return shownBy(printWaiting)(c.ScriptNext(ctx, order))
			})
		},
	})
	cmd.Flags().StringVar(&phone, "phone", "", "with next: only for a booking by this phone number, such as 442079460020")
	return cmd
}

func printWaiting(w io.Writer, left control.ScriptsWaiting) error {
	_, err := fmt.Fprintf(w, "scripts that wait for a booking: %d\n", left.Waiting)
	return err
}

// stepsOf reads the steps of a script.
func stepsOf(args []string) ([]simulator.ScriptStep, error) {
	var steps []simulator.ScriptStep
	for _, text := range args {
		after, what, ok := strings.Cut(text, ":")
		span, err := time.ParseDuration(after)
		if !ok {
			err = errors.New("no colon")
		}
		if err != nil || what == "" {
			return nil, cli.UsageError("%q is not a step; want a duration and a status, drop or hold, such as 30s:ACCEPTED", text)
		}
		step := simulator.ScriptStep{After: simulator.Span(span)}
		switch strings.ToLower(what) {
		case "drop":
			step.Drop = true
		case "hold":
			step.Hold = true
		default:
			step.To = taxi.Status(strings.ToUpper(what))
		}
		steps = append(steps, step)
	}
	return steps, nil
}
