package judging

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/hostile"
	"github.com/cabrank/cabrank/conformance/thirdparty"
	"github.com/cabrank/cabrank/conformance/thirdparty/mutants"
)

// mostResident is how many MB of memory no server may make a command take.
const mostResident = 300

// TestPeakMemory measures what the program takes while it judges servers that mean harm,
// and what a report on such a run takes:
//
//	CABRANK_MEASURE=1 go test ./cmd/cabrank/judging -run TestPeakMemory -v -timeout 30m
func TestPeakMemory(t *testing.T) {
	if os.Getenv("CABRANK_MEASURE") == "" {
		t.Skip("it takes minutes; CABRANK_MEASURE=1 has it run")
	}
	folder := t.TempDir()
	program := filepath.Join(folder, "cabrank")
	said, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../").CombinedOutput()
	require.NoError(t, err, "%s", said)
	var honest http.Handler
	for _, v := range mutants.Variants() {
		if v.Name == "another vendor" {
			honest = v.Wrap(nil)
		}
	}
	require.NotNil(t, honest)
	for name, handler := range hostile.Servers(honest, 1<<20) {
		server := httptest.NewServer(handler)
		run := filepath.Join(folder, "run.json")
		_ = os.Remove(run)
		peak, took := measured(t, program, "check", server.URL, "--timeout", "2s", "--max-time", "90s", "-q", "--out", run, "--html", run+".html", "--har", run+".har")
		t.Logf("check    %4d MB %6.1fs  %s", peak, took.Seconds(), name)
		server.Close()
		info, err := os.Stat(run)
		require.NoError(t, err, "the report is written: %s", name)
		shown, _ := measured(t, program, "report", run, "--html", run+".html", "--sarif", run+".sarif")
		traffic := 0
		if conformanceCalls(t, run) > 0 {
			traffic, _ = measured(t, program, "check", "traffic", run+".har")
		}
		t.Logf("report   %4d MB, check traffic %4d MB, a run file of %d MB", shown, traffic, info.Size()>>20)
		for _, peak := range []int{peak, shown, traffic} {
			require.Less(t, peak, mostResident, name)
		}
	}
}

func conformanceCalls(t *testing.T, path string) int {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	run, err := conformance.ReadRunFile(file, &thirdparty.Suite)
	require.NoError(t, err)
	return len(run.Calls)
}

// measured runs the program, and returns its peak of resident memory in MB.
func measured(t *testing.T, program string, args ...string) (peak int, took time.Duration) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	var text strings.Builder
	cmd.Stdout, cmd.Stderr = io.Discard, &text
	began := time.Now()
	err := cmd.Run()
	require.NotContains(t, text.String(), "goroutine", "%v", err)
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	require.True(t, ok)
	return int(usage.Maxrss >> 10), time.Since(began)
}
