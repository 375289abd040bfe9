package controlling

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/client"
)

// journeysFlags say which journeys are listed, and what is done to one.
type journeysFlags struct {
	serverFlags

	status, phone, since string
	limit                int
	event, vehicle       string
	force                bool
}

func newJourneys(out cli.Outside) *cobra.Command {
	var f journeysFlags
	cmd := f.command(out, cli.WithActions(&cobra.Command{
		Use:   "journeys",
		Short: "List, show and control the journeys of a world",
		Long: `List the journeys of a world of 'cabrank serve', the newest booking first. With an id, or latest, show one
journey and its possible next statuses, or change it. 'transition' changes the status immediately, without advancing the
clock.

A STEP of 'script' is a duration of the world's clock since the previous step, and a status, drop or hold: 90s:EN_ROUTE.
With drop the driver cancels; with hold nothing else happens. For the next booking, use next as the ID.`,
		Example: `  cabrank journeys
  cabrank journeys latest
  cabrank journeys --status WAITING,ACCEPTED --phone 442079460020
  cabrank journeys transition latest ARRIVED --force
  cabrank journeys transition latest WAITING --event drop
  cabrank journeys reassign latest --vehicle car-7
  cabrank journeys hold latest
  cabrank journeys script latest 30s:ACCEPTED 1m:EN_ROUTE 10s:drop
  cabrank journeys script next 5s:ACCEPTED 0s:hold --phone 442079460020`,
	},
		cli.Action{
			Use: "[ID]", Does: "list the journeys, or show one", Flags: []string{"status", "phone", "since", "limit"},
			Complete: first(f.journeys), Run: f.list,
		},
		f.order("hold ID", "hold a journey in its status until it is released", (*calls).Hold),
		f.order("release ID", "release a journey that is held", (*calls).Release),
		cli.Action{
			Use: "transition ID STATUS", Does: "change the status of a journey", Flags: []string{"event", "force"},
			Complete: first(f.journeys, words(taxi.Statuses())...), Run: f.transition,
		},
		cli.Action{Use: "reassign ID", Does: "assign another car to a journey", Flags: []string{"vehicle"}, Complete: first(f.journeys), Run: f.reassign},
		cli.Action{
			Use: "script ID STEP …", Does: "decide what the driver of a journey does, and when", Flags: []string{"phone"},
			Complete: first(func(ctx context.Context) []string { return append(f.journeys(ctx), "next\tthe next booking") }), Run: f.script,
		}))
	fs := cmd.Flags()
	fs.StringVar(&f.status, "status", "", "list only journeys with these statuses, such as WAITING,ACCEPTED")
	fs.StringVar(&f.phone, "phone", "", "list only journeys of this phone number, such as 442079460020; with 'script next': only for a booking by it")
	fs.StringVar(&f.since, "since", "", "list only journeys that have changed since this time of the world, such as 2026-06-01T09:00:00Z")
	fs.IntVar(&f.limit, "limit", 20, "maximum number of journeys, up to 500")
	fs.StringVar(&f.event, "event", "", "with transition: the event, if several lead to that status, such as drop")
	fs.BoolVar(&f.force, "force", false, "with transition: allow any status, even one that is not a legal next status")
	fs.StringVar(&f.vehicle, "vehicle", "", "with reassign: id of the car, such as car-7 (default the nearest free one)")
	complete(cmd, "status", words(taxi.Statuses()))
	return cmd
}

