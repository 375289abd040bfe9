package judging

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
)

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
