package judging

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/platformapi"
	"github.com/cabrank/cabrank/conformance/report"
)

// formatFlags say where a run is written, and in which formats.
type formatFlags struct {
	out        string
	sourceFile string
	paths      map[string]*string // by the flag's name
	judge      *conformance.Suite // nil: that of dispatch systems
}

func (f *formatFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.out, "out", "", "write the run file, for 'cabrank report', 'diff' and 'repeat'")
	fs.StringVar(&f.sourceFile, "source-file", "", "source file in the repository at which GitHub Actions shows the findings, such as src/server.js")
	f.paths = map[string]*string{}
	for _, format := range report.Formats() {
		f.paths[format.Name] = fs.String(format.Name, "", "write "+format.Help+" (- for standard output instead of the text)")
	}
}

// asked reports whether any file was requested.
func (f *formatFlags) asked() bool {
	for _, path := range f.paths {
		if *path != "" {
			return true
		}
	}
	return f.out != ""
}

// toStdout reports whether a report goes to standard output instead of the text.
func (f *formatFlags) toStdout() bool {
	for _, path := range f.paths {
		if *path == "-" {
			return true
		}
	}
	return false
}

// writable returns an error, before a run, if one of its files cannot be written or two reports go to standard output.
func (f *formatFlags) writable() error {
	all := map[string]string{"out": f.out}
	var toStdout []string
	for name, path := range f.paths {
		if all[name] = *path; *path == "-" {
			toStdout = append(toStdout, "--"+name)
		}
	}
	if slices.Sort(toStdout); len(toStdout) > 1 {
		return cli.UsageError("only one report fits the standard output: %s want it", strings.Join(toStdout, ", "))
	}
	return writable(all)
}

// writable returns an error if the file of a flag cannot be opened for writing. It removes the files that it creates.
func writable(paths map[string]string) error {
	for _, flag := range slices.Sorted(maps.Keys(paths)) {
		path := paths[flag]
		if path == "" || path == "-" {
			continue
		}
		_, err := os.Stat(path)
		isNew := errors.Is(err, fs.ErrNotExist)
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
		if err != nil {
			return cli.UsageError("--%s: %w; nothing was run", flag, err)
		}
		err = file.Close()
		if isNew {
			err = errors.Join(err, os.Remove(path))
		}
		if err != nil {
			return cli.UsageError("--%s: %w; nothing was run", flag, err)
		}
	}
	return nil
}

// write writes the run in every requested format, even if one of them cannot be written.
func (f *formatFlags) write(run *conformance.RunFile, out cli.Outside) error {
	var failed []error
	if f.out != "" {
		failed = append(failed, writeTo("out", f.out, out, run.Write))
	}
	for _, format := range report.Formats() {
		if path := *f.paths[format.Name]; path != "" {
			failed = append(failed, writeTo(format.Name, path, out, func(w io.Writer) error { return format.Write(w, run) }))
		}
	}
	return errors.Join(failed...)
}

// annotate writes findings as annotations if GitHub Actions runs the command.
func (f *formatFlags) annotate(run *conformance.RunFile, out cli.Outside) error {
	if out.Getenv("GITHUB_ACTIONS") != "true" {
		return nil
	}
	if f.toStdout() {
		return report.WriteAnnotations(out.Stderr, run, f.sourceFile)
	}
	return report.WriteAnnotations(out.Stdout, run, f.sourceFile)
}

// writeUnreached writes the files also for a run that could not begin: otherwise a file of an earlier run would be taken for
// one of this run. It returns err, perhaps with an error of writing.
func (f *formatFlags) writeUnreached(err error, out cli.Outside) error {
	unreachable, ok := errors.AsType[*conformance.Unreachable](err)
	if !ok {
		return err
	}
	if failed := f.write(conformance.NewRunFile(unreachable.Report(cmp.Or(f.judge, &dispatchside.Suite), cli.Now()), cli.Version()), out); failed != nil {
		return errors.Join(err, failed)
	}
	return err
}

