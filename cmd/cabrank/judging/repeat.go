package judging

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	aidFlags
	outputFlags
	url string
}

func newRepeat(out cli.Outside) *cobra.Command {
	var f repeatFlags
	cmd := &cobra.Command{
		Use:   "repeat RUN[#ID]",
		Short: "Make the calls again that show a verdict of an earlier run",
		Long: `Make the calls again that show the verdict on a check of an earlier run (or, with a number for ID,
the calls that lead to that call), with the ids that the server gives now. It says whether the fault
is still there. Without an ID all that failed is repeated, a line for each verdict. RUN is the file of 'cabrank check --out RUN'; numbers and credentials in it are
pseudonyms, so give those that the server wants. A run of 'cabrank check platform' is not repeated: give that
command --only instead.

Exit codes: 0 the fault is gone, 1 it is still there, 2 wrong usage, 3 the server cannot be reached,
4 the calls showed neither, 130 stopped. What an aid has shown is repeated with that aid.`,
		Example: `  cabrank repeat run.json#BOK-16
  cabrank repeat run.json
  cabrank repeat run.json#ENR-20 --advance-url http://127.0.0.1:9000/test/advance
  cabrank repeat run.json#388 --url http://127.0.0.1:9000 --auth bearer:env:TOKEN`,
		Args: cli.ExactArgs("RUN[#ID]"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, out, args[0]) },
	}
	fs := cmd.Flags()
	fs.StringVar(&f.url, "url", "", "call this address (default the one that the run was about)")
	f.accessFlags.add(fs)
	f.aidFlags.add(fs)
	f.outputFlags.add(fs)
	return cmd
}

func (f *repeatFlags) run(cmd *cobra.Command, out cli.Outside, what string) error {
	path, id, named := strings.Cut(what, "#")
	if named && id == "" {
		return cli.UsageError("%q names no calls, want RUN#ID, such as run.json#BOK-16 or run.json#12, or RUN for all that failed", what)
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
	if id == "" {
		return f.repeatAll(cmd, out, earlier)
	}
	run, err := f.judged(cmd, out, func(terminal *report.Terminal) (*conformance.Report, error) {
		return f.repeat(cmd.Context(), out, earlier, id, terminal)
	})
	if err != nil {
		return err
	}
	return exitOf(run)
}

// repeatAll repeats each verdict that failed, says in a line what became of it, and ends with the
// exit code of the worst. Verdicts that the same calls show are repeated once.
func (f *repeatFlags) repeatAll(cmd *cobra.Command, out cli.Outside, earlier *conformance.RunFile) error {
	if f.asked() {
		return cli.UsageError("a report is of one verdict: want RUN#ID with --out and the formats")
	}
	there, unclear := 0, 0
	failed := earlier.Failed()
	made := map[int]*conformance.Report{} // by the last call
	for _, what := range failed {
		said, is, err := f.again(cmd.Context(), out, earlier, what, made)
		switch {
		case err != nil:
			return err
		case is == conformance.Fail:
			there++
		case is == conformance.NotVerified:
			unclear++
		}
		fmt.Fprintln(out.Stdout, cli.Line(said))
	}
	fmt.Fprintf(out.Stdout, "%s repeated: %d gone, %d still there, %d not shown\n", conformance.Count(len(failed), "failure"), len(failed)-there-unclear, there, unclear)
	switch {
	case there > 0:
		return cli.Exit(cli.ExitFindings, nil)
	case unclear > 0:
		return cli.Exit(conformance.ExitBroken, nil)
	}
	return nil
}

// again repeats the calls of one verdict, unless they were made, and says what became of it. What
// cannot be repeated is not verified.
func (f *repeatFlags) again(ctx context.Context, out cli.Outside, earlier *conformance.RunFile, what string, made map[int]*conformance.Report) (string, conformance.Outcome, error) {
	calls, err := earlier.CallsToRepeat(what)
	if err != nil {
		return what + ": " + err.Error(), conformance.NotVerified, nil
	}
	last := calls[len(calls)-1].ID
	if made[last] == nil {
		report, err := f.repeated(ctx, out, earlier, what, nil)
		if missing, ok := errors.AsType[*thirdparty.MissingAidError](err); ok {
			return what + ": " + needs(missing), conformance.NotVerified, nil
		}
		if err != nil {
			return "", "", err
		}
		made[last] = report
	}
	made[last].Follow(earlier, what)
	return made[last].Repeated.String(), made[last].Repeated.Is, nil
}

// needs says which flag repeating a verdict takes.
func needs(missing *thirdparty.MissingAidError) string {
	return fmt.Sprintf("it was shown with the help of an aid: give %s", report.FlagsFor(missing.Aid))
}

// repeat makes the calls again, judges the answers and prints what became of the verdict.
func (f *repeatFlags) repeat(ctx context.Context, out cli.Outside, earlier *conformance.RunFile, id string, terminal *report.Terminal) (*conformance.Report, error) {
	rep, err := f.repeated(ctx, out, earlier, id, terminal.Step)
	if missing, ok := errors.AsType[*thirdparty.MissingAidError](err); ok {
		return nil, cli.UsageError("%s: %s", id, needs(missing))
	}
	if err != nil {
		return nil, err
	}
	rep.Follow(earlier, id)
	terminal.Report(rep)
	return rep, nil
}

// repeated makes the calls of a verdict again and judges the answers.
func (f *repeatFlags) repeated(ctx context.Context, out cli.Outside, earlier *conformance.RunFile, id string, step func(conformance.Step)) (*conformance.Report, error) {
	const seed = 1 // no random walk is repeated
	target := newTarget(cmp.Or(f.url, earlier.Target), seed)
	target.Preflight = step
	if err := f.accessFlags.apply(ctx, &target, out); err != nil {
		return nil, err
	}
	if err := f.aidFlags.apply(&target, out); err != nil {
		return nil, err
	}
	if err := f.askForTokens(); err != nil {
		return nil, err
	}
	rep, err := thirdparty.Repeat(ctx, target, earlier, id)
	if err != nil {
		return nil, runError(ctx, err)
	}
	rep.Score(conformance.Scoring{}, cli.Now())
	return rep, nil
}
