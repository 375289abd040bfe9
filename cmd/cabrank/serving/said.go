package serving

import (
	"io"
	"log/slog"
	"strings"
)

// warningWriter returns the writer for a server's warnings. With --log json they go to
// the log, so that each line of standard error is JSON.
func (f *systemFlags) warningWriter(stderr io.Writer, log *slog.Logger) io.Writer {
	if f.logging == "json" {
		return loggedLines{log}
	}
	return stderr
}

// loggedLines logs each line that is written to it as a warning.
type loggedLines struct{ log *slog.Logger }

// Write implements [io.Writer].
func (l loggedLines) Write(text []byte) (int, error) {
	for line := range strings.Lines(string(text)) {
		line = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(line), "warning: "), "cabrank: ")
		l.log.Warn(line)
	}
	return len(text), nil
}
