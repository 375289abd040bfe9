// Package cli is what all commands of cabrank have in common: the root command,
// settings from flags, environment and file, exit codes, colour, and text that is
// fit for a terminal.
package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Run executes one command line and returns the exit code. groups makes the
// commands.
func Run(ctx context.Context, args []string, out Outside, groups func(Outside) []Group) int {
	from := sources{}
	root := newRoot(out, groups(out), from)
	root.SetArgs(args)
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
		fmt.Fprintln(out.Stderr, "cabrank: "+printableLines(from.name(text)))
	}
	return code
}

// printableLines makes an error's text fit for a terminal, line by line.
func printableLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = Printable(line)
	}
	return strings.Join(lines, "\n")
}
