//go:build unix

package main

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
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
	r := &replicas{t: t, program: program, server: postgrestest.Start(t, postgrestest.Options{})}
	r.url = r.server.URL(t)
	r.args = append([]string{"--db", r.url, "--control-token", teamToken}, args...)
	for range n {
		r.start()
	}
	return r
}

// start adds a replica.
func (r *replicas) start() {
	r.t.Helper()
	p := serve(r.t, r.program, r.args...)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.live = append(r.live, p)
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

// rememberOwners has the database remember when each world changed its owner. The time is that
// of the statement that changed it, after it has waited for the commits of the former owner.
const rememberOwners = `
	CREATE TABLE owners (number bigserial, world text, owner text, at timestamptz NOT NULL DEFAULT clock_timestamp());
	CREATE FUNCTION remember_owner() RETURNS trigger LANGUAGE plpgsql AS $$
	BEGIN
		INSERT INTO owners (world, owner) VALUES (NEW.name, NEW.owner);
		RETURN NULL;
	END $$;
	CREATE TRIGGER created AFTER INSERT ON worlds FOR EACH ROW EXECUTE FUNCTION remember_owner();
	CREATE TRIGGER taken AFTER UPDATE ON worlds FOR EACH ROW WHEN (OLD.epoch <> NEW.epoch OR OLD.owner <> NEW.owner) EXECUTE FUNCTION remember_owner();
	INSERT INTO owners (world, owner) SELECT name, owner FROM worlds`

// tenure is the time in which a replica was a world's owner by the database.
type tenure struct {
	world, owner string
	from, to     time.Time
}

// owners compares the answers of replicas with who was the owner of the world.
type owners struct {
	began time.Time // before that, the database has not remembered

	mu      sync.Mutex
	answers []answer
	checked int
}

// watchOwners begins to remember the owners of worlds.
func watchOwners(t *testing.T, url string) *owners {
	t.Helper()
	inDatabase(t, url, func(conn *pgx.Conn) error {
		_, err := conn.Exec(t.Context(), rememberOwners)
		return err
	})
	return &owners{began: time.Now()}
}

// inDatabase does something with a connection of its own.
func inDatabase(t *testing.T, url string, do func(*pgx.Conn) error) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	require.NoError(t, do(conn))
}

func (o *owners) saw(a answer) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.answers = append(o.answers, a)
}

// check requires that each answer since the last check is of a replica that was the owner of
// the world at some time between the request and the answer.
func (o *owners) check(t *testing.T, url string) {
	t.Helper()
	o.mu.Lock()
	answers := o.answers
	o.answers = nil
	o.checked += len(answers)
	o.mu.Unlock()
	by := map[string][]tenure{}
	for _, one := range tenures(t, url) {
		by[one.world+"@"+one.owner] = append(by[one.world+"@"+one.owner], one)
	}
	for _, a := range answers {
		require.NotEmpty(t, a.replica)
		require.NoError(t, a.during(by[a.world+"@"+a.replica]))
	}
}

// during reports an error if none of the tenures was during the request.
func (a answer) during(all []tenure) error {
	for _, one := range all {
		if !a.began.After(one.to) && !a.ended.Before(one.from) {
			return nil
		}
	}
	return fmt.Errorf("%s has answered for the world %q from %s to %s; it was the owner in %v", a.replica, a.world, a.began, a.ended, all)
}

// tenures returns who was the owner of which world and when.
func tenures(t *testing.T, url string) (all []tenure) {
	t.Helper()
	inDatabase(t, url, func(conn *pgx.Conn) error {
		rows, err := conn.Query(t.Context(), `SELECT world, owner, at, coalesce(lead(at) OVER (PARTITION BY world ORDER BY number), 'infinity'::timestamptz) = 'infinity',
			coalesce(lead(at) OVER (PARTITION BY world ORDER BY number), now()) FROM owners ORDER BY number`)
		if err != nil {
			return err
		}
		all, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (one tenure, err error) {
			var still bool
			if err = row.Scan(&one.world, &one.owner, &one.from, &still, &one.to); still {
				one.to = time.Now().Add(time.Hour)
			}
			return one, err
		})
		return err
	})
	return all
}
