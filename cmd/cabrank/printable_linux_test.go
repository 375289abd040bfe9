package main

import (
	"bufio"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// TestTerminalOutputHasNoControlCharacters checks that a request body is printed without control characters on a
// terminal, and unchanged elsewhere. A terminal echoes an escape as "^[".
func TestTerminalOutputHasNoControlCharacters(t *testing.T) {
	s := newShell(t)
	url, _ := s.Serve("--town", "none")
	resp, err := http.Post(url+"/user", "application/json", strings.NewReader(nasty+"!")) //nolint:noctx // the server ends with the test
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Contains(t, s.OK("ctl", "GET", "/requests/1", "-f", "as=http", "--url", url), nasty, "a file has it as it was sent")

	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	require.NoError(t, err)
	defer terminal.Close()
	require.Equal(t, cli.ExitOK, s.Exec(t.Context(), cli.Outside{Stdout: terminal, Stderr: terminal}, "ctl", "GET", "/requests/1", "-f", "as=http", "--url", url))
	told := make(chan string, 1)
	go func() {
		text, _ := bufio.NewReader(terminal).ReadString('!')
		told <- text
	}()
	select {
	case text := <-told:
		require.Contains(t, text, "\uFFFD]0;p\uFFFD")
		require.NotContains(t, text, "^")
	case <-time.After(time.Minute):
		require.Fail(t, "the terminal echoes nothing")
	}
}
