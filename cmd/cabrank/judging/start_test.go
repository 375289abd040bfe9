//go:build unix

package judging

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
)

// serveAt names the environment variable by which the test program is the server of --start.
const serveAt = "CABRANK_TEST_SERVE_AT"

func TestMain(m *testing.M) {
	if at := os.Getenv(serveAt); at != "" {
		fmt.Println("serving at", at)
		mux := http.NewServeMux()
		mux.Handle("/", dispatchsidetest.NewVendor(dispatchsidetest.None))
		mux.HandleFunc("/token", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"access_token":"x","token_type":"Bearer"}`)
		})
		server := &http.Server{Addr: at, Handler: mux, ReadHeaderTimeout: time.Minute}
		fmt.Println(server.ListenAndServe())
		return
	}
	os.Exit(m.Run())
}

// TestStartFlagStartsAndStopsTheServer expects a run to start its server and to stop it, whatever the outcome
// of either.
func TestStartFlagStartsAndStopsTheServer(t *testing.T) {
	s := newShell(t)
	t.Setenv("TMPDIR", t.TempDir()) // takes the logs
	free, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	host := free.Addr().String()
	url := "http://" + host
	require.Contains(t, s.Fails(cli.ExitUsage, "check", url, "--start", "true"), "--start: another program already listens at "+host+"")
	require.NoError(t, free.Close())

	program := serveAt + "=" + host + " " + os.Args[0]
	for _, command := range []string{program, program + " & wait", "exec env " + program} {
		_, says, code := s.Run("check", url, "--only", "BOK-01", "--start", command)
		require.Equal(t, cli.ExitOK, code, says)
		_, log, _ := strings.Cut(says, "what the server of --start prints is in ")
		log, _, _ = strings.Cut(log, "\n")
		require.Equal(t, "serving at "+host+"\n", clitest.Read(t, log))
		about, err := os.Stat(log)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), about.Mode().Perm(), "it may hold secrets")
		require.False(t, listens(t.Context(), host), command)
	}
	s.OK("check", url, "--only", "BOK-01", "--start", program, "--auth", "oauth2:me:x", "--token-url", url+"/token") // which is its own

	ended := s.Fails(cli.ExitUnreachable, "check", url, "--start", "echo no such extension; exit 3")
	require.Contains(t, ended, "the server of --start has ended: exit status 3: no such extension")
	require.Contains(t, ended, "cabrank-server-")
	require.Equal(t, 1, strings.Count(ended, "no such extension"), "it is said once")
	require.NoFileExists(t, "server.log")
	require.Contains(t, s.Fails(cli.ExitUnreachable, "check", url, "--start", "sleep 60", "--wait", "1ms"), "nothing listens at "+host+" after 1ms")
}

// TestLastLineReadsOnlyTheEndOfAFile checks that the last line of a long log is found without reading all of it.
func TestLastLineReadsOnlyTheEndOfAFile(t *testing.T) {
	log := filepath.Join(t.TempDir(), "server.log")
	require.NoError(t, os.WriteFile(log, []byte("one\n"), 0o600))
	require.Equal(t, "one", lastLine(log))
	file, err := os.OpenFile(log, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer file.Close()
	_, err = file.WriteAt([]byte("\nthe last\n\n"), 64<<20)
	require.NoError(t, err)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.Equal(t, "the last", lastLine(log))
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
}

// TestSecondInterruptEndsTheServerAtOnce checks that a second interrupt ends at once the wait for a server that ignores the
// first signal.
func TestSecondInterruptEndsTheServerAtOnce(t *testing.T) {
	host := clitest.FreePort(t)
	t.Setenv("TMPDIR", t.TempDir()) // takes the log
	f := startFlags{command: "trap '' TERM; " + serveAt + "=" + host + " " + os.Args[0] + " & while :; do sleep 60; done"}
	out := cli.Outside{Stderr: io.Discard}
	end, err := f.start(t.Context(), "http://"+host, 0, out)
	require.NoError(t, err)
	began, ended := time.Now(), make(chan struct{})
	go func() {
		end()
		close(ended)
	}()
	awaitFree(host, endWithin, out) // the server ends, and the shell that started it does not
	cli.Abandon()
	<-ended
	require.Less(t, time.Since(began), endWithin)
}

// TestOccupiedAddressIsReportedAfterStop expects a message if the address is in use after the server was stopped.
func TestOccupiedAddressIsReportedAfterStop(t *testing.T) {
	t.Parallel()
	other, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = other.Close() })
	var said strings.Builder
	awaitFree(other.Addr().String(), time.Millisecond, cli.Outside{Stderr: &said})
	require.Contains(t, said.String(), "another program still listens at "+other.Addr().String())
}
