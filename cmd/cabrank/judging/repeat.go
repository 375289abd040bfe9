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
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/platformapi"
	"github.com/cabrank/cabrank/conformance/report"
)

// repeatFlags say how to reach the server for repeated requests.
type repeatFlags struct {
	accessFlags
	aidFlags
	outputFlags
	ownFlags
	url string
}

func newRepeat(out cli.Outside) *cobra.Command {
	var f repeatFlags
	cmd := &cobra.Command{
		Use:   "repeat RUN[#ID]",
		Short: "Repeat the requests that led to a verdict",
		Long: `Repeat the requests that led to the verdict on a check (or, with a number as ID, those that led to that
request), with the ids that the server returns now, and report whether the fault is still there.

Without an ID, repeat all failures and print a line for each (with -v a report for each, with -q only the
total); requests that advance the server's clock come last. RUN is the file of 'cabrank check --out RUN'. Its
phone numbers and credentials are pseudonyms, so pass the real ones. A failure that needed an aid needs it
again. For 'cabrank check platform', use --only of that command instead.

Exit codes: 0 the fault is gone, 1 it is still there, 2 wrong usage, 3 the server cannot be reached,
4 neither could be shown, 130 interrupted.`,
		Example: `  cabrank repeat run.json#BOK-16
  cabrank repeat run.json
  cabrank repeat run.json#ENR-20 --advance-url http://127.0.0.1:9000/test/advance
  cabrank repeat run.json#388 --url http://127.0.0.1:9000 --auth bearer:env:TOKEN`,
		Args: cli.ExactArgs("RUN[#ID]"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, out, args[0]) },
	}
	fs := cmd.Flags()
	fs.StringVar(&f.url, "url", "", "address of the server (default that of the run)")
	f.accessFlags.add(fs)
	f.aidFlags.add(fs)
	f.outputFlags.add(fs)
	f.ownFlags.add(fs)
	return cmd
}

func (f *repeatFlags) run(cmd *cobra.Command, out cli.Outside, what string) error {
	path, id, named := strings.Cut(what, "#")
	if named && id == "" {
		return cli.UsageError("%q names no requests, want RUN#ID, such as run.json#BOK-16 or run.json#12, or RUN for all failures", what)
	}
	earlier, err := readRun(path)
	if err != nil {
		return err
	}
	if earlier.Suite.Name == platformapi.Suite.Name {
		return cli.UsageError("%s is of a voice platform, of which single calls are not repeated: they depend on what was made before them; "+
			"'cabrank check platform %s --credentials-file FILE --only ID' makes all that one check needs", path, cmp.Or(f.url, earlier.Target))
	}
	if earlier.Suite.Name == callingside.Suite.Name {
		return cli.UsageError("%s is of a platform that calls: its calls cannot be made by anybody else; 'cabrank check caller --drive URL --only ID' plays the scenes of one check again", path)
	}
	if err := f.writable(); err != nil {
		return err
	}
	again, err := f.repeater(cmd.Context(), out, earlier)
	if err != nil {
		return err
	}
	if id == "" {
		return f.repeatAll(cmd, out, again)
	}
	run, err := f.judged(cmd, out, func(terminal *report.Terminal) (*conformance.Report, error) {
		return again.one(cmd.Context(), id, terminal)
	})
	if err != nil {
		return err
	}
	return exitOf(run)
}

// repeater returns a repeater for an earlier run.
func (f *repeatFlags) repeater(ctx context.Context, out cli.Outside, earlier *conformance.RunFile) (*repeater, error) {
	const seed = 1 // the random walk is not repeated
	target := newTarget(cmp.Or(f.url, earlier.Target), seed)
	if err := f.accessFlags.apply(ctx, &target, out); err != nil {
		return nil, err
	}
	if err := f.aidFlags.apply(&target, out); err != nil {
		return nil, err
	}
	var err error
	if target.Own, err = f.read(); err != nil {
		return nil, err
	}
	for _, c := range earlier.Suite.Checks {
		if _, known := dispatchside.SuiteWith(target.Own).Lookup(c.ID); !known {
			return nil, cli.UsageError("%s is a check of the firm's own: give --own", c.ID)
		}
	}
	return &repeater{target: target, earlier: earlier, made: map[int]*conformance.Report{}}, f.askForTokens()
}

