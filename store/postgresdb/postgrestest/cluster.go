package postgrestest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// Options configures a [Cluster].
type Options struct {
	Settings []string // of the server, such as "max_connections = 20"
}

// Cluster is a PostgreSQL server with a folder of its own.
type Cluster struct {
	folder string // of the data, the socket and the log
	as     user
	guard  *guard
	next   atomic.Int64 // number of the next database
}

// create makes a server in a new folder, and starts it.
func create(o Options) (_ *Cluster, err error) {
	c := &Cluster{}
	if c.as, err = unprivileged(); err != nil {
		return nil, err
	}
	if c.folder, err = os.MkdirTemp("", "cabrank-pg"); err != nil {
		return nil, err
	}
	if err := c.as.own(c.folder); err != nil {
		return nil, err
	}
	if c.guard, err = newGuard(c); err != nil {
		return nil, err
	}
	if err := c.run("initdb", "--pgdata="+c.data(), "--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C"); err != nil {
		return nil, errors.Join(err, c.guard.end())
	}
	if err := c.configure(o); err != nil {
		return nil, errors.Join(err, c.guard.end())
	}
	if err := c.start(); err != nil {
		return nil, errors.Join(err, c.guard.end())
	}
	return c, nil
}

// configure adds the settings of the server to its file.
func (c *Cluster) configure(o Options) error {
	settings := []string{"listen_addresses = ''", "unix_socket_directories = '" + c.folder + "'", "max_connections = 200"}
	settings = append(settings, "fsync = off", "full_page_writes = off") // it outlives a kill of its processes all the same
	settings = append(settings, o.Settings...)
	file, err := os.OpenFile(filepath.Join(c.data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString("\n" + strings.Join(settings, "\n") + "\n")
	return errors.Join(err, file.Close())
}

func (c *Cluster) data() string { return filepath.Join(c.folder, "data") }

// run runs a program of PostgreSQL as the cluster's user. Its output is in the error.
func (c *Cluster) run(program string, args ...string) error {
	cmd := exec.Command(filepath.Join(programs(), program), args...)
	c.as.runs(cmd)
	out, err := os.CreateTemp(c.folder, program) // a pipe would stay open in the server
	if err != nil {
		return err
	}
	cmd.Stdout, cmd.Stderr, cmd.Dir = out, out, c.folder
	err = cmd.Run()
	text, _ := os.ReadFile(out.Name())
	if err = errors.Join(err, out.Close(), os.Remove(out.Name())); err != nil {
		return fmt.Errorf("%s: %w: %s", program, err, text)
	}
	return nil
}

// start starts the server and waits until it answers. After a kill, the system may take a
// moment to release what the former server had.
func (c *Cluster) start() (err error) {
	for range 20 {
		if err = c.run("pg_ctl", "start", "--wait", "--pgdata="+c.data(), "--log="+filepath.Join(c.folder, "log")); err == nil {
			return nil
		}
	}
	log, _ := os.ReadFile(filepath.Join(c.folder, "log"))
	return fmt.Errorf("%w\n%s", err, log)
}

// Start starts the server again.
func (c *Cluster) Start(t testing.TB) {
	t.Helper()
	require.NoError(t, c.start())
}

// Stop ends the server's sessions and stops the server.
func (c *Cluster) Stop(t testing.TB) {
	t.Helper()
	require.NoError(t, c.run("pg_ctl", "stop", "--mode=fast", "--pgdata="+c.data()))
}

// Kill ends all processes of the server with SIGKILL.
func (c *Cluster) Kill(t testing.TB) {
	t.Helper()
	pids := c.sessions(t)
	for _, pid := range slices.Concat([]int{c.Process(t)}, pids) {
		if err := kill(pid); !errors.Is(err, os.ErrProcessDone) { // it may have ended meanwhile
			require.NoError(t, err)
		}
	}
	// Where nobody waits for orphans, the server would be taken for one that still runs.
	require.NoError(t, os.Remove(filepath.Join(c.data(), "postmaster.pid")))
	require.NoError(t, os.Remove(filepath.Join(c.folder, ".s.PGSQL.5432.lock")))
}

// Process returns the process of the server, whose children are those of its sessions.
func (c *Cluster) Process(t testing.TB) (pid int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(c.data(), "postmaster.pid"))
	require.NoError(t, err)
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err = strconv.Atoi(first)
	require.NoError(t, err)
	return pid
}

// sessions returns the processes of the server, except the first.
func (c *Cluster) sessions(t testing.TB) (pids []int) {
	t.Helper()
	c.connected(t, func(ctx context.Context, conn *pgx.Conn) error {
		rows, err := conn.Query(ctx, "SELECT pid FROM pg_stat_activity")
		if err != nil {
			return err
		}
		pids, err = pgx.CollectRows(rows, pgx.RowTo[int])
		return err
	})
	return pids
}

// URL returns the URL of a new database, which is removed after the test, if the server runs
// then.
func (c *Cluster) URL(t testing.TB) string {
	t.Helper()
	name := c.name()
	c.Run(t, "CREATE DATABASE "+name)
	t.Cleanup(func() {
		if c.run("pg_ctl", "status", "--pgdata="+c.data()) == nil {
			c.Run(t, "DROP DATABASE "+name+" WITH (FORCE)")
		}
	})
	return c.url(name)
}

// name returns the name of a new database or schema.
func (c *Cluster) name() string { return fmt.Sprintf("test%d", c.next.Add(1)) }

func (c *Cluster) url(name string) string {
	return fmt.Sprintf("postgres://postgres@/%s?host=%s", name, c.folder)
}

// Run executes an SQL statement as the superuser, in the database postgres.
func (c *Cluster) Run(t testing.TB, statement string) {
	t.Helper()
	c.connected(t, func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, statement)
		return err
	})
}

// connected calls do with a connection of the superuser.
func (c *Cluster) connected(t testing.TB, do func(context.Context, *pgx.Conn) error) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context()) // of a test that may have ended
	conn, err := pgx.Connect(ctx, c.url("postgres"))
	require.NoError(t, err)
	defer conn.Close(ctx)
	require.NoError(t, do(ctx, conn))
}

// programs returns the folder with the newest installed PostgreSQL's programs; "" if none is
// installed.
func programs() string {
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(path)
		}
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		return ""
	}
	return filepath.Dir(slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) }))
}

// version returns the version number in a path such as /usr/lib/postgresql/15/bin/initdb, or 0.
func version(path string) (n int) {
	_, _ = fmt.Sscanf(path, "/usr/lib/postgresql/%d/", &n)
	return n
}

// Secure makes the server ask a role for its password.
func (c *Cluster) Secure(t testing.TB, role string) {
	t.Helper()
	path := filepath.Join(c.data(), "pg_hba.conf")
	rest, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, append([]byte("local all "+role+" scram-sha-256\n"), rest...), 0))
	c.Run(t, "SELECT pg_reload_conf()")
}
