//go:build unix

package judging

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// serveAt names the environment variable by which the test program is the server of --start.
const serveAt = "CABRANK_TEST_SERVE_AT"

func TestMain(m *testing.M) {
	if at := os.Getenv(serveAt); at != "" {
		fmt.Println("serving at", at)
		server := &http.Server{Addr: at, Handler: wrongHandler(""), ReadHeaderTimeout: time.Minute}
		fmt.Println(server.ListenAndServe())
		return
	}
	os.Exit(m.Run())
}

// TestTheServerIsStarted has a run start its server and end it, whatever became of either.
func TestTheServerIsStarted(t *testing.T) {
	s := newShell(t)
	free, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	host := free.Addr().String()
	url := "http://" + host
	require.Contains(t, s.Fails(cli.ExitUsage, "check", url, "--start", "true"), "--start: something listens at "+host+" already")
	require.NoError(t, free.Close())

	program := serveAt + "=" + host + " " + os.Args[0]
	for _, command := range []string{program, program + " & wait", "exec env " + program} {
		s.OK("check", url, "--only", "BOK-01", "--start", command, "--start-log", "log.txt")
		text, err := os.ReadFile("log.txt")
		require.NoError(t, err)
		require.Equal(t, "serving at "+host+"\n", string(text))
		require.False(t, listens(t.Context(), host), command)
	}
	ended := s.Fails(cli.ExitUnreachable, "check", url, "--start", "echo no such extension; exit 3")
	require.Contains(t, ended, "the server of --start has ended: exit status 3: no such extension")
	require.Contains(t, ended, "see server.log")
	require.Contains(t, s.Fails(cli.ExitUnreachable, "check", url, "--start", "sleep 60", "--wait", "1ms"), "nobody listens at "+host+" within 1ms")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", url, "--start", "true", "--start-log", "/nowhere/x"), "--start-log: open /nowhere/x")
}
