package conformance_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain lets garbage pile up: the matrix makes a lot of it and has room.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
