package controlling

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
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
	cmd.AddCommand(newSnapshotSave(out), newSnapshotList(out), newSnapshotRestore(out), newSnapshotDownload(out), newSnapshotRemove(out))
	return cmd
}

// snapshotPath is where the calls about a snapshot are.
func snapshotPath(name string) string { return "/snapshots/" + url.PathEscape(name) }

// snapshots are the names of a world's snapshots, for a shell that completes them.
func (f *serverFlags) snapshots(ctx context.Context) []string {
	return live(ctx, f, "/snapshots", func(all control.Snapshots) (names []string) {
		for _, s := range all.Snapshots {
			names = append(names, s.Name+"\t"+s.Clock.Now.Format(time.RFC3339))
		}
		return names
	})
}

// printSnapshots shows snapshots, one a line.
func printSnapshots(w io.Writer, all []control.Snapshot) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range all {
		fmt.Fprintf(table, "%s\t%s\tseed %d, %d journeys under way or booked ahead\n",
			cli.Printable(s.Name), s.Clock.Now.Format(time.RFC3339), s.Seed, s.Live)
	}
	return table.Flush()
}

func newSnapshotSave(out cli.Outside) *cobra.Command {
	var flags serverFlags
	cmd := &cobra.Command{
		Use:               "save NAME",
		Short:             "Save the state of a world, replacing a snapshot of that name",
		Example:           "  cabrank snapshot save before-retry",
		Args:              cli.ExactArgs("NAME"),
		ValidArgsFunction: first(flags.snapshots),
		RunE: func(cmd *cobra.Command, args []string) error {
			flags.within = advanceWithin
			var s control.Snapshot
			if err := flags.call(cmd.Context(), http.MethodPut, snapshotPath(args[0]), nil, &s); err != nil {
				return err
			}
			if flags.asJSON {
				return cli.PrintJSON(out.Stdout, s)
			}
			return printSnapshots(out.Stdout, []control.Snapshot{s})
		},
	}
	flags.add(cmd, out)
	return cmd
}

func newSnapshotList(out cli.Outside) *cobra.Command {
	var flags serverFlags
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the snapshots of a world",
		Example: "  cabrank snapshot list\n  cabrank snapshot list --json",
		Args:    cli.ExactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var all control.Snapshots
			if err := flags.call(cmd.Context(), http.MethodGet, "/snapshots", nil, &all); err != nil {
				return err
			}
			switch {
			case flags.asJSON:
				return cli.PrintJSON(out.Stdout, all)
			case len(all.Snapshots) == 0:
				_, err := fmt.Fprintln(out.Stdout, "no snapshots")
				return err
			}
			return printSnapshots(out.Stdout, all.Snapshots)
		},
	}
	flags.add(cmd, out)
	return cmd
}

func newSnapshotRestore(out cli.Outside) *cobra.Command {
	var flags serverFlags
	cmd := &cobra.Command{
		Use:               "restore NAME",
		Short:             "Restore a snapshot",
		Long:              `Restore a snapshot. This is refused while 'cabrank serve --record' records, because the recording would be lost.`,
		Example:           "  cabrank snapshot restore before-retry",
		Args:              cli.ExactArgs("NAME"),
		ValidArgsFunction: first(flags.snapshots),
		RunE: func(cmd *cobra.Command, args []string) error {
			return flags.begin(cmd.Context(), out, snapshotPath(args[0])+"/restore", struct{}{})
		},
	}
	flags.add(cmd, out)
	return cmd
}

func newSnapshotDownload(out cli.Outside) *cobra.Command {
	var flags serverFlags
	var path string
	cmd := &cobra.Command{
		Use:               "download NAME",
		Short:             "Write a snapshot to a database file for 'cabrank serve --db'",
		Example:           "  cabrank snapshot download before-retry\n  cabrank snapshot download before-retry --out taxis.db",
		Args:              cli.ExactArgs("NAME"),
		ValidArgsFunction: first(flags.snapshots),
		RunE: func(cmd *cobra.Command, args []string) error {
			if path == "" {
				path = args[0] + ".db"
			}
			n, err := flags.download(cmd.Context(), snapshotPath(args[0])+"/download", path)
			if err != nil {
				return err
			}
			if flags.asJSON {
				return cli.PrintJSON(out.Stdout, map[string]any{"file": path, "bytes": n})
			}
			_, err = fmt.Fprintf(out.Stdout, "%s  %d bytes\n", path, n)
			return err
		},
	}
	flags.add(cmd, out)
	cmd.Flags().StringVar(&path, "out", "", "the file, which must not exist (default NAME.db)")
	return cmd
}

// download writes an answer to a new file, which goes again if not all of it came.
func (f *serverFlags) download(ctx context.Context, path, to string) (n int64, err error) {
	resp, err := f.send(ctx, f.world(), http.MethodGet, path, nil)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	file, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, cli.UsageError("--out: %w", err)
	}
	n, err = io.Copy(file, resp.Body)
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err != nil {
		_ = os.Remove(to) // half a database is none
		return 0, cli.Exit(cli.ExitUnreachable, fmt.Errorf("%s: %w", to, cli.OneLine(err)))
	}
	return n, nil
}

func newSnapshotRemove(out cli.Outside) *cobra.Command {
	var flags serverFlags
	cmd := &cobra.Command{
		Use:               "rm NAME",
		Short:             "Remove a snapshot",
		Example:           "  cabrank snapshot rm before-retry",
		Args:              cli.ExactArgs("NAME"),
		ValidArgsFunction: first(flags.snapshots),
		RunE: func(cmd *cobra.Command, args []string) error {
			return flags.removed(out, flags.call(cmd.Context(), http.MethodDelete, snapshotPath(args[0]), nil, nil), args[0])
		},
	}
	flags.add(cmd, out)
	return cmd
}
