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
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control"
)

func newJourneys(out cli.Outside) *cobra.Command {
	var f serverFlags
	journey := shown(printJourney)
	list := f.action(verb{
		use: "[ID]", does: "list the journeys, or show one", call: control.ListJourneys, show: shown(printJourneys),
		flags: []string{"status", "phone", "since", "limit"}, names: f.journeys,
	})
	list.Run = f.listOr(list.Run, control.ReadJourney, journey)
	transition := f.action(verb{
		use: "transition ID STATUS", does: "change the status of a journey", call: control.TransitionJourney, show: journey, flags: []string{"event", "force"},
		set: func(body object, status string) { body["to"] = strings.ToUpper(status) },
	})
	transition.Complete = first(f.journeys, words(taxi.Statuses())...)
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
		list,
		f.action(verb{use: "hold ID", does: "hold a journey in its status until it is released", call: control.HoldJourney, show: journey, names: f.journeys}),
		f.action(verb{use: "release ID", does: "release a journey that is held", call: control.ReleaseJourney, show: journey, names: f.journeys}),
		transition,
		f.action(verb{
			use: "reassign ID", does: "assign another car to a journey", call: control.ReassignJourney, show: journey, flags: []string{"vehicle"}, names: f.journeys,
		}),
		cli.Action{
			Use: "script ID STEP …", Does: "decide what the driver of a journey does, and when", Flags: []string{"phone"},
			Complete: first(func(ctx context.Context) []string { return append(f.journeys(ctx), "next\tthe next booking") }), Run: f.script,
		}))
	fs := cmd.Flags()
	fs.String("status", "", "list only journeys with these statuses, such as WAITING,ACCEPTED")
	fs.String("phone", "", "list only journeys of this phone number, such as 442079460020; with 'script next': only for a booking by it")
	fs.Var(new(moment), "since", "list only journeys that have changed since this time of the world, such as 2026-06-01T09:00:00Z")
	fs.Int("limit", 20, "maximum number of journeys, up to 500")
	fs.String("event", "", "with transition: the event, if several lead to that status, such as drop")
	fs.Bool("force", false, "with transition: allow any status, even one that is not a legal next status")
	fs.String("vehicle", "", "with reassign: id of the car, such as car-7 (default the nearest free one)")
	cli.Offer(cmd, "status", words(taxi.Statuses())...)
	return cmd
}

func printJourneys(w io.Writer, list control.JourneyList) error {
	err := table(w, "journeys", list.Journeys, func(j simulator.JourneyView) string {
		return fmt.Sprintf("%s\t%s\t%s\t%s", cli.Printable(string(j.JourneyID)), cli.Printable(string(j.Status)), pickupTimeOf(j), cli.Printable(placesOf(j)))
	})
	if err != nil || list.Next == "" {
		return err
	}
	_, err = fmt.Fprintln(w, "and others; --limit lists more; --status, --phone and --since filter")
	return err
}

func pickupTimeOf(j simulator.JourneyView) string {
	if j.Date.IsZero() {
		return "-"
	}
	return j.Date.Format(time.RFC3339)
}

// placesOf describes the places of a journey, from pickup to drop-off.
func placesOf(j simulator.JourneyView) string {
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
	fmt.Fprintf(w, "%s  %s  %s\n", cli.Printable(string(j.JourneyID)), cli.Printable(string(j.Status)), cli.Printable(placesOf(j)))
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

// script makes the driver of a journey, or of the next booking, follow the steps in args.
func (f *serverFlags) script(cmd *cobra.Command, args []string) error {
	steps, err := stepsOf(args[1:])
	if err != nil {
		return err
	}
	phone, _ := cmd.Flags().GetString("phone")
	if args[0] == "next" {
		return f.ask(cmd, control.ScriptNextJourney, shown(printWaiting), simulator.NextScriptOrder{Phone: taxi.E164(phone), Steps: steps})
	}
	if phone != "" {
		return cli.UsageError("--phone goes with next only")
	}
	return f.ask(cmd, control.ScriptJourney, shown(printJourney), simulator.ScriptOrder{Steps: steps}, args[0])
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
