package main

import (
	"os/signal"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAClosedTerminalEndsInGoodOrder unless nohup has it ignored.
func TestAClosedTerminalEndsInGoodOrder(t *testing.T) {
	if signal.Ignored(syscall.SIGHUP) {
		require.NotContains(t, endings(), syscall.SIGHUP)
		return
	}
	require.Contains(t, endings(), syscall.SIGHUP)
	signal.Ignore(syscall.SIGHUP)
	defer signal.Reset(syscall.SIGHUP)
	require.NotContains(t, endings(), syscall.SIGHUP)
}
