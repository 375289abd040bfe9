package main

import (
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

	"github.com/cabrank/cabrank/conformance"
)

// formatFlags say where a run is written, and in which forms.
type formatFlags struct {
	out   string
	paths map[string]*string // by the flag's name
}

// formats are the forms that are made from a run file.
var formats = []struct {
	flag, help string
	write      func(*conformance.RunFile, io.Writer) error
}{
	{"json", "write the verdicts to this file as JSON", func(f *conformance.RunFile, w io.Writer) error { return f.WriteJSON(w) }},
	{"html", "write a report to read, one page that needs nothing else", (*conformance.RunFile).WriteHTML},
	{"junit", "write JUnit XML", (*conformance.RunFile).WriteJUnit},
	{"sarif", "write SARIF 2.1.0", (*conformance.RunFile).WriteSARIF},
	{"markdown", "write a summary in Markdown", (*conformance.RunFile).WriteMarkdown},
	{"badge", "write a badge, SVG", (*conformance.RunFile).WriteBadge},
	{"har", "write every call as HAR 1.2", (*conformance.RunFile).WriteHAR},
}

func (f *formatFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.out, "out", "", "write the run file: everything, for 'cabrank report', 'diff', 'verify' and --replay")
	f.paths = map[string]*string{}
	for _, form := range formats {
		f.paths[form.flag] = fs.String(form.flag, "", form.help+" (- for the standard output, in place of the text)")
	}
}

// toStdout reports whether a report takes the place of the text.
func (f *formatFlags) toStdout() bool {
	for _, path := range f.paths {
		if *path == "-" {
			return true
		}
	}
	return false
}

// writable finds out before a run whether what is asked for can be written after
// it.
func (f *formatFlags) writable() error {
	all := map[string]string{"out": f.out}
	var spoken []string
	for name, path := range f.paths {
		if all[name] = *path; *path == "-" {
			spoken = append(spoken, "--"+name)
		}
	}
	if slices.Sort(spoken); len(spoken) > 1 {
		return usageError("only one report fits the standard output: %s want it", strings.Join(spoken, ", "))
	}
	return writable(all)
}

// writable tries files that flags name. One that was not there is not there
// afterwards.
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
			return usageError("--%s: %w; nothing was run", flag, err)
		}
		err = file.Close()
		if isNew {
			err = errors.Join(err, os.Remove(path))
		}
		if err != nil {
			return usageError("--%s: %w; nothing was run", flag, err)
		}
	}
	return nil
}

// write writes the run in every form that was asked for.
func (f *formatFlags) write(run *conformance.RunFile, out outside) error {
	if f.out != "" {
		if err := writeTo("out", f.out, out, run.Write); err != nil {
			return err
		}
	}
	for _, form := range formats {
		if path := *f.paths[form.flag]; path != "" {
			if err := writeTo(form.flag, path, out, func(w io.Writer) error { return form.write(run, w) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// unreached writes every form that was asked for of a run that ended before it
// began, and hands on why. A file left over from an earlier run would be taken for
// one of this.
func (f *formatFlags) unreached(err error, out outside) error {
	unreachable, ok := errors.AsType[*conformance.Unreachable](err)
	if !ok {
		return err
	}
	if failed := f.write(conformance.NewRunFile(unreachable.Report(now()), versionString()), out); failed != nil {
		return errors.Join(err, failed)
	}
	return err
}

// writeTo writes a file that a flag names, or to the standard output for "-".
func writeTo(flag, path string, out outside, write func(io.Writer) error) error {
	if path == "-" {
		return write(out.stdout)
	}
	file, err := os.Create(path)
	if err != nil {
		return &exitError{exitUsage, fmt.Errorf("--%s: %w", flag, err)}
	}
	return errors.Join(write(file), file.Close())
}

func newReport(out outside) *cobra.Command {
	var f formatFlags
	var call int
	cmd := &cobra.Command{
		Use:   "report RUN",
		Short: "Turn a run file into any format: HTML, JUnit, SARIF, Markdown, badge, HAR",
		Long: `Turn the run file of 'cabrank check --out RUN' into other formats, without calling anybody.
Without a format, the verdicts are printed as the run told them.`,
		Example: `  cabrank report run.json
  cabrank report run.json --html report.html --sarif findings.sarif
  cabrank report run.json --markdown -
  cabrank report run.json --call 388`,
		Args: exactArgs("RUN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			run, err := readRun(args[0])
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("call") {
				if err := run.WriteCall(out.stdout, call); err != nil {
					return &exitError{exitUsage, err}
				}
				return nil
			}
			return f.tell(cmd, args[0], run, out)
		},
	}
	f.add(cmd.Flags())
	cmd.Flags().IntVar(&call, "call", 0, "show one call by its number: request, answer, verdicts that rest on it, and how to make it with curl")
	return cmd
}

// tell writes the formats asked for, or tells the verdicts.
func (f *formatFlags) tell(cmd *cobra.Command, path string, run *conformance.RunFile, out outside) error {
	asked := f.out != ""
	for _, path := range f.paths {
		asked = asked || *path != ""
	}
	if asked {
		return f.write(run, out)
	}
	colour, err := coloured(cmd, out, out.stdout)
	if err != nil {
		return err
	}
	terminal := conformance.Terminal{W: out.stdout, Colour: colour, RunFile: path, Catalogue: run.Catalogue}
	terminal.Report(&run.Report)
	return nil
}

// readRun reads a run file.
func readRun(path string) (*conformance.RunFile, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, &exitError{exitUsage, err}
	}
	defer file.Close()
	run, err := conformance.ReadRunFile(file)
	if err != nil {
		return nil, usageError("%s: %w", path, err)
	}
	return run, nil
}
