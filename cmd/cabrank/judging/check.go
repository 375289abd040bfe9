// Package judging contains the commands that test a dispatch system, a platform, traffic,
// the reference and the suite itself, and the commands that show the results.
package judging

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/report"
)

// exitCodes makes the help text on the exit codes of a command that tests something. All members except of are
// additions for that command.
type exitCodes struct {
	of        string // what is tested: server or platform
	passed    string // what is true besides if nothing failed; "": the core was verified
	usage     string // further cases of wrong usage
	tooLittle string // flags that help if too little could be tested
	more      string // further codes
}

// String returns the text.
func (c exitCodes) String() string {
	return fmt.Sprintf(`Exit codes: 0 nothing failed that fails a run%s; 1 a MUST (or what --fail-on says) failed, the %s's
behaviour prevented the verification of the core, a claimed tier is not offered, or the baseline is stale;
2 wrong usage%s; 3 nothing, or not enough of the core, could be tested%s;
4 the suite itself failed%s; 130 interrupted.`, cmp.Or(c.passed, " and the core was verified"), c.of, c.usage, c.tooLittle, c.more)
}

// suiteFlags are the flags of every command that runs a whole suite.
type suiteFlags struct {
	outputFlags
	scoreFlags
}

func (f *suiteFlags) add(fs *pflag.FlagSet) {
	f.outputFlags.add(fs)
	f.scoreFlags.add(fs)
}

// run runs a suite, writes the requested reports and ends with the exit code of the run.
func (f *suiteFlags) run(cmd *cobra.Command, out cli.Outside, judge func(conformance.Scoring, *report.Terminal) (*conformance.Report, error)) error {
	scoring, err := f.scoring()
	if err != nil {
		return err
	}
	if err := f.writable(); err != nil {
		return err
	}
	run, err := f.judged(cmd, out, func(t *report.Terminal) (*conformance.Report, error) { return judge(scoring, t) })
	if err != nil {
		return err
	}
	return exitOf(run)
}

// checkFlags say which server to test, how to reach it, and what to write.
type checkFlags struct {
	accessFlags
	areaFlags
	choiceFlags
	aidFlags
	paceFlags
	startFlags
	ownFlags
	suiteFlags
	url string
}

func newCheck(out cli.Outside) *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check URL",
		Short: "Test a dispatch system: a verdict for each requirement, with evidence",
		Long: fmt.Sprintf(`Test a dispatch system against the published interface. A run books about %d journeys under generated names
a week ahead, edits and reads them, and cancels all of them at the end, also after Ctrl-C (a second Ctrl-C
leaves them). If the first /cancel fails, nothing more is booked.

URL must contain "://"; a single word is a command.

`, dispatchside.CostOf(dispatchside.Target{}).Bookings) + aidHelp() + `
` + exitCodes{
			of: "server", usage: ", or an aid that never worked", tooLittle: " (see --phone, --max-bookings and --max-time)",
			more: "; 5 --read-only: no failure in what it tests",
		}.String(),
		Example: `  cabrank check http://127.0.0.1:8080
  cabrank check https://dispatch.example/taxi --allow-host --auth bearer:env:TOKEN --phone 442079460001
  cabrank check http://127.0.0.1:8080 --out run.json --html report.html --junit junit.xml --quiet
  cabrank check init http://127.0.0.1:8080 && cabrank check
  cabrank check https://staging.example/taxi --allow-host --rate 5/s --max-bookings 100
  cabrank check http://127.0.0.1:8080 --wait 60s --max-time 2m
  cabrank check http://127.0.0.1:9000 --start "php -S 127.0.0.1:9000 taxi.php"
  cabrank check https://dispatch.example/taxi --allow-host --read-only
  cabrank check http://127.0.0.1:8080 --own own.json
  cabrank check traffic recorded.har`,
		Args: cli.AtMostOne,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, out, args) },
	}
	f.add(cmd.Flags())
	cmd.AddCommand(newCheckTraffic(out), newCheckSelf(out), newCheckInit(out), newCheckPlatform(out), newCheckCaller(out))
	return cmd
}

func (f *checkFlags) add(fs *pflag.FlagSet) {
	f.accessFlags.add(fs)
	f.areaFlags.add(fs)
	f.choiceFlags.add(fs)
	f.aidFlags.add(fs)
	f.paceFlags.add(fs)
	f.startFlags.add(fs)
	f.ownFlags.add(fs)
	f.suiteFlags.add(fs)
	fs.StringVar(&f.url, "url", "", "base address of the dispatch system, if no argument gives it")
	cli.Share(fs, "url")
}

