package cli

import "fmt"

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

// Exit gives an error an exit code; err may be nil if all output has been printed.
func Exit(code int, err error) error { return &ExitError{Code: code, Err: err} }

// UsageError is a mistake in what the user typed or configured.
func UsageError(format string, args ...any) error {
	return Exit(ExitUsage, fmt.Errorf(format, args...))
}
