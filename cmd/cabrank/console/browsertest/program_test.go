//go:build browser

package browsertest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

// patience is how long anything may take on a machine that is busy.
const patience = time.Minute

// program builds the real program, once.
func program(t *testing.T) string {
	t.Helper()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.program == "" {
		at := filepath.Join(shared.dir, "cabrank")
		said, err := exec.CommandContext(t.Context(), "go", "build", "-o", at, "../..").CombinedOutput()
		require.NoError(t, err, "%s", said)
		shared.program = at
	}
	return shared.program
}

// server is a process of the program that serves.
type server struct {
	t     *testing.T
	alone bool // there is no voice platform beside it
	url   string
	token string // that its control API wants
	cmd   *exec.Cmd
	out   clitest.Buffer
	ended chan struct{}
	err   error // how it ended
}

// serve starts 'cabrank COMMAND ARGS' and waits until it serves. It is ended with the
// test.
func serve(t *testing.T, command string, args ...string) *server {
	t.Helper()
	s := &server{t: t, alone: command == "serve", ended: make(chan struct{})}
	dir := t.TempDir()
	file := filepath.Join(dir, "url")
	all := append([]string{command, "--listen", "127.0.0.1:0", "--url-file", file}, args...)
	s.cmd = exec.CommandContext(context.WithoutCancel(t.Context()), program(t), all...)
	s.cmd.Dir = dir
	s.cmd.Stdout, s.cmd.Stderr = &s.out, &s.out
	require.NoError(t, s.cmd.Start())
	go func() {
		s.err = s.cmd.Wait()
		close(s.ended)
	}()
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		<-s.ended
	})
	require.Eventually(t, func() bool {
		text, _ := os.ReadFile(file)
		s.url = strings.TrimSpace(string(text))
		return s.url != "" || s.over()
	}, patience, 5*time.Millisecond, "no address")
	require.NotEmpty(t, s.url, "%v ended: %s", all, &s.out)
	return s
}

// over reports whether the process has ended.
func (s *server) over() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// stop ends the process as Ctrl-C does.
func (s *server) stop() {
	s.t.Helper()
	require.NoError(s.t, s.cmd.Process.Signal(os.Interrupt))
	<-s.ended
	require.NoError(s.t, s.err, "%s", &s.out)
}

// call makes a call of the server, which must succeed, and returns what its JSON says.
func (s *server) call(method, path string, body any) (answer map[string]any) {
	s.t.Helper()
	status, _, said := s.ask(method, path, body)
	require.Less(s.t, status, 300, "%s %s: %s", method, path, said)
	if len(said) > 0 {
		require.NoError(s.t, json.Unmarshal(said, &answer), "%s %s: %s", method, path, said)
	}
	return answer
}

// ask makes a call of the server and returns its answer, whatever that is.
func (s *server) ask(method, path string, body any) (status int, header http.Header, said []byte) {
	s.t.Helper()
	var text bytes.Buffer
	if body != nil {
		require.NoError(s.t, json.NewEncoder(&text).Encode(body))
	}
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, &text)
	require.NoError(s.t, err)
	if method != http.MethodGet {
		r.Header.Set("Content-Type", "application/json")
	}
	if s.token != "" {
		r.Header.Set("Authorization", "Bearer "+s.token)
	}
	resp, err := http.DefaultClient.Do(r)
	require.NoError(s.t, err)
	defer resp.Body.Close()
	said, err = io.ReadAll(resp.Body)
	require.NoError(s.t, err)
	return resp.StatusCode, resp.Header, said
}

// freePort is an address that nobody serves on.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().String()
}