// list shows the journeys, or the one that is named.
func (f *journeysFlags) list(cmd *cobra.Command, args []string) error {
	if len(args) == 1 {
		return f.tell(cmd, func(c *calls, ctx context.Context) (answer, error) {
			return shownBy(printJourney)(c.Journey(ctx, taxi.JourneyID(args[0])))
		})
	}
	query := client.JourneyQuery{Statuses: []taxi.Status{taxi.Status(f.status)}, Phone: taxi.E164(f.phone), Limit: f.limit}
	err := checkLimit(f.limit)
	if err == nil && f.since != "" {
		query.Since, err = momentOf("--since", f.since)
	}
	if err != nil {
		return err
	}
	return f.tell(cmd, func(c *calls, ctx context.Context) (answer, error) {
		return shownBy(printJourneys)(c.Journeys(ctx, query))
	})
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

// checkLimit refuses a --limit that the server would refuse, or would take as unset.
func checkLimit(limit int) error {
	if limit < 1 || limit > 500 {
		return cli.UsageError("--limit is %d, want 1 to 500", limit)
	}
	return nil
}

func printJourneys(w io.Writer, list control.JourneyList) error {
	err := table(w, "journeys", list.Journeys, func(j simulator.JourneyView) string {
		return fmt.Sprintf("%s\t%s\t%s\t%s", cli.Printable(string(j.JourneyID)), cli.Printable(string(j.Status)), whenTaken(j), cli.Printable(road(j)))
	})
	if err != nil || list.Next == "" {
		return err
	}
	_, err = fmt.Fprintln(w, "and others; --limit lists more; --status, --phone and --since filter")
	return err
}

func whenTaken(j simulator.JourneyView) string {
	if j.Date.IsZero() {
		return "-"
	}
	return j.Date.Format(time.RFC3339)
}

// road describes the places of a journey, from pickup to drop-off.
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
		fmt.Fprintln(w, "held    it does not change by itself; 'cabrank journeys release' releases it")
	}
	if len(j.Script) > 0 {
		fmt.Fprintf(w, "script  %d steps left\n", len(j.Script))
	}
	if j.ScriptStopped != "" {
		fmt.Fprintf(w, "script  stopped: %s\n", cli.Line(j.ScriptStopped))
	}
	for _, way := range j.Ways {
		line := fmt.Sprintf("next    %s by %s", cli.Printable(string(way.To)), cli.Printable(string(way.Event)))
		if way.When != "" {
			line += ", " + cli.Line(way.When)
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// order is an action that gives an order without a body.
func (f *journeysFlags) order(use, does string, call func(*calls, context.Context, taxi.JourneyID) (simulator.JourneyView, error)) cli.Action {
	return f.one(use, does, f.journeys, by(printJourney, func(c *calls, ctx context.Context, id string) (simulator.JourneyView, error) {
		return call(c, ctx, taxi.JourneyID(id))
	}))
}

func (f *journeysFlags) transition(cmd *cobra.Command, args []string) error {
	order := control.TransitionBody{To: taxi.Status(strings.ToUpper(args[1])), Event: dispatch.Event(f.event), Force: f.force}
	return f.tell(cmd, func(c *calls, ctx context.Context) (answer, error) {
		return shownBy(printJourney)(c.Transition(ctx, taxi.JourneyID(args[0]), order))
	})
}

func (f *journeysFlags) reassign(cmd *cobra.Command, args []string) error {
	return f.tell(cmd, func(c *calls, ctx context.Context) (answer, error) {
		return shownBy(printJourney)(c.Reassign(ctx, taxi.JourneyID(args[0]), control.ReassignBody{Vehicle: f.vehicle}))
	})
}

// script gives a journey, or the next booking, what its driver does.
func (f *journeysFlags) script(cmd *cobra.Command, args []string) error {
	steps, err := stepsOf(args[1:])
	switch {
	case err != nil:
		return err
	case args[0] != "next" && f.phone != "":
		return cli.UsageError("--phone goes with next only")
	case args[0] != "next":
		return f.tell(cmd, func(c *calls, ctx context.Context) (answer, error) {
			return shownBy(printJourney)(c.Script(ctx, taxi.JourneyID(args[0]), control.ScriptBody{Steps: steps}))
		})
	}
	order := control.NextScriptBody{Phone: taxi.E164(f.phone), Steps: steps}
	return f.tell(cmd, func(c *calls, ctx context.Context) (answer, error) {
		return shownBy(printWaiting)(c.ScriptNext(ctx, order))
	})
}

func printWaiting(w io.Writer, left control.ScriptsWaiting) error {
	_, err := fmt.Fprintf(w, "scripts that wait for a booking: %d\n", left.Waiting)
	return err
}

// stepsOf parses the steps of a script.
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
