package controlling

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/control"
)

func newScenario(out cli.Outside) *cobra.Command {
	var flags serverFlags
	var within time.Duration
	list := flags.one("[list]", "list the scenarios", nil,
		by(printScenarios, func(c *calls, ctx context.Context, _ string) (list control.ScenarioList, err error) {
			list.Scenarios, err = c.Scenarios(ctx)
			return list, err
		}))
	cmd := flags.command(out, cli.WithActions(&cobra.Command{
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
		list,
		flags.one("start NAME", "prepare a world for a scenario, and print what to do", flags.scenarios, by(printRun, (*calls).StartScenario)),
		cli.Action{
			Use: "follow [RUN]", Does: "wait until it ends, and print its outcome", Flags: []string{"within"}, Complete: first(flags.plays),
			Run: func(cmd *cobra.Command, args []string) error {
				return flags.followRun(cmd.Context(), runOf(args), within)
			},
		},
		cli.Action{
			Use: "finish [RUN]", Does: "end it, remove its settings, and print its outcome", Complete: first(flags.plays),
			Run: func(cmd *cobra.Command, args []string) error { return flags.finishRun(cmd.Context(), runOf(args)) },
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

// scenarios returns the names of a server's scenarios, for shell completion.
func (f *serverFlags) scenarios(ctx context.Context) []string {
	return f.live(ctx, func(c *calls, ctx context.Context) ([]string, error) {
		return namedBy(func(s control.ScenarioTitle) string { return s.Name + "\t" + s.Title })(c.Scenarios(ctx))
	})
}

// plays returns the ids of a world's scenario runs, for shell completion.
func (f *serverFlags) plays(ctx context.Context) []string {
	return f.live(ctx, func(c *calls, ctx context.Context) ([]string, error) {
		return namedBy(func(r control.Run) string { return r.ID + "\t" + r.Scenario })(c.Runs(ctx))
	})
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

// runOf is the id of the run that is meant; the latest unless one is named.
func runOf(args []string) string {
	if len(args) == 0 {
		return "latest"
	}
	return args[0]
}

// lookEvery is the polling interval of a run.
const lookEvery = 200 * time.Millisecond

// followRun waits, in real time, until a run is over.
func (f *serverFlags) followRun(ctx context.Context, id string, within time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	next := time.NewTicker(lookEvery)
	defer next.Stop()
	for {
		var r control.Run
		err := f.do(context.WithoutCancel(ctx), func(c *calls, ctx context.Context) (err error) {
			r, err = c.Run(ctx, id)
			return err
		})
		if err != nil {
			return err
		}
		if r.State != control.RunGoes || ctx.Err() != nil {
			return f.judged(r)
		}
		select {
		case <-ctx.Done():
		case <-next.C:
		}
	}
}

// judged prints the outcome of a run, and returns an error unless all expectations were
// met.
func (f *serverFlags) judged(r control.Run) error {
	if err := f.show(shownBy(printRun)(r, nil)); err != nil || r.State == control.RunSeen {
		return err
	}
	return cli.Exit(cli.ExitFindings, fmt.Errorf("%s: not all expectations were met", cli.Printable(r.Scenario)))
}

// finishRun ends a run.
func (f *serverFlags) finishRun(ctx context.Context, id string) error {
	var r control.Run
	err := f.do(ctx, func(c *calls, ctx context.Context) (err error) {
		r, err = c.FinishRun(ctx, id)
		return err
	})
	if err != nil {
		return err
	}
	return f.judged(r)
}
