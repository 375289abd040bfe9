//go:build unix

package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// beTheProgram makes the test binary the program itself, so that a test may kill a
// process without another binary being built.
const beTheProgram = "BE_CABRANK"

func TestMain(m *testing.M) {
	if os.Getenv(beTheProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// process is 'cabrank serve' in a process of its own, as its users run it.
type process struct {
	t   *testing.T
	url string
	cmd *exec.Cmd
	out clitest.Buffer

	urlFile string
	ended   chan struct{}
	err     error // how it ended
}

// program is the binary that processes run: the one that is built for a campaign, this
// test's own otherwise.
func program(t *testing.T, campaign bool) string {
	t.Helper()
	if campaign {
		return filepath.Join(built(t), "cabrank")
	}
	self, err := os.Executable()
	require.NoError(t, err)
	return self
}

// begin starts a process, and does not wait until it serves. It is killed at the
// end of the test, if it still runs.
func begin(t *testing.T, program string, args ...string) *process {
	t.Helper()
	return beginAs(t, program, "serve", args...)
}

// beginAs is begin for another command that serves.
func beginAs(t *testing.T, program, command string, args ...string) *process {
	t.Helper()
	p := &process{t: t, urlFile: filepath.Join(t.TempDir(), "url"), ended: make(chan struct{})}
	p.cmd = exec.CommandContext(context.WithoutCancel(t.Context()), program,
		append([]string{command, "--listen", "127.0.0.1:0", "--url-file", p.urlFile, "--log", "off"}, args...)...)
	p.cmd.Env = append(os.Environ(), beTheProgram+"=1")
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.out
	require.NoError(t, p.cmd.Start())
	go func() {
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	t.Cleanup(p.kill)
	return p
}

// serve starts a process and waits until it serves.
func serve(t *testing.T, program string, args ...string) *process {
	t.Helper()
	return begin(t, program, args...).serving()
}

// serving waits until a process serves.
func (p *process) serving() *process {
	t := p.t
	t.Helper()
	require.Eventually(t, func() bool {
		text, _ := os.ReadFile(p.urlFile)
		p.url = strings.TrimSpace(string(text))
		return p.url != "" || p.over()
	}, time.Minute, 2*time.Millisecond, "no address")
	require.NotEmpty(t, p.url, "%v ended: %s", p.cmd.Args, &p.out)
	return p
}

// over reports whether the process has ended.
func (p *process) over() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// kill ends the process as a loss of power would, but that what the system has been
// handed survives.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.ended
}

// stop ends the process in good order and returns what it printed.
func (p *process) stop() string {
	p.t.Helper()
	require.NoError(p.t, p.cmd.Process.Signal(os.Interrupt))
	<-p.ended
	require.NoError(p.t, p.err, "%s", &p.out)
	return p.out.String()
}

// client calls the process.
func (p *process) client() *taxi.Client {
	p.t.Helper()
	c, err := taxi.NewClient(p.url, taxi.ClientOptions{Timeout: time.Minute})
	require.NoError(p.t, err)
	return c
}

// now is the time on the clock of the world; false: the process does not answer.
func (p *process) now() (time.Time, bool) {
	_, body := p.get("/version")
	var about struct{ Now time.Time }
	return about.Now, json.Unmarshal(body, &about) == nil
}

// get gets a page; its status is 0 if the process does not answer.
func (p *process) get(path string) (status int, body []byte) {
	resp, err := http.Get(p.url + path)
	if err != nil {
		return 0, nil
	}
	defer resp.Body.Close()
	if body, err = io.ReadAll(resp.Body); err != nil {
		return 0, nil
	}
	return resp.StatusCode, body
}
