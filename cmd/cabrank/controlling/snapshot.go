package controlling

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

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
