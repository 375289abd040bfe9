package controlling

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/client"
)

// vehiclesFlags say which cars are listed, and what is done to one.
type vehiclesFlags struct {
	serverFlags

	state, at string
	limit     int
	lasts     time.Duration
}

func newVehicles(out cli.Outside) *cobra.Command {
	var f vehiclesFlags
	cmd := f.command(out, cli.WithActions(&cobra.Command{
		Use:   "vehicles",
		Short: "List, show and control the cars of a world",
		Long: `List the cars of a world of 'cabrank serve': state, position and journey. With an id, show one car, or change it.

A car that breaks down is off duty until it is repaired. If it was on its way to a passenger or waited for one, the
journey is WAITING again and another car is assigned. A car with its passenger on board cannot break down. A car that is
moved continues its journey from the new position.`,
		Example: `  cabrank vehicles
  cabrank vehicles car-1
  cabrank vehicles --state free,asked
  cabrank vehicles breakdown car-1 --for 30m
  cabrank vehicles position car-1 --at 54.698,2.091`,
	},
		cli.Action{Use: "[ID]", Does: "list the cars, or show one", Flags: []string{"state", "limit"}, Complete: first(f.vehicles), Run: f.list},
		cli.Action{Use: "breakdown ID", Does: "let a car break down", Flags: []string{"for"}, Complete: first(f.vehicles), Run: f.breakdown},
		cli.Action{Use: "position ID", Does: "move a car immediately", Flags: []string{"at"}, Complete: first(f.vehicles), Run: f.position}))
	fs := cmd.Flags()
	fs.StringVar(&f.state, "state", "", "list only cars in these states, such as free,to-pickup")
	fs.IntVar(&f.limit, "limit", 50, "maximum number of cars, up to 500")
	fs.DurationVar(&f.lasts, "for", 0, "with breakdown: duration of the repair by the world's clock, such as 30m (default 1h)")
	fs.StringVar(&f.at, "at", "", "with position: the new position, LATITUDE,LONGITUDE in degrees, such as 54.698,2.091")
	complete(cmd, "state", words([]simulator.CarState{
		simulator.CarFree, simulator.CarAsked, simulator.CarToPickup, simulator.CarAtPickup, simulator.CarOnBoard, simulator.CarOffDuty,
	}))
	return cmd
}

// list shows the cars, or the one that is named.
func (f *vehiclesFlags) list(cmd *cobra.Command, args []string) error {
	if len(args) == 1 {
		return f.tell(cmd, func(c *calls, ctx context.Context) (answer, error) {
			return shownBy(printVehicle)(c.Vehicle(ctx, args[0]))
		})
	}
	if err := checkLimit(f.limit); err != nil {
		return err
	}
	query := client.VehicleQuery{States: []simulator.CarState{simulator.CarState(f.state)}, Limit: f.limit}
	return f.tell(cmd, func(c *calls, ctx context.Context) (answer, error) {
		return shownBy(printVehicles)(c.Vehicles(ctx, query))
	})
}

func (f *vehiclesFlags) breakdown(cmd *cobra.Command, args []string) error {
	return f.tell(cmd, func(c *calls, ctx context.Context) (answer, error) {
		return shownBy(printVehicle)(c.BreakDown(ctx, args[0], control.BreakdownBody{For: simulator.Span(f.lasts)}))
	})
}

func (f *vehiclesFlags) position(cmd *cobra.Command, args []string) error {
	p, ok := calling.ParsePoint(f.at)
	if !ok {
		return cli.UsageError("--at is %q, want LATITUDE,LONGITUDE in degrees, such as 54.698,2.091", f.at)
	}
	return f.tell(cmd, func(c *calls, ctx context.Context) (answer, error) {
		return shownBy(printVehicle)(c.PlaceVehicle(ctx, args[0], p))
	})
}

// vehicles returns the ids of a world's cars, for shell completion.
func (f *serverFlags) vehicles(ctx context.Context) []string {
	return f.live(ctx, func(c *calls, ctx context.Context) ([]string, error) {
		list, err := c.Vehicles(ctx, client.VehicleQuery{Limit: 500})
		return namedBy(func(v control.Vehicle) string { return fmt.Sprintf("%s\t%s", v.ID, v.State) })(list.Vehicles, err)
	})
}

func printVehicle(w io.Writer, v control.Vehicle) error {
	_, err := fmt.Fprintln(w, strings.ReplaceAll(vehicleLine(v), "\t", "  "))
	return err
}

func printVehicles(w io.Writer, list control.VehicleList) error {
	if err := table(w, "cars", list.Vehicles, vehicleLine); err != nil || list.Next == "" {
		return err
	}
	_, err := fmt.Fprintln(w, "and others; --limit lists more; --state filters")
	return err
}

// vehicleLine describes a car in one line, with tabs between the columns.
func vehicleLine(v control.Vehicle) string {
	line := fmt.Sprintf("%s\t%s\tat %.5f,%.5f\t%s (%s), %s", cli.Printable(v.ID), cli.Printable(string(v.State)), v.Location.Latitude, v.Location.Longitude,
		cli.Printable(v.Vehicle.Description), cli.Printable(v.Vehicle.Registration), clipped(cli.Printable(v.Driver.Name)))
	if v.JourneyID != "" {
		line += "\tfor " + cli.Printable(string(v.JourneyID))
	}
	return line
}
