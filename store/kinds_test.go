package store

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/store/postgresdb"
	"github.com/cabrank/cabrank/store/postgresdb/postgrestest"
	"github.com/cabrank/cabrank/store/sqlitedb"
)

// Kind is a kind of database, for tests that run with each.
type Kind struct {
	Name string
	// Places returns a function that returns a new place at each call.
	Places func(t testing.TB) func() Place
	// Copy returns the place of a copy.
	Copy func(Place) Place
	// Alter changes one row behind the back of a store. Bytes are written x'00'.
	Alter func(t testing.TB, p Place, statement string)
}

// Kinds are SQLite and PostgreSQL.
var Kinds = []Kind{
	{Name: "SQLite", Places: files, Copy: beside, Alter: alterFile},
	{Name: "PostgreSQL", Places: worlds, Copy: copyOf, Alter: alterWorld},
}

// OnEachKind runs a test with each kind of database.
func OnEachKind(t *testing.T, test func(t *testing.T, k Kind)) {
	for _, k := range Kinds {
		t.Run(k.Name, func(t *testing.T) { test(t, k) })
	}
}

func files(t testing.TB) func() Place {
	dir, n := t.TempDir(), 0
	return func() Place {
		n++
		return File(filepath.Join(dir, fmt.Sprint(n, ".db")))
	}
}

func beside(p Place) Place { return File(p.String() + ".copy") }

func alterFile(t testing.TB, p Place, statement string) {
	d, err := openSQLite(t.Context(), p.String(), sqlitedb.Normal)
	require.NoError(t, err)
	stmt, err := d.db.Prepare(t.Context(), statement)
	require.NoError(t, err)
	defer stmt.Close()
	done, err := stmt.ExecContext(t.Context())
	require.NoError(t, err)
	changed, err := done.RowsAffected()
	require.NoError(t, err)
	require.EqualValues(t, 1, changed)
	require.NoError(t, d.close())
}

func worlds(t testing.TB) func() Place {
	db, n := OpenShared(t, postgrestest.URL(t)), 0
	return func() Place {
		n++
		world := fmt.Sprint("world", n)
		return Shared(db, world, TakeWorld(t, db, world))
	}
}

// TakeWorld takes a world, or makes it, and returns its epoch.
func TakeWorld(t testing.TB, db *postgresdb.DB, world string) (epoch int64) {
	require.NoError(t, db.Pool().QueryRow(t.Context(), `INSERT INTO worlds VALUES ($1, nextval('epochs'), '', '', '{}')
		ON CONFLICT (name) DO UPDATE SET epoch = excluded.epoch RETURNING epoch`, world).Scan(&epoch))
	return epoch
}

// OpenShared opens a database until the end of the test.
func OpenShared(t testing.TB, url string) *postgresdb.DB {
	db, err := postgresdb.Open(t.Context(), url, postgresdb.Options{})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	return db
}

func copyOf(p Place) Place {
	world := p.(sharedPlace)
	return Shared(world.db, world.world+"@copy", world.epoch)
}

func alterWorld(t testing.TB, p Place, statement string) {
	done, err := p.(sharedPlace).db.Pool().Exec(t.Context(), strings.ReplaceAll(statement, "x'", `'\x`))
	require.NoError(t, err)
	require.EqualValues(t, 1, done.RowsAffected())
}
