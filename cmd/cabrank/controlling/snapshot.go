package controlling

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/control"
)

func newSnapshot(out cli.Outside) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "snapshot",
		Short: "Save the state of a world, and restore it",
		Long: `Save the state of a world of 'cabrank serve' under a name, and restore it as often as you like. The journal and the
faults are not affected. Snapshots are lost when the server or their sandbox ends.`,
		Example: `  cabrank snapshot save before-retry
  cabrank snapshot restore before-retry
  cabrank snapshot download before-retry --out taxis.db
  cabrank snapshot rm before-retry`,
	}
	const example = "  cabrank snapshot "
	cmd.AddCommand(newSnapshotDownload(out))
	addSingle(cmd, out,
		single{
			use: "save NAME", short: "Save the state of a world, replacing a snapshot of that name", example: example + "save before-retry",
			names: (*serverFlags).snapshots, within: advanceWithin, call: by(printSnapshot, (*calls).TakeSnapshot),
		},
		single{
			use: "list", short: "List the snapshots of a world", example: example + "list\n" + example + "list --json",
			call: by(printSnapshots, func(c *calls, ctx context.Context, _ string) (list control.Snapshots, err error) {
				list.Snapshots, err = c.Snapshots(ctx)
				return list, err
			}),
		},
		single{
			use: "restore NAME", short: "Restore a snapshot", example: example + "restore before-retry",
			long:  `Restore a snapshot. This is refused while 'cabrank serve --record' records, because the recording would be lost.`,
			names: (*serverFlags).snapshots, within: advanceWithin, call: by(printOverview, (*calls).RestoreSnapshot),
		},
		single{
			use: "rm NAME", short: "Remove a snapshot", example: example + "rm before-retry",
			names: (*serverFlags).snapshots, call: removing((*calls).DeleteSnapshot),
		},
	)
	return cmd
}

// snapshots are the names of a world's snapshots, for a shell that completes them.
func (f *serverFlags) snapshots(ctx context.Context) []string {
	return f.live(ctx, func(c *calls, ctx context.Context) ([]string, error) {
		return namedBy(func(s control.Snapshot) string { return s.Name + "\t" + s.Clock.Now.Format(time.RFC3339) })(c.Snapshots(ctx))
	})
}

func printSnapshot(w io.Writer, s control.Snapshot) error {
	return printSnapshots(w, control.Snapshots{Snapshots: []control.Snapshot{s}})
}

// printSnapshots shows snapshots, one a line.
func printSnapshots(w io.Writer, all control.Snapshots) error {
	if len(all.Snapshots) == 0 {
		_, err := fmt.Fprintln(w, "no snapshots")
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range all.Snapshots {
		fmt.Fprintf(table, "%s\t%s\tseed %d, %d journeys under way or booked ahead\n",
			cli.Printable(s.Name), s.Clock.Now.Format(time.RFC3339), s.Seed, s.Live)
	}
	return table.Flush()
}

func newSnapshotDownload(out cli.Outside) *cobra.Command {
	var flags serverFlags
	var path string
	cmd := flags.command(out, &cobra.Command{
		Use:               "download NAME",
		Short:             "Write a snapshot to a database file for 'cabrank serve --db'",
		Example:           "  cabrank snapshot download before-retry\n  cabrank snapshot download before-retry --out taxis.db",
		Args:              cli.ExactArgs("NAME"),
		ValidArgsFunction: first(flags.snapshots),
		RunE: func(cmd *cobra.Command, args []string) error {
			if path == "" {
				path = args[0] + ".db"
			}
			n, err := flags.download(cmd.Context(), args[0], path)
			if err != nil {
				return err
			}
			if flags.asJSON {
				return cli.PrintJSON(out.Stdout, map[string]any{"file": path, "bytes": n})
			}
			_, err = fmt.Fprintf(out.Stdout, "%s  %d bytes\n", path, n)
			return err
		},
	})
	cmd.Flags().StringVar(&path, "out", "", "the file, which must not exist (default NAME.db)")
	return cmd
}

// download writes the database of a snapshot to a new file, which goes again if not all of it came.
func (f *serverFlags) download(ctx context.Context, name, to string) (n int64, err error) {
	c, err := f.client()
	if err != nil {
		return 0, err
	}
	file, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, cli.UsageError("--out: %w", err)
	}
	written := &counted{to: file}
	err = f.told(c.DownloadSnapshot(ctx, name, written))
	if closing := errors.Join(written.err, file.Close()); closing != nil {
		err = closing // not the server's
	}
	if err != nil {
		_ = os.Remove(to) // half a database is none
	}
	return written.n, err
}

// counted counts the bytes that a file takes, and keeps the error with which it takes no more.
type counted struct {
	to  *os.File
	n   int64
	err error
}

func (c *counted) Write(b []byte) (n int, err error) {
	n, err = c.to.Write(b)
	c.n, c.err = c.n+int64(n), errors.Join(c.err, err)
	return n, err
}
