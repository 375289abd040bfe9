package controlling

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/control"
)

func newSnapshot(out cli.Outside) *cobra.Command {
	var flags serverFlags
	var path string
	list := flags.one("[list]", "list the snapshots of a world", nil,
		by(printSnapshots, func(c *calls, ctx context.Context, _ string) (all control.Snapshots, err error) {
			all.Snapshots, err = c.Snapshots(ctx)
			return all, err
		}))
	cmd := flags.command(out, cli.WithActions(&cobra.Command{
		Use:   "snapshot",
		Short: "Save the state of a world, and restore it",
		Long: `Save the state of a world of 'cabrank serve' under a name, and restore it as often as you like. The journal and the
faults are not affected. Snapshots are lost when the server or their sandbox ends.`,
		Example: `  cabrank snapshot save before-retry
  cabrank snapshot restore before-retry
  cabrank snapshot download before-retry --out taxis.db
  cabrank snapshot rm before-retry`,
	},
		list,
		flags.slow(flags.one("save NAME", "save the state, replacing a snapshot of that name", flags.snapshots, by(printSnapshot, (*calls).TakeSnapshot))),
		flags.slow(flags.one("restore NAME", "restore a snapshot", flags.snapshots, by(printOverview, (*calls).RestoreSnapshot))),
		cli.Action{
			Use: "download NAME", Does: "write it to a database file for 'cabrank serve --db'", Flags: []string{"out"}, Complete: first(flags.snapshots),
			Run: func(cmd *cobra.Command, args []string) error { return flags.downloaded(cmd.Context(), args[0], path) },
		},
		flags.one("rm NAME", "remove a snapshot", flags.snapshots, removing((*calls).DeleteSnapshot))))
	cmd.Flags().StringVar(&path, "out", "", "with download: the file, which must not exist (default NAME.db)")
	return cmd
}

// snapshots returns the names of a world's snapshots, for shell completion.
func (f *serverFlags) snapshots(ctx context.Context) []string {
	return f.live(ctx, func(c *calls, ctx context.Context) ([]string, error) {
		return namedBy(func(s control.Snapshot) string { return s.Name + "\t" + s.Clock.Now.Format(time.RFC3339) })(c.Snapshots(ctx))
	})
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

// downloaded writes a snapshot to a file, and prints how long that is.
func (f *serverFlags) downloaded(ctx context.Context, name, path string) error {
	path = cmp.Or(path, name+".db")
	n, err := f.download(ctx, name, path)
	return f.show(answer{map[string]any{"file": path, "bytes": n}, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s  %d bytes\n", path, n)
		return err
	}}, err)
}

// download writes the database of a snapshot to a new file, and removes it if the
// download is incomplete.
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
	err = f.explainError(c.DownloadSnapshot(ctx, name, written))
	if closing := errors.Join(written.err, file.Close()); closing != nil {
		err = closing // an error of the file, not of the server
	}
	if err != nil {
		_ = os.Remove(to) // an incomplete database is useless
	}
	return written.n, err
}

// counted counts the bytes written to a file, and stores the first write error.
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
