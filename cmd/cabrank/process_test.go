//go:build unix

package main

import (
	"context"
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"os/signal"
	"syscall"
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
	if err := os.Setenv(beTheProgram, "1"); err != nil { // for the processes that tests start
		panic(err)
	}
	flag.Parse()
	if err := flag.Set("test.parallel", "4"); err != nil { // they wait for processes
		panic(err)
	}
	os.Exit(m.Run())
}

// process is a command that serves, in a process of its own.
type process struct{ *clitest.Process }

// program is the binary that processes run: the one that is built for a campaign, this
// test's own otherwise.
func program(t *testing.T, campaign bool) string {
	t.Helper()
	if campaign {
		return clitest.Build(t, t.TempDir())
	}
	self, err := os.Executable()
	require.NoError(t, err)
	return self
}

// begin starts 'cabrank serve' and does not wait until it serves. It is killed at the end of the
// test, if it still runs.
func begin(t *testing.T, program string, args ...string) *process {
	t.Helper()
	return beginAs(t, program, "serve", args...)
}

// beginAs is begin for another command that serves.
func beginAs(t *testing.T, program, command string, args ...string) *process {
	t.Helper()
	return &process{clitest.Start(t, program, command, append([]string{"--log", "off"}, args...)...)}
}

// serve starts a process and waits until it serves.
func serve(t *testing.T, program string, args ...string) *process {
	t.Helper()
	return begin(t, program, args...).serving()
}

// serving waits until the process serves.
func (p *process) serving() *process {
	p.T.Helper()
	p.Serving()
	return p
}

// client calls the process.
func (p *process) client() *taxi.Client {
	p.T.Helper()
	c, err := taxi.NewClient(p.URL, taxi.ClientOptions{Timeout: time.Minute})
	require.NoError(p.T, err)
	return c
}

// now is the time on the clock of the world; false: the process does not answer.
func (p *process) now() (time.Time, bool) { return nowIn(p.get("/version").Body) }

// nowIn reads the time from the page /version.
func nowIn(page string) (time.Time, bool) {
	var about struct{ Now time.Time }
	return about.Now, json.Unmarshal([]byte(page), &about) == nil
}

// get gets a page; its status is 0 if the process does not answer.
func (p *process) get(path string) clitest.Answer {
	answer, _ := clitest.Try(context.Background(), http.MethodGet, p.URL+path, "")
	return answer
}

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
