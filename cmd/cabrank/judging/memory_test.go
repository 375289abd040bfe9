//go:build unix

package judging

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/mutants"
	"github.com/cabrank/cabrank/conformance/hostile"
)

// mostResident is how many MB of memory no server may make a command take.
const mostResident = 300

// TestPeakMemory measures what the program takes while it judges servers that mean harm,
// and what a report on such a run takes:
//
//	MEASURE=1 go test ./cmd/cabrank/judging -run TestPeakMemory -v -timeout 30m
func TestPeakMemory(t *testing.T) {
	if os.Getenv("MEASURE") == "" {
		t.Skip("it takes minutes; MEASURE=1 has it run")
	}
	folder := t.TempDir()
	program, honest := clitest.Build(t, folder), mutants.Vendor("")
	for name, handler := range hostile.Servers(honest, 1<<20) {
		server := httptest.NewServer(handler)
		run := filepath.Join(folder, "run.json")
		_ = os.Remove(run)
		peak, took := measured(t, program, "check", server.URL, "--timeout", "2s", "--max-time", "90s", "-q", "--out", run, "--html", run+".html", "--har", run+".har")
		t.Logf("check    %4d MB %6.1fs  %s", peak, took.Seconds(), name)
		server.Close()
		info, err := os.Stat(run)
		require.NoError(t, err, "the report is written: %s", name)
		shown, _ := measured(t, program, "report", run, "--html", run+".html", "--junit", run+".xml")
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

// TestPeakMemoryOfProxy has a thousand calls go by to each of these servers, and stops
// the proxy, whose report is written whatever went by.
func TestPeakMemoryOfProxy(t *testing.T) {
	if os.Getenv("MEASURE") == "" {
		t.Skip("it takes minutes; MEASURE=1 has it run")
	}
	folder := t.TempDir()
	program, honest := clitest.Build(t, folder), mutants.Vendor("")
	for name, handler := range hostile.Servers(honest, 1<<20) {
		server := httptest.NewServer(handler)
		run, address := filepath.Join(folder, "run.json"), filepath.Join(folder, "proxy.url")
		_ = os.Remove(run)
		began := time.Now()
		proxy := start(t, program, "proxy", "--target", server.URL, "--listen", "127.0.0.1:0", "--url-file", address, "-q", "--out", run, "--html", run+".html", "--har", run+".har")
		require.Eventually(t, func() bool { _, err := os.Stat(address); return err == nil }, time.Minute, 20*time.Millisecond, "no address")
		url := clitest.Read(t, address)
		calls := callALot(t, strings.TrimSpace(url), 1000)
		require.NoError(t, proxy.Process.Signal(os.Interrupt))
		peak := peakOf(t, proxy)
		t.Logf("proxy    %4d MB %6.1fs  %d calls, %s", peak, time.Since(began).Seconds(), calls, name)
		server.Close()
		require.FileExists(t, run, name)
		require.Less(t, peak, mostResident, name)
	}
}

// TestPeakMemoryOfTraffic reads files that are far larger than the limit on memory.
func TestPeakMemoryOfTraffic(t *testing.T) {
	if os.Getenv("MEASURE") == "" {
		t.Skip("it takes minutes; MEASURE=1 has it run")
	}
	folder := t.TempDir()
	program := clitest.Build(t, folder)
	for name, body := range map[string]string{
		"lists of numbers": `{"status":"OK","junk":[` + strings.Repeat("0,", 1<<19) + `0]}`,
		"long texts":       `{"status":"OK","junk":"` + strings.Repeat("x", 1<<20) + `"}`,
		"many members":     `{"status":"OK"` + strings.Repeat(`,"m":{"a":null}`, 1<<16) + `}`,
	} {
		path := filepath.Join(folder, "huge.har")
		writeHAR(t, path, body, 300)
		run := filepath.Join(folder, "run.json")
		peak, took := measured(t, program, "check", "traffic", path, "--out", run, "--html", run+".html")
		t.Logf("check traffic %4d MB %6.1fs  300 answers of 1 MB, %s", peak, took.Seconds(), name)
		require.Less(t, peak, mostResident, name)
		shown, took := measured(t, program, "report", run, "--html", run+".html", "--har", run+".har")
		t.Logf("report        %4d MB %6.1fs", shown, took.Seconds())
		require.Less(t, shown, mostResident, name)
	}
}

// writeHAR writes a recording of so many calls that are answered with body.
func writeHAR(t *testing.T, path, body string, calls int) {
	t.Helper()
	file, err := os.Create(path)
	require.NoError(t, err)
	w := bufio.NewWriter(file)
	text, err := json.Marshal(body)
	require.NoError(t, err)
	fmt.Fprint(w, `{"log":{"version":"1.2","entries":[`)
	for i := range calls {
		if i > 0 {
			fmt.Fprint(w, ",")
		}
		fmt.Fprintf(w, `{"startedDateTime":"2026-10-01T12:00:00Z","time":12.5,`+
			`"request":{"method":"POST","url":"https://taxis.example/config","headers":[{"name":"content-type","value":"application/json"}],"bodySize":2,"postData":{"text":"{}"}},`+
			`"response":{"status":200,"headers":[{"name":"content-type","value":"application/json"}],"bodySize":%d,"content":{"size":%d,"text":%s}}}`, len(body), len(body), text)
	}
	fmt.Fprint(w, `]}}`)
	require.NoError(t, w.Flush())
	require.NoError(t, file.Close())
}

// callALot asks for the five operations, so often in all, and returns how many calls were
// made: fewer when answers do not end.
func callALot(t *testing.T, base string, most int) int {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	bodies := []string{
		"config {}", `user {"phoneNumber":"442079460001"}`, `status {"userId":"u1","journeyId":"j1"}`, `cancel {"userId":"u1","journeyId":"j1"}`,
		`book {"userId":"u1","name":"Ann","phoneNumber":"442079460001","pickup":{"address":"1 Mill Lane"},"dropoffs":[{"address":"2 Mill Lane"}],"pickupTime":"2026-10-01T12:00:00Z"}`,
	}
	client := &http.Client{Timeout: 2 * time.Second}
	var made atomic.Int64
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for ctx.Err() == nil && made.Load() < int64(most) {
				op, body, _ := strings.Cut(bodies[made.Add(1)%int64(len(bodies))], " ")
				req, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/"+op, strings.NewReader(body))
				if err != nil {
					return
				}
				req.Header.Set("Content-Type", "application/json")
				if resp, err := client.Do(req); err == nil {
					_, _ = io.Copy(io.Discard, resp.Body) // it may break off
					_ = resp.Body.Close()
				}
			}
		})
	}
	group.Wait()
	client.CloseIdleConnections()
	return int(made.Load())
}

func conformanceCalls(t *testing.T, path string) int {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	run, err := conformance.ReadRunFile(file, &dispatchside.Suite)
	require.NoError(t, err)
	return len(run.Calls)
}

// measured runs the program, and returns its peak of resident memory in MB.
func measured(t *testing.T, program string, args ...string) (peak int, took time.Duration) {
	t.Helper()
	began := time.Now()
	peak = peakOf(t, start(t, program, args...))
	return peak, time.Since(began)
}

// start starts the program.
func start(t *testing.T, program string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Stdout, cmd.Stderr = io.Discard, new(strings.Builder)
	require.NoError(t, cmd.Start())
	return cmd
}

// peakOf waits for the program, which is not to crash, and returns its peak of resident
// memory in MB.
func peakOf(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	err := cmd.Wait()
	require.NotContains(t, cmd.Stderr.(*strings.Builder).String(), "goroutine", "%v", err)
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	require.True(t, ok)
	return int(usage.Maxrss >> 10)
}
