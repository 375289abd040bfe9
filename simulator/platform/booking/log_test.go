package booking_test

import (
	"log/slog"
)

// testLog is a log whose lines go to a function.
func testLog(line func(string)) *slog.Logger {
	return slog.New(slog.NewTextHandler(lines(line), &slog.HandlerOptions{Level: slog.LevelDebug}))
}

type lines func(string)

func (l lines) Write(text []byte) (int, error) {
	l(string(text))
	return len(text), nil
}
