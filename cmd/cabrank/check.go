package main

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/conformance"
)

// checkFlags say what to judge, how to get at it, and how to tell.
type checkFlags struct {
	targetFlags
	hookFlags
	formatFlags
	scoreFlags
	sealFlags
	harFlags
	profile string
	setUp   bool
	again   string
	self    bool
	matrix  bool
	quiet   bool
}

func newCheck(out outside) *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check URL | FILE.har",
		Short: "Judge a dispatch system: a verdict per requirement, with the evidence",
		Long: `Judge a dispatch system by the published interface. It books, edits, reads and cancels journeys
under made-up names a week ahead, and cancels every one of them at the end, also on Ctrl-C.
Given a HAR file it judges recorded traffic by the same rules, and makes none.

` + hookHelp() + `
Exit codes: 0 no MUST failed and the core is shown, 1 a MUST (or what --fail-on names) failed or, through
the server's own doing, could not be shown, a claimed tier is not offered or the baseline is stale,
2 wrong usage, 3 nothing could be tested, 4 the suite itself failed, 130 stopped.
With --replay: 1 the fault was reproduced, 0 it is gone, 4 neither.`,
		Example: `  cabrank check http://127.0.0.1:8080
  cabrank check https://dispatch.example/taxi --allow-host --auth bearer:env:TOKEN --phone 442079460001
  cabrank check http://127.0.0.1:8080 --out run.json --html report.html --junit junit.xml --quiet
  cabrank check --init http://127.0.0.1:8080 && cabrank check --profile check.yaml
  cabrank check http://127.0.0.1:8080 --replay run.json#BOK-16
  cabrank check traffic.har
  cabrank check --self
  cabrank check --self --matrix CAN-01`,
		Args: func(cmd *cobra.Command, args []string) error {
			if matrix, _ := cmd.Flags().GetBool("matrix"); matrix {
				return nil // words to choose mutants by
			}
			return atMostOne(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, out, args) },
	}
	fs := cmd.Flags()
	f.targetFlags.add(fs)
	f.hookFlags.add(fs)
	f.formatFlags.add(fs)
	f.scoreFlags.add(fs)
	f.sealFlags.add(fs)
	f.harFlags.add(fs)
	fs.StringVar(&f.profile, "profile", "", "YAML file with any of these flags and the url; flags win over it")
	fs.BoolVar(&f.setUp, "init", false, "write a commented profile, for the URL if one is given, to --profile (default "+profileFile+") and end")
	fs.StringVar(&f.again, "replay", "", "RUN#ID: repeat the calls that show a verdict, or lead to a call, of an earlier run, with the ids that are given now")
	fs.BoolVar(&f.self, "self", false, "judge the reference itself, with its clock as the hook that makes journeys progress")
	fs.BoolVar(&f.matrix, "matrix", false, "with --self: judge the judge by servers that are broken on purpose, all or those that speak of the words given")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "leave out what passed")
	return cmd
}

func (f *checkFlags) run(cmd *cobra.Command, out outside, args []string) error {
	if err := f.heeded(cmd.Flags(), args); err != nil {
		return err
	}
	if f.setUp {
		return writeProfile(f.profile, args, out)
	}
	if f.profile != "" {
		var err error
		if args, err = applyProfile(f.profile, cmd.Flags(), args); err != nil {
			return err
		}
	}
	switch {
	case f.matrix && !f.self:
		return usageError("--matrix goes with --self")
	case f.matrix:
		return f.killMatrix(cmd.Context(), args, out)
	case f.self && len(args) > 0:
		return usageError("--self judges the reference: want no URL")
	case !f.self && len(args) == 0:
		return usageError("want %q, or a url in --profile", cmd.UseLine())
	}
	if err := errors.Join(f.writable(), f.sealable(f.partial(args))); err != nil {
		return err
	}
	terminal, err := f.terminal(cmd, out)
	if err != nil {
		return err
	}
	report, err := f.report(cmd.Context(), out, args, terminal)
	if err != nil {
		return f.unreached(err, out)
	}
	return f.finish(report, out)
}

