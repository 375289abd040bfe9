// Package cli contains what all commands of cabrank share: the root command, settings
// from flags, environment and file, exit codes, colour, and text that is safe to print on
// a terminal.
package cli

import (
	"context"
	"errors"
	"fmt"
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
