package serving

import (
	"io"
	"log/slog"
	"strings"
)

// saying is where a server writes its warnings: with a log of JSON they are part of that, so that
// each line of the error output can be read as JSON.
func (f *systemFlags) saying(stderr io.Writer, log *slog.Logger) io.Writer {
	if f.logging == "json" {
		return loggedLines{log}
	}
	return stderr
}

// loggedLines logs each line that is written as a warning.
type loggedLines struct{ log *slog.Logger }

// Write implements [io.Writer].
func (l loggedLines) Write(text []byte) (int, error) {
	for line := range strings.Lines(string(text)) {
		line = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(line), "warning: "), "cabrank: ")
		l.log.Warn(line)
	}
	return len(text), nil
}
