package judging

import (
	"errors"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/report"
)

// outputFlags say what is printed of a run and which files are written.
type outputFlags struct {
	formatFlags
	quiet, verbose bool
}

func (f *outputFlags) add(fs *pflag.FlagSet) {
	f.formatFlags.add(fs)
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "show no progress; for a failed preflight, show only the failed step")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "also print passed checks, all evidence, and checks that were not verified")
}

// terminal returns the printer of verdicts. It prints nothing if a report goes to
// standard output.
func (f *outputFlags) terminal(cmd *cobra.Command, out cli.Outside) (*report.Terminal, error) {
	text := out.Stdout
	if f.toStdout() {
		text = io.Discard
	}
	colour, err := cli.Coloured(cmd, out, text)
	if err != nil {
		return nil, err
	}
	t := &report.Terminal{W: text, Colour: colour, Quiet: f.quiet, Verbose: f.verbose, RunFile: f.out}
	if cli.IsTerminal(out.Stderr) && !f.quiet {
		t.Status = cli.Raw(out.Stderr) // the counts, in a line that is overwritten
	}
	return t, nil
}

// judged runs judge and writes the files.
func (f *outputFlags) judged(cmd *cobra.Command, out cli.Outside, judge func(*report.Terminal) (*conformance.Report, error)) (*conformance.RunFile, error) {
	boundMemory(out)
	terminal, err := f.terminal(cmd, out)
	if err != nil {
		return nil, err
	}
	report, err := judge(terminal)
	if err != nil {
		return nil, f.unreached(err, out)
	}
	run := conformance.NewRunFile(report, cli.Version())
	return run, errors.Join(f.write(run, out), f.annotate(run, out))
}

// exitOf returns the exit code of a run as an error.
func exitOf(run *conformance.RunFile) error {
	if code := run.ExitCode(); code != cli.ExitOK {
		return cli.Exit(code, nil)
	}
	return nil
}
