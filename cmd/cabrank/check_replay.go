package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/conformance"
)

// storyFlags say to whom 'cabrank replay RUN#ID' makes the calls of a story.
type storyFlags struct {
	target targetFlags
	url    string
	quiet  bool
	own    *pflag.FlagSet // those of a story, and not of a journal
}

func (f *storyFlags) add(fs *pflag.FlagSet) {
	f.own = pflag.NewFlagSet("", pflag.ContinueOnError)
	f.own.StringVar(&f.url, "url", "", "of RUN#ID: call this address (default the one that the run was about)")
	f.own.BoolVarP(&f.quiet, "quiet", "q", false, "of RUN#ID: leave out what passed")
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.target.add(all)
	for _, name := range []string{"auth", "token-url", "scope", "ca", "cert", "key", "timeout", "allow-host", "phone"} {
		f.own.AddFlag(all.Lookup(name))
	}
	fs.AddFlagSet(f.own)
}

// unused refuses flags that say something of a story when a journal is repeated.
func (f *storyFlags) unused() (err error) {
	f.own.VisitAll(func(flag *pflag.Flag) {
		if flag.Changed && flag.Annotations[sourceNote] == nil {
			err = usageError("--%s goes with RUN#ID; a journal calls nobody", flag.Name)
		}
	})
	return err
}

// repeat makes the calls of a story again and tells what became of it.
func (f *storyFlags) repeat(cmd *cobra.Command, what string, out outside) error {
	url := f.url
	if url == "" {
		path, _, _ := strings.Cut(what, "#")
		earlier, err := readRun(path)
		if err != nil {
			return err
		}
		url = earlier.Target
	}
	target, err := f.target.target(cmd.Context(), out, []string{url})
	if err != nil {
		return err
	}
	colour, err := coloured(cmd, out, out.stdout)
	if err != nil {
		return err
	}
	report, err := repeatStory(cmd.Context(), what, target, conformance.Scoring{}, &conformance.Terminal{W: out.stdout, Colour: colour, Quiet: f.quiet})
	if err != nil {
		return err
	}
	if code := report.ExitCode(); code != exitOK {
		return &exitError{code: code}
	}
	return nil
}

// repeatStory repeats the calls of an earlier run that show a verdict.
func repeatStory(ctx context.Context, what string, target conformance.Target, scoring conformance.Scoring, terminal *conformance.Terminal) (*conformance.Report, error) {
	path, id, ok := strings.Cut(what, "#")
	if !ok || id == "" {
		return nil, usageError("--replay is %q, want RUN#ID, such as run.json#BOK-16 or run.json#12", what)
	}
	earlier, err := readRun(path)
	if err != nil {
		return nil, err
	}
	target.Preflight = terminal.Step
	report, err := conformance.Repeat(ctx, target, earlier, id)
	if err != nil {
		return nil, runError(ctx, err)
	}
	report.Score(scoring, now())
	report.Follow(earlier, id)
	terminal.Report(report)
	return report, nil
}
