package judging

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/platformapi"
	"github.com/cabrank/cabrank/conformance/report"
	"github.com/cabrank/cabrank/conformance/thirdparty"
)

// repeatFlags say to which server the calls of an earlier run are made again.
type repeatFlags struct {
	accessFlags
	outputFlags
	url string
}

func newRepeat(out cli.Outside) *cobra.Command {
	var f repeatFlags
	cmd := &cobra.Command{
		Use:   "repeat RUN#ID",
		Short: "Make the calls again that show a verdict of an earlier run",
		Long: `Make the calls again that show the verdict on a check of an earlier run (or, with a number for ID,
the calls that lead to that call), with the ids that the server gives now. It says whether the fault
is still there. RUN is the file of 'cabrank check --out RUN'; numbers and credentials in it are
pseudonyms, so give those that the server wants. A run of 'cabrank check platform' is not repeated: give that
command --only instead.

Exit codes: 0 the fault is gone, 1 it is still there, 2 wrong usage, 3 the server cannot be reached,
4 the calls showed neither, 130 stopped.`,
		Example: `  cabrank repeat run.json#BOK-16
  cabrank repeat run.json#388 --url http://127.0.0.1:9000 --auth bearer:env:TOKEN`,
		Args: cli.ExactArgs("RUN#ID"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, out, args[0]) },
	}
	fs := cmd.Flags()
	fs.StringVar(&f.url, "url", "", "call this address (default the one that the run was about)")
	f.accessFlags.add(fs)
	f.outputFlags.add(fs)
	return cmd
}

func (f *repeatFlags) run(cmd *cobra.Command, out cli.Outside, what string) error {
	path, id, ok := strings.Cut(what, "#")
	if !ok || id == "" {
		return cli.UsageError("%q names no calls, want RUN#ID, such as run.json#BOK-16 or run.json#12", what)
	}
	earlier, err := readRun(path)
	if err != nil {
		return err
	}
	if earlier.Suite == &platformapi.Suite {
		return cli.UsageError("%s is of a voice platform, of which single calls are not repeated: they depend on what was made before them; "+
			"'cabrank check platform %s --credentials-file FILE --only ID' makes all that one check needs", path, cmp.Or(f.url, earlier.Target))
	}
	if earlier.Suite == &callingside.Suite {
		return cli.UsageError("%s is of a platform that calls: its calls cannot be made by anybody else; 'cabrank check caller --drive URL --only ID' plays the scenes of one check again", path)
	}
	if err := f.writable(); err != nil {
		return err
	}
	run, err := f.judged(cmd, out, func(terminal *report.Terminal) (*conformance.Report, error) {
		return f.repeat(cmd.Context(), out, earlier, id, terminal)
	})
	if err != nil {
		return err
	}
	return exitOf(run)
}

// repeat makes the calls again and judges the answers.
func (f *repeatFlags) repeat(ctx context.Context, out cli.Outside, earlier *conformance.RunFile, id string, terminal *report.Terminal) (*conformance.Report, error) {
	const seed = 1 // no random walk is repeated
	target := newTarget(cmp.Or(f.url, earlier.Target), seed)
	target.Preflight = terminal.Step
	if err := f.apply(ctx, &target, out); err != nil {
		return nil, err
	}
	report, err := thirdparty.Repeat(ctx, target, earlier, id)
	if err != nil {
		return nil, runError(ctx, err)
	}
	report.Score(conformance.Scoring{}, cli.Now())
	report.Follow(earlier, id)
	terminal.Report(report)
	return report, nil
}
