package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

// BenchmarkStart starts the program as it is released and waits until it is ready:
// until the file with its address is there, which is written when it answers. The
// town has 4 km, or there is none.
func BenchmarkStart(b *testing.B) {
	program := clitest.Build(b, b.TempDir())
	for _, town := range []string{"4000", "none"} {
		b.Run("town="+town, func(b *testing.B) {
			var cpu time.Duration
			for b.Loop() {
				cpu += startAndStop(b, program, "--town", town)
			}
			b.ReportMetric(float64(cpu.Milliseconds())/float64(b.N), "cpu-ms/op")
		})
	}
}

// startAndStop starts a server, and stops it once it is ready, which is not counted.
// It returns the processor's time that all of it took.
func startAndStop(b *testing.B, program string, flags ...string) time.Duration {
	address := filepath.Join(b.TempDir(), "url")
	cmd := exec.CommandContext(b.Context(), program,
		append([]string{"serve", "--listen", "127.0.0.1:0", "--log", "off", "--url-file", address}, flags...)...)
	require.NoError(b, cmd.Start())
	for ready := false; !ready; {
		time.Sleep(200 * time.Microsecond)
		_, err := os.Stat(address)
		ready = err == nil
	}
	b.StopTimer()
	defer b.StartTimer()
	require.NoError(b, cmd.Process.Signal(os.Interrupt))
	require.NoError(b, cmd.Wait())
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}
