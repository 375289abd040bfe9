//go:build browser

package browsertest

import (
	"encoding/json"
	"net/http"
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
		shared.program = clitest.Build(t, shared.dir)
	}
	return shared.program
}

// server is a process of the program that serves.
type server struct {
	*clitest.Process
	t     *testing.T
	alone bool // there is no voice platform beside it
	url   string
	token string // that its control API wants
}

// serve starts 'cabrank COMMAND ARGS' and waits until it serves. It is ended with the
// test, which is skipped if there is no browser.
func serve(t *testing.T, command string, args ...string) *server {
	t.Helper()
	needBrowser(t)
	p := clitest.Start(t, program(t), command, args...).Serving()
	return &server{Process: p, t: t, alone: command == "serve", url: p.URL}
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
	var text []byte
	if body != nil {
		var err error
		text, err = json.Marshal(body)
		require.NoError(s.t, err)
	}
	answer := clitest.Send(s.t, method, s.url+path, string(text), func(r *http.Request) {
		if s.token != "" {
			r.Header.Set("Authorization", "Bearer "+s.token)
		}
	})
	return answer.Status, answer.Header, []byte(answer.Body)
}
