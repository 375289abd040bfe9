package judging

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/report"
)

// checkSelfFlags say how the reference is tested.
type checkSelfFlags struct {
	areaFlags
	choiceFlags
	suiteFlags
	timeout time.Duration
}

func newCheckSelf(out cli.Outside) *cobra.Command {
	var f checkSelfFlags
	cmd := &cobra.Command{
		Use:   "self",
		Short: "Test the reference itself, with all aids",
		Long: `Test the reference itself over TLS on a free port of this machine, with all aids, so that every check can run.

` + exitCodes{of: "server"}.String(),
		Example: `  cabrank check self
  cabrank check self --quiet --html report.html
  cabrank check self --only BOK-16`,
		Args: cli.ExactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, out) },
	}
	fs := cmd.Flags()
	f.areaFlags.add(fs)
	f.choiceFlags.add(fs)
	f.suiteFlags.add(fs)
	addTimeout(fs, &f.timeout)
	return cmd
}

func (f *checkSelfFlags) run(cmd *cobra.Command, out cli.Outside) error {
	ctx := cmd.Context()
	return f.suiteFlags.run(cmd, out, func(scoring conformance.Scoring, terminal *report.Terminal) (*conformance.Report, error) {
		target := newTarget("", f.seed)
		target.Timeout = f.timeout
		if err := f.choiceFlags.apply(&target, &dispatchside.Suite); err != nil {
			return nil, err
		}
		if err := f.areaFlags.apply(&target); err != nil {
			return nil, err
		}
		stop, err := serveReference(ctx, &target)
		if err != nil {
			return nil, err
		}
		defer stop()
		target.Progress = newWatcher(ctx, out, terminal, f.quiet).progress
		return Judge(ctx, target, scoring, terminal)
	})
}
