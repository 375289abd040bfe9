// Package postgrestest starts PostgreSQL servers for tests, with the programs of this machine.
// They listen on a socket in a temporary folder, run as another user if the tests run as root,
// and end with the process of the tests, however that ends.
package postgrestest

import (
	"context"
	"os"
	"runtime"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
)

// shared is the server of [URL]; it is stopped when the process ends.
var shared = sync.OnceValues(func() (*Cluster, error) { return create(Options{}) })

// URL returns the URL of a new schema, which takes a tenth of the time of a new database, and
// is removed after the test. All schemas of a process are in one server. Without the programs
// of a server the test is skipped, or fails if MUST_RUN is set.
func URL(t testing.TB) string {
	t.Helper()
	needPrograms(t)
	c, err := shared()
	require.NoError(t, err)
	name := c.name()
	c.Run(t, "CREATE SCHEMA "+name)
	t.Cleanup(func() { c.Run(t, "DROP SCHEMA "+name+" CASCADE") })
	return c.url("postgres") + "&schema=" + name
}

// Start starts a server, which is removed after the test. Without the programs of a server the
// test is skipped, or fails if MUST_RUN is set.
func Start(t testing.TB, o Options) *Cluster {
	t.Helper()
	needPrograms(t)
	c, err := create(o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.guard.end()) })
	return c
}

// Hold begins a transaction that has executed a statement and keeps its locks. One that the test has not ended is rolled
// back after it, since a pool that lent a connection does not close.
func Hold(t testing.TB, pool *pgxpool.Pool, statement string, args ...any) pgx.Tx {
	t.Helper()
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) })
	_, err = tx.Exec(t.Context(), statement, args...)
	require.NoError(t, err)
	return tx
}

// needPrograms skips a test on a machine without PostgreSQL.
func needPrograms(t testing.TB) {
	t.Helper()
	if programs() == "" || runtime.GOOS == "windows" {
		const missing = "initdb is neither in PATH nor in /usr/lib/postgresql: apt-get install postgresql"
		require.Empty(t, os.Getenv("MUST_RUN"), missing)
		t.Skip(missing)
	}
}