// repeatAll repeats the requests of each failed verdict, prints a line for each, and ends
// with the worst exit code.
func (f *repeatFlags) repeatAll(cmd *cobra.Command, out cli.Outside, again *repeater) error {
	if f.asked() {
		return cli.UsageError("a report is of one verdict: want RUN#ID with --out and the formats")
	}
	terminal, err := f.terminal(cmd, out)
	if err != nil {
		return err
	}
	failed := dispatchside.RepeatOrder(again.earlier, again.earlier.Failed())
	is := map[conformance.Outcome]int{}
	for i, what := range failed {
		outcome, err := again.each(cmd.Context(), what, terminal)
		if cmd.Context().Err() != nil {
			return cli.Exit(cli.ExitInterrupted, fmt.Errorf("stopped at %d of %s; all journeys were cancelled, except those listed as left over", i+1, conformance.Count(len(failed), "failure")))
		}
		if err != nil {
			return err
		}
		is[outcome]++
	}
	there, unclear := is[conformance.Fail], is[conformance.NotVerified]
	fmt.Fprintf(out.Stdout, "%s repeated: %d gone, %d still there, %d not shown\n", conformance.Count(len(failed), "failure"), len(failed)-there-unclear, there, unclear)
	switch {
	case there > 0:
		return cli.Exit(cli.ExitFindings, nil)
	case unclear > 0:
		return cli.Exit(conformance.ExitBroken, nil)
	}
	return nil
}

// needs returns a text that names the flag for a missing aid.
func needs(missing *dispatchside.MissingAidError) string {
	return fmt.Sprintf("it needs an aid: pass %s", report.FlagsFor(missing.Aid))
}

// repeater repeats requests of an earlier run.
type repeater struct {
	target  dispatchside.Target
	earlier *conformance.RunFile
	made    map[int]*conformance.Report // the reports, by the last request that was repeated
}

// one repeats the requests that led to a verdict or to a single request, prints the report and returns it.
func (r *repeater) one(ctx context.Context, id string, terminal *report.Terminal) (*conformance.Report, error) {
	r.target.Preflight = terminal.Step
	rep, err := r.repeat(ctx, id)
	if missing, ok := errors.AsType[*dispatchside.MissingAidError](err); ok {
		return nil, cli.UsageError("%s: %s", id, needs(missing))
	}
	if err != nil {
		if rep != nil {
			terminal.Leftovers(rep)
		}
		return nil, runError(ctx, err)
	}
	rep.Follow(r.earlier, id)
	terminal.Report(rep)
	return rep, nil
}

// each repeats the requests of one of several verdicts, unless they were repeated already, prints the result, and
// returns its outcome: not verified if the requests cannot be repeated. It returns an error only if the server cannot
// be reached.
func (r *repeater) each(ctx context.Context, what string, terminal *report.Terminal) (conformance.Outcome, error) {
	rep, err := r.onceFor(ctx, what)
	missing, aid := errors.AsType[*dispatchside.MissingAidError](err)
	_, unreachable := errors.AsType[*conformance.Unreachable](err)
	switch {
	case unreachable || errors.Is(err, dispatchside.ErrHost):
		return "", runError(ctx, err)
	case aid:
		err = errors.New(needs(missing))
	case err == nil:
		rep.Follow(r.earlier, what)
		printRepeated(terminal, rep, rep.Repeated.String())
		return rep.Repeated.Is, nil
	}
	printRepeated(terminal, cmp.Or(rep, &conformance.Report{}), what+": "+err.Error())
	return conformance.NotVerified, nil
}

// printRepeated prints the result for a verdict in the requested detail, and always the
// journeys that are left over.
func printRepeated(terminal *report.Terminal, rep *conformance.Report, line string) {
	if !terminal.Quiet {
		fmt.Fprintln(terminal.W, cli.Line(line))
	}
	if terminal.Verbose && rep.Repeated != nil {
		terminal.Report(rep)
		return
	}
	terminal.Leftovers(rep)
}

// onceFor returns the report on the repeated requests of a verdict. If they were repeated for another verdict, it
// returns that report, without the journeys left over, which have been printed already.
func (r *repeater) onceFor(ctx context.Context, what string) (*conformance.Report, error) {
	calls, err := r.earlier.CallsToRepeat(what)
	if err != nil {
		return nil, err
	}
	last := calls[len(calls)-1].ID
	if r.made[last] != nil {
		made := *r.made[last]
		made.Leftovers = nil
		return &made, nil
	}
	rep, err := r.repeat(ctx, what)
	if err == nil {
		r.made[last] = rep
	}
	return rep, err
}

// repeat sends the requests of a verdict again and tests the responses. Generated names
// are different each time.
func (r *repeater) repeat(ctx context.Context, what string) (*conformance.Report, error) {
	target := r.target
	target.Nonce = uint64(cli.Now().UnixNano())
	rep, err := dispatchside.Repeat(ctx, target, r.earlier, what)
	if rep != nil {
		rep.Score(conformance.Scoring{}, cli.Now())
	}
	return rep, err
}