// partial names the argument that makes less than a whole run of it; "": none.
func (f *checkFlags) partial(args []string) string {
	switch {
	case len(f.only) > 0:
		return "--only"
	case f.again != "":
		return "--replay"
	case len(args) == 1 && isHAR(args[0]):
		return args[0]
	}
	return ""
}

// terminal returns where verdicts are told: nowhere, when a report goes to the
// standard output instead.
func (f *checkFlags) terminal(cmd *cobra.Command, out outside) (*conformance.Terminal, error) {
	text := out.stdout
	if f.toStdout() {
		text = io.Discard
	}
	colour, err := coloured(cmd, out, text)
	if err != nil {
		return nil, err
	}
	t := &conformance.Terminal{W: text, Colour: colour, Quiet: f.quiet, RunFile: f.out}
	if isTerminal(out.stderr) {
		t.Status = out.stderr
	}
	return t, nil
}

// report makes the report: of a run, of a repeated story, or of recorded traffic.
func (f *checkFlags) report(ctx context.Context, out outside, args []string, terminal *conformance.Terminal) (*conformance.Report, error) {
	scoring, err := f.scoring()
	if err != nil {
		return nil, err
	}
	if len(args) == 1 && !isHAR(args[0]) && !strings.Contains(args[0], "://") {
		if _, err := os.Stat(args[0]); err == nil {
			return nil, usageError("%q is a file and no server; 'cabrank report' shows a run file, 'cabrank replay RUN#ID' repeats a story of it", args[0])
		}
		return nil, usageError("%q is no address; write http://%s (or https://)", args[0], args[0])
	}
	if len(args) == 1 && isHAR(args[0]) {
		return f.judgeHAR(args[0], scoring, terminal)
	}
	target, err := f.target(ctx, out, args)
	if err != nil {
		return nil, err
	}
	if err := f.lend(&target); err != nil {
		return nil, err
	}
	if f.self {
		stop, err := judgeSelf(ctx, &target)
		if err != nil {
			return nil, err
		}
		defer stop()
	}
	if f.again != "" {
		return repeatStory(ctx, f.again, target, scoring, terminal)
	}
	return judgeBy(ctx, target, scoring, terminal)
}

// judge runs the suite, scored as usual, and writes its verdicts.
func judge(ctx context.Context, target conformance.Target, terminal *conformance.Terminal) (*conformance.Report, error) {
	return judgeBy(ctx, target, conformance.Scoring{}, terminal)
}

func judgeBy(ctx context.Context, target conformance.Target, scoring conformance.Scoring, terminal *conformance.Terminal) (*conformance.Report, error) {
	target.Preflight, target.Progress = terminal.Step, terminal.Progress
	report, err := conformance.Run(ctx, target)
	if err != nil {
		return nil, runError(ctx, err)
	}
	report.Score(scoring, now())
	terminal.Report(report)
	return report, nil
}

// runError gives an error of the suite the exit code that it deserves.
func runError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return &exitError{exitInterrupted, errors.New("interrupted before the run began; no journey was booked")}
	}
	if unreachable, ok := errors.AsType[*conformance.Unreachable](err); ok {
		return &exitError{exitUnreachable, unreachable}
	}
	if errors.Is(err, conformance.ErrHost) {
		return usageError("%w; --allow-host allows it", err)
	}
	return &exitError{exitUsage, err}
}

// finish writes what was asked for and ends with the report's exit code.
func (f *checkFlags) finish(report *conformance.Report, out outside) error {
	run := conformance.NewRunFile(report, versionString())
	if err := f.write(run, out); err != nil {
		return err
	}
	if err := f.seal(run, out); err != nil {
		return err
	}
	if code := report.ExitCode(); code != exitOK {
		return &exitError{code: code}
	}
	return nil
}

// openFile opens a file that a flag names.
func openFile(flag, path string) (*os.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, usageError("--%s: %w", flag, err)
	}
	return file, nil
}
