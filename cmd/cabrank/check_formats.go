package main

import (
	"errors"
	"fmt"
	"io"
	"os"

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
	cmd := &cobra.Command{
		Use:   "report RUN",
		Short: "Turn a run file into any format: HTML, JUnit, SARIF, Markdown, badge, HAR",
		Long: `Turn the run file of 'cabrank check --out RUN' into other formats, without calling anybody.
Without a format, the verdicts are printed as the run told them.`,
		Example: `  cabrank report run.json
  cabrank report run.json --html report.html --sarif findings.sarif
  cabrank report run.json --markdown -`,
		Args: exactArgs("RUN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			run, err := readRun(args[0])
			if err != nil {
				return err
			}
			return f.tell(cmd, run, out)
		},
	}
	f.add(cmd.Flags())
	return cmd
}

// tell writes the formats asked for, or tells the verdicts.
func (f *formatFlags) tell(cmd *cobra.Command, run *conformance.RunFile, out outside) error {
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
	terminal := conformance.Terminal{W: out.stdout, Colour: colour}
	for _, r := range run.Checks {
		terminal.Check(r)
	}
	terminal.Summary(&run.Report)
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
