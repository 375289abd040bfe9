//go:build unix

package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/replica"
	"github.com/cabrank/cabrank/store/postgresdb/postgrestest"
)

// replicas are processes that share the worlds of one PostgreSQL database, in a server that
// is durable, as servers are.
type replicas struct {
	t       *testing.T
	program string
	server  *postgrestest.Cluster
	url     string // of the database
	args    []string

	mu   sync.Mutex
	live []*process
}

// teamToken is the token of the control API of replicas.
const teamToken = "team-token"

// startReplicas starts a database, and replicas one after another.
func startReplicas(t *testing.T, program string, n int, args ...string) *replicas {
	t.Helper()
	r := &replicas{t: t, program: program, server: postgrestest.Start(t, postgrestest.Options{Durable: os.Getenv("MEASURE") != ""})}
	r.url = r.server.URL(t)
	r.args = append([]string{"--db", r.url, "--control-token", teamToken}, args...)
	for range n {
		r.start()
	}
	return r
}

// start adds a replica.
func (r *replicas) start() *process {
	r.t.Helper()
	p := serve(r.t, r.program, r.args...)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.live = append(r.live, p)
	return p
}

// list returns the replicas that are sent requests.
func (r *replicas) list() []*process {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]*process(nil), r.live...)
}

// remove keeps requests from a replica.
func (r *replicas) remove(p *process) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, other := range r.live {
		if other == p {
			r.live = append(r.live[:i:i], r.live[i+1:]...)
			return
		}
	}
}

// kill ends a replica as a loss of its machine does: requests are sent to it for a moment.
func (r *replicas) kill(p *process) {
	p.Kill()
	r.remove(p)
}

// leave ends a replica as a rollout does.
func (r *replicas) leave(p *process) {
	r.t.Helper()
	require.NoError(r.t, p.Cmd.Process.Signal(syscall.SIGTERM))
	<-p.Ended
	r.remove(p)
	require.True(r.t, p.Cmd.ProcessState.Success(), "%s: %s", p.Cmd.ProcessState, &p.Out)
}

// worldPath begins the paths of a world.
func worldPath(world string) string {
	if world == "" {
		return ""
	}
	return "/s/" + world
}

// addSandbox adds a sandbox by way of a replica.
func (p *process) addSandbox(name string) clitest.Answer {
	p.T.Helper()
	return clitest.Post(p.T, p.URL+"/_control/v1/sandboxes", fmt.Sprintf(`{"name":%q}`, name), withTeamToken)
}

func withTeamToken(r *http.Request) { r.Header.Set("Authorization", "Bearer "+teamToken) }

// answer is a response as its client saw it.
type answer struct {
	world, replica string
	began, ended   time.Time
}

// front sends the requests of one client to replicas, to a random one or always the same.
// A 503 with Retry-After, or a 409 while the same request is being answered, counts as no
// response.
type front struct {
	world  string
	choose func() *process // nil: no replica runs
	seen   func(answer)    // may be nil
}

var frontTransport = &http.Transport{MaxIdleConnsPerHost: 64}

var errMoving = errors.New("the world moves")

// RoundTrip implements [http.RoundTripper].
func (f *front) RoundTrip(req *http.Request) (*http.Response, error) {
	to := f.choose()
	if to == nil {
		return nil, errors.New("no replica runs")
	}
	req = req.Clone(req.Context())
	req.URL.Host = strings.TrimPrefix(to.URL, "http://")
	began := time.Now()
	resp, err := frontTransport.RoundTrip(req)
	switch {
	case err != nil:
		return nil, err
	case (resp.StatusCode == http.StatusServiceUnavailable || resp.StatusCode == http.StatusConflict) && resp.Header.Get("Retry-After") != "":
		_ = resp.Body.Close()
		return nil, errMoving
	case f.seen != nil:
		f.seen(answer{f.world, resp.Header.Get(replica.ReplicaHeader), began, time.Now()})
	}
	return resp, nil
}

// client returns a client of the world.
func (f *front) client(t *testing.T) *taxi.Client {
	t.Helper()
	c, err := taxi.NewClient("http://localhost"+worldPath(f.world), taxi.ClientOptions{Timeout: time.Minute, Transport: f})
	require.NoError(t, err)
	return c
}

// answers reports whether the world answers.
func (f *front) answers(t *testing.T) bool {
	_, err := f.client(t).Config(t.Context(), taxi.ConfigRequest{})
	return err == nil
}
