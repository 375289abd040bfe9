package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
)

// outside is what a command may know of the world around it.
type outside struct {
	stdout, stderr io.Writer
	environ        []string // NAME=value
}

// getenv returns the value of a variable; the last one counts, as in os.Getenv.
func (o outside) getenv(name string) string {
	for _, variable := range slices.Backward(o.environ) {
		if value, ok := strings.CutPrefix(variable, name+"="); ok {
			return value
		}
	}
	return ""
}

// now is the one place where the program reads the wall clock; everything else
// has it handed in.
func now() time.Time { return time.Now() }

// Exit codes, the same for every command.
const (
	exitOK          = 0
	exitFindings    = 1 // a MUST failed; a server refused
	exitUsage       = 2 // the command line, the environment or the file is wrong
	exitUnreachable = 3 // nothing could be tested or asked
	exitInternal    = 4 // the program itself failed
	exitInterrupted = 130
)

// exitError is an error that says how the program ends.
type exitError struct {
	code int
	err  error // nil: everything has been said
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// usageError marks a mistake of whoever typed the command.
func usageError(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// run executes one command line and returns the exit code.
func run(ctx context.Context, args []string, out outside) int {
	from := sources{}
	root := newRoot(out, from)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return exitInterrupted
	}
	code := exitInternal
	if exit, ok := errors.AsType[*exitError](err); ok {
		code = exit.code
	}
	if text := err.Error(); text != "" {
		fmt.Fprintln(out.stderr, "cabrank: "+inLines(from.name(text)))
	}
	return code
}

// inLines makes an error's text fit for a terminal, line by line.
func inLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = printable(line)
	}
	return strings.Join(lines, "\n")
}

func newRoot(out outside, from sources) *cobra.Command {
	root := &cobra.Command{
		Use:   "cabrank",
		Short: "A dispatch system for bookable taxis, and the suite that judges yours",
		Long: `Cabrank is the reference implementation of the bookable-taxi interface.

  cabrank demo         the whole product on one loopback port, with a taxi to watch
  cabrank serve        a living dispatch system for a voice platform to call
  cabrank check URL    judge a dispatch system: a verdict per requirement
  cabrank book …       call any dispatch system without writing curl
  cabrank proxy        judge the traffic between somebody's platform and server
  cabrank simulate     live whole days with faults, and hold the rules

Every flag can also be set as CABRANK_<COMMAND>_<FLAG> in the environment, such as
CABRANK_SERVE_SPEED, or as {"serve": {"speed": 60}} in cabrank.json (or --config FILE).
A flag wins over the environment, the environment over the file. What several commands
share stands without a command: ` + strings.Join(sharedSettings, ", ") + ` (CABRANK_URL, {"url": …}).`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError("there is no command %q; 'cabrank --help' lists them", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := bindSettings(cmd, out, from); err != nil {
				return err
			}
			_, err := coloured(cmd, out, out.stdout)
			return err
		},
	}
	root.SetOut(out.stdout)
	root.SetErr(out.stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		what, _, _ := strings.Cut(err.Error(), ": strconv.") // which no user has to know of
		return usageError("%s; '%s --help' shows the flags", what, cmd.CommandPath())
	})
	root.PersistentFlags().String("config", "", "settings file, JSON (default cabrank.json when it is there)")
	root.PersistentFlags().String("color", "auto", "colour the output: auto, always or never")
	share(root.PersistentFlags(), "color")
	root.AddCommand(
		newServe(out), newDemo(out), newCheck(out),
		newExplain(out), newReport(out), newDiff(out), newVerify(out), newProxy(out), newRepeat(out),
		newBook(out), newCancel(out), newStatus(out), newUser(out),
		newReplay(out), newSimulate(out), newTown(out),
		newSamples(out), newReady(out), newVersion(out),
	)
	return root
}

// exactArgs is cobra.ExactArgs with an error that says what is wanted.
func exactArgs(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != len(names) {
			return usageError("want %q, got %d arguments", cmd.UseLine(), len(args))
		}
		return nil
	}
}

// coloured reports whether w should get colours, by --color, NO_COLOR and
// whether it is a terminal.
func coloured(cmd *cobra.Command, out outside, w io.Writer) (bool, error) {
	switch choice, _ := cmd.Flags().GetString("color"); choice {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
		return isTerminal(w) && out.getenv("NO_COLOR") == "", nil
	default:
		return false, usageError("--color is %q, want auto, always or never", choice)
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}