func (f *checkFlags) run(cmd *cobra.Command, out cli.Outside, args []string) error {
	if len(args) == 0 && f.url != "" {
		args = []string{f.url}
	}
	if len(args) == 0 {
		return cli.UsageError("want %q, or the address in --url, CABRANK_URL or cabrank.json", cmd.UseLine())
	}
	if err := isAddress(args[0], cmd.Commands()...); err != nil {
		return err
	}
	own, err := f.read()
	if err != nil {
		return err
	}
	f.suite = dispatchside.SuiteWith(own)
	return f.suiteFlags.run(cmd, out, func(scoring conformance.Scoring, terminal *report.Terminal) (*conformance.Report, error) {
		target, err := f.target(cmd.Context(), out, args[0])
		if err != nil {
			return nil, err
		}
		end, err := f.start(cmd.Context(), args[0], f.wait, out)
		if err != nil {
			return nil, err
		}
		defer end()
		if err := f.askForTokens(); err != nil { // after start: the server that was started may issue the tokens
			return nil, err
		}
		target.Own = own
		target.Progress = newWatcher(cmd.Context(), out, terminal, f.quiet).progress
		return Judge(cmd.Context(), target, scoring, terminal)
	})
}

// target returns what the suite needs to know about the server at an address.
func (f *checkFlags) target(ctx context.Context, out cli.Outside, address string) (dispatchside.Target, error) {
	t := newTarget(address, f.seed)
	if err := f.choiceFlags.apply(&t, f.suite); err != nil {
		return t, err
	}
	if err := f.paceFlags.apply(&t); err != nil {
		return t, err
	}
	if err := f.areaFlags.apply(&t); err != nil {
		return t, err
	}
	if err := f.accessFlags.apply(ctx, &t, out); err != nil {
		return t, err
	}
	return t, f.aidFlags.apply(&t, out)
}

// isAddress returns a usage error if an argument is not an address. The error suggests what was meant, perhaps one of
// some commands.
func isAddress(arg string, commands ...*cobra.Command) error {
	if strings.Contains(arg, "://") {
		return nil
	}
	if isHAR(arg) {
		return cli.UsageError("%q is not an address; 'cabrank check traffic %s' judges recorded traffic", arg, arg)
	}
	if _, err := os.Stat(arg); err == nil {
		return cli.UsageError("%q is a file and no server; 'cabrank report' shows a run file, 'cabrank repeat RUN#ID' repeats calls of it", arg)
	}
	meant := []string{"http://" + arg + " (or https://)"}
	for _, c := range commands {
		if c.IsAvailableCommand() {
			meant = append(meant, c.Name())
		}
	}
	return cli.UsageError("%q is not an address; write %s", arg, strings.Replace(strings.Join(meant, ", "), "), ", "), or one of the commands ", 1))
}

// mostMemory is a soft memory limit for commands that test servers. Above it the garbage
// collector runs more often.
const mostMemory = 160 << 20

// boundMemory sets mostMemory as the limit, unless GOMEMLIMIT sets another.
func boundMemory(out cli.Outside) {
	if out.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(mostMemory)
	}
}

// Commands returns the commands.
func Commands(out cli.Outside) []*cobra.Command {
	return []*cobra.Command{
		newCheck(out), newExplain(out), newReport(out), newDiff(out),
		newBaseline(out), newRepeat(out), newProxy(out), newOpenAPI(out),
	}
}

// Judge runs the suite against a dispatch system, prints the verdicts and returns the report.
func Judge(ctx context.Context, target dispatchside.Target, scoring conformance.Scoring, terminal *report.Terminal) (*conformance.Report, error) {
	target.Preflight = terminal.Step
	report, err := dispatchside.Run(ctx, target)
	if err != nil {
		return nil, runError(ctx, err)
	}
	report.Score(scoring, cli.Now())
	terminal.Report(report)
	return report, nil
}

// runError returns an error of the suite with its exit code.
func runError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return cli.Exit(cli.ExitInterrupted, errors.New("interrupted before the run began; no journey was booked"))
	}
	if unreachable, ok := errors.AsType[*conformance.Unreachable](err); ok {
		return cli.Exit(cli.ExitUnreachable, unreachable)
	}
	if errors.Is(err, dispatchside.ErrHost) {
		return cli.UsageError("%w; --allow-host allows it", err)
	}
	return cli.Exit(cli.ExitUsage, err)
}
