package clitest

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Build builds the program into a folder and returns its path.
func Build(t testing.TB, folder string) (program string) {
	t.Helper()
	program = filepath.Join(folder, "cabrank")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "github.com/cabrank/cabrank/cmd/cabrank").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return program
}

// Process is a serving command in a process of its own, as users run it.
type Process struct {
	T     *testing.T
	URL   string // where it serves; "" until Serving returns
	Cmd   *exec.Cmd
	Out   Buffer        // both outputs
	Ended chan struct{} // closed when the process has ended

	urlFile string
	err     error // exit error
}

// Start starts a command on a free port and does not wait until it serves. The process is
// killed at the end of the test if it still runs.
func Start(t *testing.T, program, command string, args ...string) *Process {
	t.Helper()
	dir := t.TempDir()
	p := &Process{T: t, urlFile: filepath.Join(dir, "url"), Ended: make(chan struct{})}
	p.Cmd = exec.CommandContext(context.WithoutCancel(t.Context()), program,
		append([]string{command, "--listen", "127.0.0.1:0", "--url-file", p.urlFile}, args...)...)
	p.Cmd.Dir = dir
	p.Cmd.Stdout, p.Cmd.Stderr = &p.Out, &p.Out
	require.NoError(t, p.Cmd.Start())
	go func() { // ends with the process
		p.err = p.Cmd.Wait()
		close(p.Ended)
	}()
	t.Cleanup(p.Kill)
	return p
}

// Serving waits until the process serves, and returns it. The test fails if the process ends first.
func (p *Process) Serving() *Process {
	p.T.Helper()
	require.Eventually(p.T, func() bool {
		text, _ := os.ReadFile(p.urlFile)
		p.URL = strings.TrimSpace(string(text))
		return p.URL != "" || p.Over()
	}, time.Minute, 2*time.Millisecond, "no address")
	require.NotEmpty(p.T, p.URL, "%v ended: %s", p.Cmd.Args, &p.Out)
	return p
}

// Over reports whether the process has ended.
func (p *Process) Over() bool {
	select {
	case <-p.Ended:
		return true
	default:
		return false
	}
}

// Kill kills the process. Unlike after a loss of power, data that it has written survives
// in the system's cache.
func (p *Process) Kill() {
	_ = p.Cmd.Process.Kill()
	<-p.Ended
}

// Stop interrupts the process as Ctrl-C does, requires that it succeeds, and returns its
// output.
func (p *Process) Stop() string {
	p.T.Helper()
	require.NoError(p.T, p.Cmd.Process.Signal(os.Interrupt))
	<-p.Ended
	require.NoError(p.T, p.err, "%s", &p.Out)
	return p.Out.String()
}

// Killed copies an SQLite database that is in use, and its write-ahead log, as they would be after the process was
// killed. It returns the path of the copy.
func Killed(t testing.TB, path string) (copied string) {
	t.Helper()
	copied = filepath.Join(t.TempDir(), "killed.db")
	for _, ending := range []string{"", "-wal"} {
		content, err := os.ReadFile(path + ending)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(copied+ending, content, 0o600))
	}
	return copied
}

// FreePort returns a loopback address on which nothing listens. Its port is below those that
// systems give to outgoing connections and to listeners on port 0, which could take it meanwhile.
func FreePort(t testing.TB) string {
	t.Helper()
	for range 100 {
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", fmt.Sprintf("127.0.0.1:%d", 20_000+rand.IntN(10_000)))
		if err == nil {
			require.NoError(t, l.Close())
			return l.Addr().String()
		}
	}
	t.Fatal("no port is free")
	return ""
}

// Down is a server that always responds with 503, so that a run of the suite ends at
// once. It stores the first request and counts them.
type Down struct {
	*httptest.Server

	mu       sync.Mutex
	First    *http.Request
	requests int
}

// Requests returns how many requests have arrived.
func (d *Down) Requests() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.requests
}

// NewDown starts a [Down], which stops at the end of the test. start starts its server with or without TLS.
func NewDown(t *testing.T, start func(*httptest.Server)) *Down {
	t.Helper()
	d := &Down{}
	d.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.requests++
		if d.First == nil {
			d.First = r.Clone(t.Context())
		}
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	start(d.Server)
	t.Cleanup(d.Close)
	return d
}

// Buffer is a buffer that may be read while a command writes to it.
type Buffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write implements [io.Writer].
func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

// String returns what was written so far.
func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
