package controlling

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/client"
)

func newScenario(out cli.Outside) *cobra.Command {
	var f serverFlags
	var within time.Duration
	runs := first(f.names(control.ListRuns, "runs", "id", "scenario"))
	cmd := f.command(out, cli.WithActions(&cobra.Command{
		Use:   "scenario",
		Short: "Run a scenario with a platform, and check its outcome",
		Long: `Run a scenario in a world of 'cabrank serve': it prepares the world, prints what to do with the platform, and
checks the outcome. RUN is the id of a run; without it, the latest is meant.

Exit codes of follow and finish: 0 every expectation was met, 1 not met, or not decided within --within.`,
		Example: `  cabrank scenario list
  cabrank scenario start driver-cancels-rebook --sandbox ann
  cabrank scenario follow --within 2m
  cabrank scenario finish`,
	},
		f.action(verb{use: "[list]", does: "list the scenarios", call: control.ListScenarios, show: shown(printScenarios)}),
		f.action(verb{
			use: "start NAME", does: "prepare a world for a scenario, and print what to do", call: control.StartScenario, show: shown(printRun),
			names: f.names(control.ListScenarios, "scenarios", "name", "title"),
		}),
		cli.Action{
			Use: "follow [RUN]", Does: "wait until it ends, and print its outcome", Flags: []string{"within"}, Complete: runs,
			Run: func(cmd *cobra.Command, args []string) error { return f.followRun(cmd.Context(), runOf(args), within) },
		},
		cli.Action{
			Use: "finish [RUN]", Does: "end it, remove its settings, and print its outcome", Complete: runs,
			Run: func(cmd *cobra.Command, args []string) error {
				text, err := f.text(cmd.Context(), control.FinishRun, nil, runOf(args))
				if err != nil {
					return err
				}
				return f.judged(text)
			},
		}))
	cmd.Flags().DurationVar(&within, "within", time.Minute, "with follow: give up after this duration")
	return cmd
}

func printScenarios(w io.Writer, list control.ScenarioList) error {
	for _, s := range list.Scenarios {
		fmt.Fprintf(w, "%-25s %s\n", cli.Printable(s.Name), cli.Printable(s.Title))
	}
	return nil
}

func printRun(w io.Writer, r control.Run) error {
	fmt.Fprintf(w, "%s  %s: %s\n", cli.Printable(r.ID), cli.Printable(r.Scenario), cli.Printable(string(r.State)))
	if r.Ended.IsZero() {
		fmt.Fprintf(w, "  do   %s\n", cli.Line(r.Do))
	}
	for _, s := range r.Seen {
		mark := "to see"
		if s.Met {
			mark = "seen"
		}
		if _, err := fmt.Fprintf(w, "  %-6s  %s\n", mark, cli.Line(s.What)); err != nil {
			return err
		}
	}
	return nil
}

// runOf returns the id of the run in args, or "latest" if args name none.
func runOf(args []string) string {
	if len(args) == 0 {
		return "latest"
	}
	return args[0]
}

// lookEvery is the polling interval of a run.
const lookEvery = 200 * time.Millisecond

// followRun waits until a run is over or within has passed, in real time, and prints its outcome.
func (f *serverFlags) followRun(ctx context.Context, id string, within time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	next := time.NewTicker(lookEvery)
	defer next.Stop()
	for {
		text, err := f.text(context.WithoutCancel(ctx), control.ReadRun, nil, id)
		if err != nil {
			return err
		}
		var r control.Run
		if client.Decode(text, &r) != nil {
			return f.stranger()
		}
		if r.State != control.RunGoes || ctx.Err() != nil {
			return f.judged(text)
		}
		select {
		case <-ctx.Done():
		case <-next.C:
		}
	}
}

// judged prints the outcome of a run, and returns an error unless all expectations were
// met.
func (f *serverFlags) judged(text []byte) error {
	var r control.Run
	if client.Decode(text, &r) != nil {
		return f.stranger()
	}
	if err := f.print(text, shown(printRun)); err != nil || r.State == control.RunSeen {
		return err
	}
	return cli.Exit(cli.ExitFindings, fmt.Errorf("%s: not all expectations were met", cli.Printable(r.Scenario)))
}