// writeTo writes the file of a flag, or standard output for "-". If writing fails, as on
// a full disk, the file is removed: half a report would be taken for a whole one.
func writeTo(flag, path string, out cli.Outside, write func(io.Writer) error) error {
	if path == "-" {
		return write(cli.Raw(out.Stdout))
	}
	file, err := os.Create(path)
	if err != nil {
		return cli.Exit(cli.ExitUsage, fmt.Errorf("--%s: %w", flag, err))
	}
	if err := errors.Join(write(file), file.Close()); err != nil {
		if info, known := os.Lstat(path); known == nil && info.Mode().IsRegular() {
			err = errors.Join(err, os.Remove(path))
		}
		return cli.Exit(cli.ExitInternal, fmt.Errorf("--%s: %w; the file was not written, but the verdicts are complete", flag, err))
	}
	return nil
}

// openFile opens the file of a flag for reading.
func openFile(flag, path string) (io.ReadCloser, error) {
	file, err := cli.OpenText(path)
	if err != nil {
		return nil, cli.UsageError("--%s: %w", flag, err)
	}
	return file, nil
}

// outputFlags are the flags that say what is printed of a run and which files are written.
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

// judged calls judge, and writes the requested files and annotations of the run.
func (f *outputFlags) judged(cmd *cobra.Command, out cli.Outside, judge func(*report.Terminal) (*conformance.Report, error)) (*conformance.RunFile, error) {
	boundMemory(out)
	terminal, err := f.terminal(cmd, out)
	if err != nil {
		return nil, err
	}
	report, err := judge(terminal)
	if err != nil {
		return nil, f.writeUnreached(err, out)
	}
	run := conformance.NewRunFile(report, cli.Version())
	return run, errors.Join(f.write(run, out), f.annotate(run, out))
}

// exitOf returns the exit code of a run as an error, or nil if the code is 0.
func exitOf(run *conformance.RunFile) error {
	if code := run.ExitCode(); code != cli.ExitOK {
		return cli.Exit(code, nil)
	}
	return nil
}

func newReport(out cli.Outside) *cobra.Command {
	var f formatFlags
	var call int
	var verbose bool
	cmd := &cobra.Command{
		Use:   "report RUN",
		Short: "Convert a run file: HTML, JUnit, Markdown, HAR",
		Long: `Convert the run file of 'cabrank check --out RUN' to other formats, without sending any request. Without a
format, print the verdicts as the run did.`,
		Example: `  cabrank report run.json -v
  cabrank report run.json --html report.html --junit junit.xml
  cabrank report run.json --markdown -
  cabrank report run.json --call 388`,
		Args: cli.ExactArgs("RUN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			boundMemory(out)
			run, err := readRun(args[0])
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("call") {
				if err := report.WriteCall(out.Stdout, run, call); err != nil {
					return cli.Exit(cli.ExitUsage, err)
				}
				return nil
			}
			return f.show(cmd, args[0], run, verbose, out)
		},
	}
	f.add(cmd.Flags())
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "also print passed checks, all evidence, and checks that were not verified")
	cmd.Flags().IntVar(&call, "call", 0, "show one request by its number: request, response, the verdicts that depend on it, and a curl command")
	return cmd
}

// show writes the requested formats, or prints the verdicts.
func (f *formatFlags) show(cmd *cobra.Command, path string, run *conformance.RunFile, verbose bool, out cli.Outside) error {
	if f.asked() {
		return f.write(run, out)
	}
	colour, err := cli.Coloured(cmd, out, out.Stdout)
	if err != nil {
		return err
	}
	terminal := report.Terminal{W: out.Stdout, Colour: colour, Verbose: verbose, RunFile: path, Catalogue: run.Catalogue}
	terminal.Report(&run.Report)
	return nil
}

// readRun reads a run file.
func readRun(path string) (*conformance.RunFile, error) {
	file, err := cli.OpenText(path)
	if err != nil {
		return nil, cli.Exit(cli.ExitUsage, err)
	}
	defer file.Close()
	run, err := conformance.ReadRunFile(file, &dispatchside.Suite, &platformapi.Suite, &callingside.Suite)
	if err != nil {
		return nil, cli.UsageError("%s: %w", path, err)
	}
	return run, nil
}
