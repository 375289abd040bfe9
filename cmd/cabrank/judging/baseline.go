package judging

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
)

// baselineFlags are the flags for a new baseline: its run file, the owner of the failures, and the last day of its
// entries.
type baselineFlags struct {
	from, owner, until string
}

func newBaseline(out cli.Outside) *cobra.Command {
	var f baselineFlags
	cmd := &cobra.Command{
		Use:   "baseline --from RUN --owner NAME --until DATE",
		Short: "Make a baseline of known failures from a run file",
		Long: `Print a baseline for 'cabrank check --baseline': an entry for each failed check of the run file, with the
finding as its reason. Each entry has an owner, and expires after its last day.`,
		Example: `  cabrank baseline --from run.json --owner ann --until 2027-01-31 > known.json
  cabrank check http://127.0.0.1:8080 --baseline known.json`,
		Args: cli.ExactArgs(),
		RunE: func(*cobra.Command, []string) error { return f.print(out) },
	}
	fs := cmd.Flags()
	fs.StringVar(&f.from, "from", "", "run file of 'cabrank check --out RUN'")
	fs.StringVar(&f.owner, "owner", "", "owner of the failures")
	fs.StringVar(&f.until, "until", "", "last day of the entries, such as 2027-01-31")
	return cmd
}

func (f *baselineFlags) print(out cli.Outside) error {
	if f.from == "" || f.owner == "" || f.until == "" {
		return cli.UsageError("want --from RUN, --owner NAME and --until DATE")
	}
	until, err := time.Parse(time.DateOnly, f.until)
	if err != nil {
		return cli.UsageError("--until is %q, want a date such as 2027-01-31", f.until)
	}
	if !until.After(cli.Now()) {
		return cli.UsageError("--until is %s, which is in the past: the baseline would excuse nothing", f.until)
	}
	run, err := readRun(f.from)
	if err != nil {
		return err
	}
	if run.Interrupted || run.Repeated != nil || run.Unreached() {
		return cli.UsageError("%s is %s: make a baseline of a whole run", f.from, run.Scope())
	}
	b := conformance.BaselineOf(&run.Report, f.owner, conformance.Day{Time: until})
	if len(b.Known) == 0 {
		return cli.Exit(cli.ExitFindings, errors.New("nothing fails in "+f.from+": no baseline is needed"))
	}
	if err := cli.PrintJSON(out.Stdout, b); err != nil {
		return fmt.Errorf("print the baseline: %w", err)
	}
	return nil
}

func newDiff(out cli.Outside) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Compare two run files: broken, fixed and slower",
		Long: `Compare the run files of two runs of 'cabrank check --out'.

A failure that the earlier run did not reach is "exposed", and not a regression.

Exit codes: 0 no regression, 1 something broke or is no longer verified.`,
		Example: `  cabrank diff yesterday.json today.json`,
		Args:    cli.ExactArgs("OLD", "NEW"),
		RunE: func(_ *cobra.Command, args []string) error {
			earlier, err := readRun(args[0])
			if err != nil {
				return err
			}
			later, err := readRun(args[1])
			if err != nil {
				return err
			}
			if err := conformance.Comparable(earlier, later); err != nil {
				return cli.UsageError("%w", err)
			}
			d := conformance.Diff(earlier, later)
			if asJSON {
				err = cli.PrintJSON(out.Stdout, d)
			} else {
				printDiff(d, out)
			}
			if err == nil && d.Worse() {
				return cli.Exit(cli.ExitFindings, nil)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func printDiff(d conformance.Difference, out cli.Outside) {
	if len(d.Of) > 0 {
		fmt.Fprintf(out.Stdout, "compared: %s\n", strings.Join(d.Of, ", "))
	}
	for _, c := range d.Changes {
		fmt.Fprintln(out.Stdout, cli.Printable(c.String()))
	}
	if len(d.Changes) == 0 {
		fmt.Fprintln(out.Stdout, "every verdict is as it was")
	}
	for _, p := range d.Pace {
		if !p.Notable() {
			continue
		}
		fmt.Fprintf(out.Stdout, "p95     %-8s %v → %v\n", p.Operation, p.Before.Round(10*time.Microsecond), p.After.Round(10*time.Microsecond))
	}
	if len(d.Changes) > 0 {
		fmt.Fprintln(out.Stdout, d.Total())
	}
}
