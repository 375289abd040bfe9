//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/access"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/rest"
)

// TestNoEventIsLostByKills kills a platform that places calls, at moments that a seed draws, and
// starts it again: the account's event hook, which answers each request with 204, has heard every
// call that was acknowledged from its first event to its last, without a gap, and none ends twice.
// TIMES=200 makes a campaign of it with a binary of its own, SEED=7 another one.
//
// A hook that fails may miss events: after the last attempt a delivery is a dead letter.
func TestNoEventIsLostByKills(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts processes")
	}
	kills, campaign := number(t, "TIMES", 2)
	seed, _ := number(t, "SEED", 1)
	c := newPlatformCampaign(t, program(t, campaign), uint64(seed))
	for range kills {
		c.killUnderLoad()
	}
	p := c.serve()
	require.Eventually(t, func() bool { return c.unended() == 0 }, time.Minute, 20*time.Millisecond, "calls without an end")
	p.Stop()
	c.check()
	t.Logf("%d kills, seed %d: %d calls acknowledged, %d heard of", kills, seed, len(c.acknowledged), len(c.heard))
}

// platformCampaign is one database and the platforms that had it, with an event hook.
type platformCampaign struct {
	t       *testing.T
	program string
	dir     string
	chance  *rand.Rand
	account access.AccountCredentials
	keys    atomic.Int64

	mu           sync.Mutex
	acknowledged map[string]bool
	heard        map[string]map[int]string // types by their place in the call
	wrong        []string
}

func newPlatformCampaign(t *testing.T, program string, seed uint64) *platformCampaign {
	t.Helper()
	c := &platformCampaign{
		t: t, program: program, dir: t.TempDir(), chance: rand.New(rand.NewPCG(seed, 2)),
		acknowledged: map[string]bool{}, heard: map[string]map[int]string{},
	}
	hook := httptest.NewServer(http.HandlerFunc(c.hear))
	t.Cleanup(hook.Close)
	p := c.serve()
	c.account = withEventHook(t, p, filepath.Join(c.dir, "credentials.json"), hook.URL)
	p.Kill()
	return c
}

func (c *platformCampaign) serve() *process {
	return beginAs(c.t, c.program, "platform", "--db", filepath.Join(c.dir, "platform.db"), "--credentials-file", filepath.Join(c.dir, "credentials.json"),
		"--allow-private-hooks", "--fast-retries", "--speed", "50", "--calls-per-second", "1000", "--live-calls", "500").serving()
}

// withEventHook gives the first account of a platform an event hook, and returns the account.
func withEventHook(t *testing.T, p *process, credentials, hook string) access.AccountCredentials {
	t.Helper()
	text := clitest.Read(t, credentials)
	known := clitest.Decode[platform.Credentials](t, text)
	account, token := known.Accounts[0], logIn(t, p, known.Users[0])
	status, said := post(t.Context(), p.URL+"/api/v1/account/"+account.ID+"/hook", `{"app":"event.generic","url":"`+hook+`"}`, func(r *http.Request) {
		r.Header.Set("Authorization", "Bearer "+token)
	})
	require.Equal(t, http.StatusCreated, status, "%s", said)
	return account
}

// logIn returns a token for a user.
func logIn(t *testing.T, p *process, user access.UserCredentials) string {
	t.Helper()
	resp, err := http.PostForm(p.URL+"/api/v1/oauth/authorize", url.Values{"username": {user.Username}, "password": {user.Password}})
	require.NoError(t, err)
	defer resp.Body.Close()
	var token api.Token
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&token))
	return token.AccessToken
}

// post sends a request; its status is 0 if the platform does not answer.
func post(ctx context.Context, to, body string, shows func(*http.Request)) (status int, answer []byte) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, strings.NewReader(body))
	if err != nil {
		return 0, nil
	}
	req.Header.Set("Content-Type", "application/json")
	shows(req)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil
	}
	defer resp.Body.Close()
	if answer, err = io.ReadAll(resp.Body); err != nil {
		return 0, nil
	}
	return resp.StatusCode, answer
}

// hear is the event hook.
func (c *platformCampaign) hear(w http.ResponseWriter, r *http.Request) {
	var e struct {
		Type string
		Data struct {
			CallID string
			Seq    int
		}
	}
	err := json.NewDecoder(r.Body).Decode(&e)
	c.mu.Lock()
	defer c.mu.Unlock()
	events := c.heard[e.Data.CallID]
	if events == nil {
		events = map[int]string{}
		c.heard[e.Data.CallID] = events
	}
	if before := events[e.Data.Seq]; err != nil || before != "" && before != e.Type {
		c.wrong = append(c.wrong, fmt.Sprintf("%v: %+v after %q", err, e, before))
	}
	events[e.Data.Seq] = e.Type
	w.WriteHeader(http.StatusNoContent)
}

// killUnderLoad has a platform place calls, and kills it.
func (c *platformCampaign) killUnderLoad() {
	p := c.serve()
	var left atomic.Int64
	left.Store(int64(10 + c.chance.IntN(150)))
	var callers sync.WaitGroup
	for i := range 4 {
		callers.Go(func() {
			for n := 0; c.place(p, i+n); n++ {
				if left.Add(-1) == 0 {
					_ = p.Cmd.Process.Kill()
				}
			}
		})
	}
	callers.Wait()
	p.Kill()
}

// place places a call of some length, half of them with a key; false: the platform is gone.
func (c *platformCampaign) place(p *process, n int) bool {
	body := `{"target":{"phoneNumber":{"number":"+442079460001"}},"verbs":[` + strings.Repeat(`{"say":{"text":["Hello."]}},`, n%7) + `{"say":{"text":["Goodbye."]}}]}`
	status, answer := post(c.t.Context(), p.URL+"/channels/voice", body, func(r *http.Request) {
		r.SetBasicAuth(c.account.ID, c.account.ClientID)
		if n%2 == 0 {
			r.Header.Set(rest.IdempotencyHeader, fmt.Sprint(c.keys.Add(1)))
		}
	})
	var made api.Created
	if status == http.StatusCreated && json.Unmarshal(answer, &made) == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.acknowledged[made.ID] = true
	}
	return status != 0
}

// unended counts the calls whose last event was not heard.
func (c *platformCampaign) unended() (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id := range c.acknowledged {
		if c.heard[id] == nil {
			n++
		}
	}
	for _, events := range c.heard {
		if events[len(events)] != "call.completed" {
			n++
		}
	}
	return n
}

// check looks at what was heard of each call.
func (c *platformCampaign) check() {
	c.mu.Lock()
	defer c.mu.Unlock()
	require.Empty(c.t, c.wrong)
	for id, events := range c.heard {
		for n := 1; n <= len(events); n++ {
			require.NotEmpty(c.t, events[n], "event %d of %s is missing: %v", n, id, events)
			require.Equal(c.t, n == len(events), events[n] == "call.completed", "%s: %v", id, events)
		}
	}
}
