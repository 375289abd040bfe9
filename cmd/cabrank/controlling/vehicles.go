package controlling

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control"
)

func newVehicles(out cli.Outside) *cobra.Command {
	var f serverFlags
	cars := f.names(control.ListVehicles, "vehicles", "id", "state")
	list := f.action(verb{use: "[ID]", does: "list the cars, or show one", call: control.ListVehicles, show: shown(printVehicles), flags: []string{"state", "limit"}, names: cars})
	list.Run = f.listOr(list.Run, control.ReadVehicle, shown(printVehicle))
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
		list,
		f.action(verb{
			use: "breakdown ID", does: "let a car break down", call: control.BreakVehicleDown, show: shown(printVehicle), flags: []string{"for"}, names: cars,
		}),
		cli.Action{Use: "position ID", Does: "move a car immediately", Flags: []string{"at"}, Complete: first(cars), Run: func(cmd *cobra.Command, args []string) error {
			at, _ := cmd.Flags().GetString("at")
			p, ok := calling.ParsePoint(at)
			if !ok {
				return cli.UsageError("--at is %q, want LATITUDE,LONGITUDE in degrees, such as 54.698,2.091", at)
			}
			return f.ask(cmd, control.PlaceVehicle, shown(printVehicle), p, args[0])
		}}))
	fs := cmd.Flags()
	fs.String("state", "", "list only cars in these states, such as free,to-pickup")
	fs.Int("limit", 50, "maximum number of cars, up to 500")
	fs.Duration("for", 0, "with breakdown: duration of the repair by the world's clock, such as 30m (default 1h)")
	fs.String("at", "", "with position: the new position, LATITUDE,LONGITUDE in degrees, such as 54.698,2.091")
	cli.Offer(cmd, "state", words([]simulator.CarState{
		simulator.CarFree, simulator.CarAsked, simulator.CarToPickup, simulator.CarAtPickup, simulator.CarOnBoard, simulator.CarOffDuty,
	})...)
	return cmd
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
