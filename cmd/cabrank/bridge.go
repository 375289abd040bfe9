package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/judging"
	"github.com/cabrank/cabrank/cmd/cabrank/phoning"
	"github.com/cabrank/cabrank/conformance/thirdparty"
)

// The names by which the commands that are still in this package call what has
// moved to [cli] and [calling].

type outside struct {
	stdout, stderr io.Writer
	environ        []string
}

func (o outside) getenv(name string) string { return o.cli().Getenv(name) }

func (o outside) cli() cli.Outside {
	return cli.Outside{Stdout: o.stdout, Stderr: o.stderr, Environ: o.environ}
}

type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

const (
	exitOK          = cli.ExitOK
	exitFindings    = cli.ExitFindings
	exitUsage       = cli.ExitUsage
	exitUnreachable = cli.ExitUnreachable
	exitInterrupted = cli.ExitInterrupted

	defaultURL = calling.DefaultURL
	demoCaller = calling.DemoCaller
)

var (
	usageError    = cli.UsageError
	exactArgs     = cli.ExactArgs
	atMostOne     = cli.AtMostOne
	versionString = cli.Version
	printable     = cli.Printable
	printJSON     = cli.PrintJSON
	now           = cli.Now
	secretFrom    = cli.SecretFrom
	reachable     = cli.Reachable
	loopback      = cli.Loopback
	judge         = judging.Judge
	parsePlace    = calling.ParsePlace
	followJourney = calling.Follow
)

func coloured(cmd *cobra.Command, out outside, w io.Writer) (bool, error) {
	return cli.Coloured(cmd, out.cli(), w)
}

func init() {
	judging.NewReference = func(ctx context.Context) (judging.Reference, error) {
		s, err := newSelf(ctx)
		return reference{s}, err
	}
	judging.ServeReference = judgeSelf
}

type reference struct{ *self }

// Lend implements [judging.Reference].
func (r reference) Lend(t *thirdparty.Target) { r.lend(t) }

// groups are the commands, by what they are for.
func groups(o cli.Outside) []cli.Group {
	out := outside{o.Stdout, o.Stderr, o.Environ}
	return []cli.Group{
		{Title: "Run a dispatch system:", Commands: bridged(newServe(out), newDemo(out), newReady(out), newReplay(out), newSimulate(out), newTown(out), newSamples(out))},
		{Title: "Judge a dispatch system:", Commands: judging.Commands(o)},
		{Title: "Call a dispatch system:", Commands: calling.Commands(o)},
		{Title: "Run a voice platform:", Commands: phoning.Commands(o)},
	}
}

// bridged gives the errors of commands the exit codes that cli knows.
func bridged(commands ...*cobra.Command) []*cobra.Command {
	for _, cmd := range commands {
		bridged(cmd.Commands()...)
		inner := cmd.RunE
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			err := inner(cmd, args)
			if own, ok := errors.AsType[*exitError](err); ok {
				return cli.Exit(own.code, err)
			}
			return err
		}
	}
	return commands
}
