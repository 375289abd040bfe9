package controlling

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/client"
)

// eventsFlags select the events to print.
type eventsFlags struct {
	serverFlags

	types    []string
	since    uint64
	vehicles bool
	count    int
}

// eventTypes are the values of --types.
var eventTypes = []string{control.EventJourney, control.EventClock, control.EventWorld, control.EventFault}

func newEvents(out cli.Outside) *cobra.Command {
	var f eventsFlags
	cmd := &cobra.Command{
		Use:   "events",
		Short: "Follow the events of a world: journeys, the clock, faults, cars",
		Long: `Print the events of a world of 'cabrank serve' until Ctrl-C: changes of journeys and of the clock, faults that are
added, applied or ended, and with --vehicles the positions of the cars, once a second.

A line begins with the id of the event; --since ID continues after it. --since 0 starts with the oldest
events that the server still has. --json writes one object per line.

Exit codes: 0 ended by Ctrl-C or --count, 2 wrong usage, 3 no response, or the server has ended.`,
		Example: `  cabrank events
  cabrank events --types journey,fault --since 0
  cabrank events --types journey --count 1 --json
  cabrank events --vehicles --sandbox ann`,
		Args: cli.ExactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.follow(cmd.Context(), out.Stdout, cmd.Flags().Changed("since"))
		},
	}
	f.add(cmd, out)
	fs := cmd.Flags()
	fs.StringSliceVar(&f.types, "types", nil, "print only events of these types, such as journey,fault (default journey, clock, world and fault)")
	fs.Uint64Var(&f.since, "since", 0, "first print the stored events after the one with this id; 0: all of them (default none)")
	fs.BoolVar(&f.vehicles, "vehicles", false, "also print the positions of the cars, once a second")
	fs.IntVar(&f.count, "count", 0, "end after this number of events, such as 1 (default: never)")
	cli.Offer(cmd, "types", eventTypes...)
	return cmd
}

// follow prints events until there are as many as --count says, or ctx ends. since reports whether --since is set.
func (f *eventsFlags) follow(ctx context.Context, w io.Writer, since bool) error {
	for _, name := range f.types {
		if !slices.Contains(eventTypes, name) {
			return cli.UsageError("--types has %q, want some of %s", name, strings.Join(eventTypes, ", "))
		}
	}
	if f.count < 0 {
		return cli.UsageError("--count is %d, want 1 or more", f.count)
	}
	c, err := f.client()
	if err != nil {
		return err
	}
	q := client.EventQuery{Types: f.types, Vehicles: f.vehicles}
	if since {
		q.Since = &f.since
	}
	told := 0
	for e, err := range c.Events(ctx, q) {
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, client.ErrEnded):
			return cli.Exit(cli.ExitUnreachable, fmt.Errorf("%s: %w", f.url, cli.OneLine(err)))
		case err != nil:
			return f.explainError(err)
		}
		if err := f.print(w, e); err != nil {
			return err
		}
		if e.Name == control.EventMissed {
			continue // it reports lost events, and is not one of those counted
		}
		if told++; told == f.count {
			return nil
		}
	}
	return nil
}

// eventLine is an event as --json prints it.
type eventLine struct {
	ID    uint64 `json:"id,omitzero"` // for --since; left out if the server does not store the event
	Event string `json:"event"`
	Data  any    `json:"data,omitempty"`
}

// print prints an event in one line.
func (f *eventsFlags) print(w io.Writer, e client.Event) error {
	if f.asJSON {
		line := eventLine{ID: e.ID, Event: e.Name}
		switch {
		case e.Journey != nil:
			line.Data = e.Journey
		case e.Clock != nil:
			line.Data = e.Clock
		case e.Fault != nil:
			line.Data = e.Fault
		case e.Positions != nil:
			line.Data = e.Positions
		}
		return cli.PrintJSONLine(w, line)
	}
	id := "     -"
	if e.ID > 0 {
		id = fmt.Sprintf("%6d", e.ID)
	}
	_, err := fmt.Fprintf(w, "%s  %s\n", id, happened(e))
	return err
}

// happened describes an event in words.
func happened(e client.Event) string {
	switch {
	case e.Journey != nil:
		return changeLine(*e.Journey)
	case e.Clock != nil && e.Name == control.EventWorld:
		return fmt.Sprintf("%s  world   the world was reset; the clock: %s", e.Clock.Now.Format(time.TimeOnly), runs(*e.Clock))
	case e.Clock != nil:
		return fmt.Sprintf("%s  clock   %s", e.Clock.Now.Format(time.TimeOnly), runs(*e.Clock))
	case e.Fault != nil:
		text := fmt.Sprintf("%s  fault   %s (%s) %s", e.Fault.At.Format(time.TimeOnly), cli.Line(e.Fault.ID), cli.Line(e.Fault.Fault), e.Fault.What)
		if e.Fault.Op != "" {
			text += ", /" + cli.Line(string(e.Fault.Op))
		}
		return text
	case e.Positions != nil:
		return positions(*e.Positions)
	case e.Name == control.EventMissed:
		return "earlier events are no longer stored"
	}
	return cli.Line(e.Name)
}

// positions describes where the cars with a journey are, and counts the others.
func positions(p control.Positions) string {
	text, idle := p.At.Format(time.TimeOnly), 0
	for _, v := range p.Vehicles {
		if v.JourneyID == "" {
			idle++
			continue
		}
		text += fmt.Sprintf("  %s at %.5f,%.5f for %s", cli.Line(v.ID), v.Location.Latitude, v.Location.Longitude, cli.Line(string(v.JourneyID)))
	}
	return fmt.Sprintf("%s  %d cars without a journey", text, idle)
}
