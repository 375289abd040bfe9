package main

import (
	"os/signal"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHangupStopsTheProgram expects SIGHUP among the signals that stop the program, unless nohup
// ignores it.
func TestHangupStopsTheProgram(t *testing.T) {
	if signal.Ignored(syscall.SIGHUP) {
		require.NotContains(t, endings(), syscall.SIGHUP)
		return
	}
	require.Contains(t, endings(), syscall.SIGHUP)
	signal.Ignore(syscall.SIGHUP)
	defer signal.Reset(syscall.SIGHUP)
	require.NotContains(t, endings(), syscall.SIGHUP)
}
