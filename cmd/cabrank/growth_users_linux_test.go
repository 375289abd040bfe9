package main

import (
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
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/access"
)

// team is who uses a server besides platforms: testers with sandboxes and faults, a console
// that is open, and people who ring up and write to a voice platform that books here,
// and an account there whose event hook fails now and then.
type team struct {
	t             *testing.T
	program       string
	server, voice *process
	database      string // of voice
	account       access.AccountCredentials
	script        string
	done          atomic.Int64
	events        atomic.Int64 // that the account's hook was sent
}

func newTeam(t *testing.T, server *process) *team {
	t.Helper()
	dir := t.TempDir()
	u := &team{t: t, program: server.Cmd.Path, server: server, script: filepath.Join(dir, "call.json")}
	require.NoError(t, os.WriteFile(u.script, []byte(`[{"expect":"for you?"},{"say":"from the station to the town hall now"},{"expect":"name"},{"say":"Ann Other"},{"expect":"book it"},{"say":"yes"},{"wait":"5s"},{"hangup":true}]`), 0o600))
	credentials := filepath.Join(dir, "credentials.json")
	u.database = filepath.Join(dir, "platform.db")
	u.voice = beginAs(t, u.program, "platform", "--third-party", server.URL, "--speed", "50", "--db", u.database,
		"--credentials-file", credentials, "--allow-private-hooks").serving()
	hook := httptest.NewServer(http.HandlerFunc(u.hears))
	t.Cleanup(hook.Close)
	t.Cleanup(hook.CloseClientConnections)
	u.account = withEventHook(t, u.voice, credentials, hook.URL)
	return u
}

// each does something again and again until ctx ends.
func (u *team) each(ctx context.Context, every time.Duration, do func(ctx context.Context, n int)) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			do(ctx, n)
			u.done.Add(1)
		}
	}
}

// run runs a command of the program. What it says matters to nobody, unless it hangs or crashes.
func (u *team) run(ctx context.Context, args ...string) {
	ctx, end := context.WithTimeout(ctx, time.Minute)
	defer end()
	cmd := exec.CommandContext(ctx, u.program, args...)
	out, _ := cmd.CombinedOutput()
	if strings.Contains(string(out), "panic:") {
		u.t.Errorf("%v: %s", args, out)
	}
}

// tests makes a sandbox, books there under a fault, and ends it; every other sandbox is left.
func (u *team) tests(ctx context.Context, n int) {
	name := fmt.Sprintf("soak-%d", n%20)
	u.run(ctx, "sandbox", "add", name, "--town", "none", "--cars", "2", "--url", u.server.URL)
	u.run(ctx, "fault", "add", []string{"commit-then-drop", "delay", "status", "dribble"}[n%4], "--op", "book", "--times", "1", "--url", u.server.URL, "--sandbox", name)
	u.run(ctx, "book", "--url", u.server.URL, "--sandbox", name, "--timeout", "5s")
	if n%2 == 0 {
		u.run(ctx, "sandbox", "rm", name, "--url", u.server.URL)
	}
}

// looks has a console's stream of events open for a while.
func (u *team) looks(ctx context.Context, _ int) {
	ctx, end := context.WithTimeout(ctx, 20*time.Second)
	defer end()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.server.URL+"/_control/v1/events", nil)
	require.NoError(u.t, err)
	req.Header.Set("Accept", "text/event-stream")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
}

// rings books by telephone.
func (u *team) rings(ctx context.Context, n int) {
	u.run(ctx, "call", "taxi", "--from", fmt.Sprintf("4420794600%02d", n%100), "--platform", u.voice.URL, "--script", u.script)
}

// places has the account place a call by the Voice API.
func (u *team) places(ctx context.Context, _ int) {
	u.made(ctx, "/channels/voice", `{"target":{"phoneNumber":{"number":"+442079460001"}},"verbs":[{"say":{"text":["Hello."]}}]}`, func(r *http.Request) {
		r.SetBasicAuth(u.account.ID, u.account.ClientID)
	})
}

// hears is the account's event hook: of a hundred events it fails ten, and never answers two.
func (u *team) hears(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	switch n := u.events.Add(1); {
	case n%50 == 0:
		<-r.Context().Done()
	case n%10 == 3:
		w.WriteHeader(http.StatusInternalServerError)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}

// writes begins a chat and goes away.
func (u *team) writes(ctx context.Context, n int) {
	answer := u.made(ctx, "/sim/v1/chats", fmt.Sprintf(`{"from":"4420794601%02d"}`, n%100))
	var chat struct{ ID string }
	if json.Unmarshal(answer, &chat) == nil && chat.ID != "" {
		_, _ = post(ctx, u.voice.URL+"/sim/v1/chats/"+chat.ID, `{"text":"hello, from the station to the harbour now"}`, func(*http.Request) {})
	}
}

// dials rings up and hangs up again.
func (u *team) dials(ctx context.Context, n int) {
	u.made(ctx, "/sim/v1/phones", fmt.Sprintf(`{"from":"4420794602%02d","to":"taxi","script":[{"wait":"5s"},{"hangup":true}]}`, n%100))
}

// made has the platform make something.
func (u *team) made(ctx context.Context, path, body string, shows ...func(*http.Request)) []byte {
	status, answer := post(ctx, u.voice.URL+path, body, func(r *http.Request) {
		for _, show := range shows {
			show(r)
		}
	})
	if ctx.Err() == nil && status != http.StatusCreated {
		u.t.Errorf("%s: %d %s", path, status, answer)
	}
	return answer
}
