// Package cli contains what all commands of cabrank share: the root command, settings
// from flags, environment and file, exit codes, colour, and text that is safe to print on
// a terminal.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Run executes one command line and returns the exit code. groups creates the commands.
func Run(ctx context.Context, args []string, out Outside, groups func(Outside) []Group) int {
	from := sources{}
	stdout, stderr := &printed{to: out.Stdout}, &printed{to: out.Stderr}
	defer stdout.flush()
	defer stderr.flush()
	out.Stdout, out.Stderr = stdout, stderr
	root := newRoot(out, groups(out), from)
	root.SetArgs(append([]string{}, args...)) // with nil, cobra would read the command line of the process
	err := root.ExecuteContext(ctx)
	if err == nil {
		return ExitOK
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return ExitInterrupted
	}
	code := ExitInternal
	if exit, ok := errors.AsType[*ExitError](err); ok {
		code = exit.Code
	}
	if text := err.Error(); text != "" {
		fmt.Fprintln(out.Stderr, "cabrank: "+from.name(text))
	}
	return code
}

// Exit codes, the same for every command.
const (
	ExitOK          = 0
	ExitFindings    = 1 // a MUST failed; a server refused
	ExitUsage       = 2 // the command line, the environment or the file is wrong
	ExitUnreachable = 3 // no server could be tested or called
	ExitInternal    = 4 // the program itself failed
	ExitInterrupted = 130
)

// ExitError is an error with the exit code of the program.
type ExitError struct {
	Code int
	Err  error // nil: all output has been printed already
}

// Error implements error.
func (e *ExitError) Error() string {
	if e.Err == nil {
		return ""
	}
	return e.Err.Error()
}

// Unwrap returns the cause.
func (e *ExitError) Unwrap() error { return e.Err }

// Exit returns an error with an exit code; err may be nil if all output has been printed.
func Exit(code int, err error) error { return &ExitError{Code: code, Err: err} }

// UsageError returns an error with [ExitUsage], for a mistake in what the user typed or configured.
func UsageError(format string, args ...any) error {
	return Exit(ExitUsage, fmt.Errorf(format, args...))
}

// Outside is what a command gets from its process: its streams and its environment.
type Outside struct {
	Stdin          io.Reader // nil: that of the process
	Stdout, Stderr io.Writer
	Environ        []string // NAME=value
}

// Getenv returns the value of a variable, or "" if it is not set. If it is set twice, the last value counts, as in
// os.Getenv.
func (o Outside) Getenv(name string) string {
	value, _ := o.lookup(name)
	return value
}

// lookup returns the value of a variable, and whether it is set, even to an empty value.
func (o Outside) lookup(name string) (value string, there bool) {
	for _, variable := range slices.Backward(o.Environ) {
		if value, there = strings.CutPrefix(variable, name+"="); there {
			return value, true
		}
	}
	return "", false
}

// Now returns the time of the wall clock. No other code of the commands reads that clock.
func Now() time.Time { return time.Now() }
