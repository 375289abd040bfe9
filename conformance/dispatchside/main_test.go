package dispatchside_test

import (
	"log/slog"
	"os"
	"runtime/debug"
	"testing"
)

// quiet is the log of servers that callers hang up on, on purpose.
var quiet = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)

// TestMain lets garbage pile up: the matrix makes a lot of it and has room.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
