//go:build unix

package main

import (
	"encoding/json"
	"fmt"
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

// events is the [observer] of a platform that places calls, with an event hook.
type events struct {
	t       *testing.T
	program string
	dir     string
	hook    string                    // its address
	account access.AccountCredentials // zero: no platform has served yet
	keys    atomic.Int64

	mu           sync.Mutex
	acknowledged map[string]bool
	heard        map[string]map[int]string // types by their place in the call
	wrong        []string
}

func newEvents(t *testing.T, program, dir string) *events {
	t.Helper()
	e := &events{t: t, program: program, dir: dir, acknowledged: map[string]bool{}, heard: map[string]map[int]string{}}
	hook := httptest.NewServer(http.HandlerFunc(e.hear))
	t.Cleanup(hook.Close)
	e.hook = hook.URL
	return e
}

func (e *events) start() *process {
	return beginAs(e.t, e.program, "platform", "--db", filepath.Join(e.dir, "platform.db"), "--credentials-file", e.credentials(),
		"--allow-private-hooks", "--fast-retries", "--speed", "50", "--calls-per-second", "1000", "--live-calls", "500")
}

func (e *events) credentials() string { return filepath.Join(e.dir, "credentials.json") }

// compare reads the credentials. What the hook has received is compared at the end, since the
// platform may still send it.
func (e *events) compare(p *process) {
	c := clitest.Decode[platform.Credentials](e.t, clitest.Read(e.t, e.credentials()))
	require.Len(e.t, c.Users, 3)
	require.Len(e.t, c.Accounts, 2)
	users, accounts := c.Unknown()
	require.Empty(e.t, users)
	require.Empty(e.t, accounts)
	if e.account.ID == "" {
		e.account = withEventHook(e.t, p, e.credentials(), e.hook)
	}
}

// withEventHook gives the first account of a platform an event hook, and returns the account.
func withEventHook(t *testing.T, p *process, credentials, hook string) access.AccountCredentials {
	t.Helper()
	text := clitest.Read(t, credentials)
	known := clitest.Decode[platform.Credentials](t, text)
	account, token := known.Accounts[0], logIn(t, p, known.Users[0])
	made := clitest.Post(t, p.URL+"/api/v1/account/"+account.ID+"/hook", `{"app":"event.generic","url":"`+hook+`"}`, func(r *http.Request) {
		r.Header.Set("Authorization", "Bearer "+token)
	})
	require.Equal(t, http.StatusCreated, made.Status, made.Body)
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

// hear is the event hook.
func (e *events) hear(w http.ResponseWriter, r *http.Request) {
	var event struct {
		Type string
		Data struct {
			CallID string
			Seq    int
		}
	}
	err := json.NewDecoder(r.Body).Decode(&event)
	e.mu.Lock()
	defer e.mu.Unlock()
	events := e.heard[event.Data.CallID]
	if events == nil {
		events = map[int]string{}
		e.heard[event.Data.CallID] = events
	}
	if before := events[event.Data.Seq]; err != nil || before != "" && before != event.Type {
		e.wrong = append(e.wrong, fmt.Sprintf("%v: %+v after %q", err, event, before))
	}
	events[event.Data.Seq] = event.Type
	w.WriteHeader(http.StatusNoContent)
}

func (e *events) use(p *process, before func()) {
	var callers sync.WaitGroup
	for i := range 4 {
		callers.Go(func() {
			for n := 0; ; n++ {
				if before(); !e.place(p, i+n) {
					return
				}
			}
		})
	}
	callers.Wait()
}

// place places a call of some length, half of them with a key; false: the platform is gone.
func (e *events) place(p *process, n int) bool {
	body := `{"target":{"phoneNumber":{"number":"+442079460001"}},"verbs":[` + strings.Repeat(`{"say":{"text":["Hello."]}},`, n%7) + `{"say":{"text":["Goodbye."]}}]}`
	answer, err := clitest.Try(e.t.Context(), http.MethodPost, p.URL+"/channels/voice", body, func(r *http.Request) {
		r.SetBasicAuth(e.account.ID, e.account.ClientID)
		if n%2 == 0 {
			r.Header.Set(rest.IdempotencyHeader, fmt.Sprint(e.keys.Add(1)))
		}
	})
	var made api.Created
	if answer.Status == http.StatusCreated && json.Unmarshal([]byte(answer.Body), &made) == nil {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.acknowledged[made.ID] = true
	}
	return err == nil
}

// unended counts the calls whose last event was not heard.
func (e *events) unended() (n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for id := range e.acknowledged {
		if e.heard[id] == nil {
			n++
		}
	}
	for _, events := range e.heard {
		if events[len(events)] != "call.completed" {
			n++
		}
	}
	return n
}

// end waits until all calls have ended, and compares what the hook has received of each.
func (e *events) end(p *process) {
	require.Eventually(e.t, func() bool { return e.unended() == 0 }, time.Minute, 20*time.Millisecond, "calls without an end")
	p.Stop()
	e.mu.Lock()
	defer e.mu.Unlock()
	require.Empty(e.t, e.wrong)
	for id, events := range e.heard {
		for n := 1; n <= len(events); n++ {
			require.NotEmpty(e.t, events[n], "event %d of %s is missing: %v", n, id, events)
			require.Equal(e.t, n == len(events), events[n] == "call.completed", "%s: %v", id, events)
		}
	}
}

func (e *events) String() string {
	return fmt.Sprintf("%d calls acknowledged, %d whose events arrived", len(e.acknowledged), len(e.heard))
}
