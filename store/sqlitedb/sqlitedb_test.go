package sqlitedb_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/cabrank/cabrank/store/sqlitedb"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// onEach runs a test on a database in a file and on one in memory.
func onEach(t *testing.T, test func(t *testing.T, db *sqlitedb.DB)) {
	t.Run("file", func(t *testing.T) { test(t, open(t, file(t), sqlitedb.Options{Migrations: schema})) })
	t.Run("memory", func(t *testing.T) { test(t, open(t, "", sqlitedb.Options{Migrations: schema})) })
}

func file(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "rows.db")
}

func open(t *testing.T, path string, o sqlitedb.Options) *sqlitedb.DB {
	t.Helper()
	db, err := sqlitedb.Open(t.Context(), path, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

// insert adds a trunk in a transaction of its own.
func insert(ctx context.Context, db *sqlitedb.DB, id string) error {
	return db.Write(ctx, func(q sqlitedb.Querier) error {
		_, err := q.ExecContext(ctx, "INSERT INTO trunks (id, host) VALUES (?, 'h')", id)
		return err
	})
}

func count(t *testing.T, q sqlitedb.Querier) (n int) {
	t.Helper()
	require.NoError(t, q.QueryRowContext(t.Context(), "SELECT count(*) FROM trunks").Scan(&n))
	return n
}

func TestWriteIsAllOrNothing(t *testing.T) {
	failed := errors.New("no")
	for name, fail := range map[string]func(cancel func()) error{
		"an error":         func(func()) error { return failed },
		"a panic":          func(func()) error { panic(failed) },
		"a caller's leave": func(cancel func()) error { cancel(); return nil }, //nolint:unparam // the others fail
	} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, db *sqlitedb.DB) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				write := func() (err error) {
					defer func() {
						if r := recover(); r != nil {
							err = r.(error)
						}
					}()
					return db.Write(ctx, func(q sqlitedb.Querier) error {
						_, err := q.ExecContext(ctx, "INSERT INTO trunks (id, host) VALUES ('t1', 'h')")
						require.NoError(t, err)
						require.Equal(t, 1, count(t, q), "the transaction sees its own rows")
						return fail(cancel)
					})
				}
				require.Error(t, write())
				require.Zero(t, count(t, db.Readers()))
				require.NoError(t, insert(t.Context(), db, "t1"), "the next one is not harmed")
				require.Equal(t, 1, count(t, db.Readers()))
			})
		})
	}
}

func TestReadersCannotWrite(t *testing.T) {
	onEach(t, func(t *testing.T, db *sqlitedb.DB) {
		_, err := db.Readers().ExecContext(t.Context(), "INSERT INTO trunks (id, host) VALUES ('t1', 'h')")
		require.ErrorContains(t, err, "readonly")
	})
}

func TestForeignKeysAreEnforced(t *testing.T) {
	schema := fstest.MapFS{"1.sql": {Data: []byte(
		"CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a INTEGER NOT NULL REFERENCES a)")}}
	for _, path := range []string{"", file(t)} {
		db := open(t, path, sqlitedb.Options{Migrations: schema})
		err := db.Write(t.Context(), func(q sqlitedb.Querier) error {
			_, err := q.ExecContext(t.Context(), "INSERT INTO b VALUES (1)")
			return err
		})
		require.ErrorContains(t, err, "FOREIGN KEY")
	}
}

func TestConcurrentWritesAreAllStored(t *testing.T) {
	onEach(t, func(t *testing.T, db *sqlitedb.DB) {
		const writers, each = 8, 20
		var all sync.WaitGroup
		for w := range writers {
			all.Go(func() {
				for i := range each {
					if err := insert(t.Context(), db, string(rune('a'+w))+string(rune('a'+i))); err != nil {
						t.Error(err)
					}
					var n int
					if err := db.Readers().QueryRowContext(t.Context(), "SELECT count(*) FROM trunks").Scan(&n); err != nil || n == 0 {
						t.Errorf("%d rows: %v", n, err)
					}
				}
			})
		}
		all.Wait()
		require.Equal(t, writers*each, count(t, db.Readers()))
	})
}

func TestDatabasesInMemoryAreSeparate(t *testing.T) {
	one, other := open(t, "", sqlitedb.Options{Migrations: schema}), open(t, "", sqlitedb.Options{Migrations: schema})
	require.NoError(t, insert(t.Context(), one, "t1"))
	require.Zero(t, count(t, other.Readers()))
}

func TestMigrationsRunOnce(t *testing.T) {
	path := file(t)
	first := fstest.MapFS{"0001_trunks.sql": schema["0001_trunks.sql"]}
	db := open(t, path, sqlitedb.Options{Migrations: first})
	require.NoError(t, insert(t.Context(), db, "t1"))
	require.NoError(t, db.Close())
	for range 2 { // a newer program, twice
		db = open(t, path, sqlitedb.Options{Migrations: schema, Durability: sqlitedb.Normal})
		var weight int
		require.NoError(t, db.Readers().QueryRowContext(t.Context(), "SELECT weight FROM trunks WHERE id = 't1'").Scan(&weight))
		require.Equal(t, 1, weight)
		require.NoError(t, db.Close())
		require.NoError(t, db.Close(), "closing again does nothing")
	}
	_, err := sqlitedb.Open(t.Context(), path, sqlitedb.Options{Migrations: first})
	require.ErrorContains(t, err, "it has schema 2 and this program knows up to 1")
}

func TestFailedMigrationLeavesNothing(t *testing.T) {
	path := file(t)
	broken := fstest.MapFS{
		"0001_trunks.sql": schema["0001_trunks.sql"],
		"0002_wrong.sql":  {Data: []byte("ALTER TABLE lorries ADD COLUMN weight")},
	}
	_, err := sqlitedb.Open(t.Context(), path, sqlitedb.Options{Migrations: broken})
	require.ErrorContains(t, err, "migration 0002_wrong.sql")
	db := open(t, path, sqlitedb.Options{Migrations: schema})
	require.NoError(t, insert(t.Context(), db, "t1"))
}

func TestOpenRefuses(t *testing.T) {
	marked := func(application int32, scripts fs.FS) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			require.NoError(t, open(t, path, sqlitedb.Options{Migrations: scripts, Application: application}).Close())
		}
	}
	for _, test := range []struct {
		name    string
		prepare func(t *testing.T, path string)
		says    string // empty: it is opened
	}{
		{"its own file", marked(7, schema), ""},
		{"a file without a mark", marked(0, schema), ""},
		{"another program's file", marked(8, schema), "another program's SQLite database: use another file"},
		{"a file with a hard link", func(t *testing.T, path string) {
			require.NoError(t, os.WriteFile(path, nil, 0o600))
			require.NoError(t, os.Link(path, path+".other"))
		}, "the file has another name too (a hard link)"},
		{"a device", func(t *testing.T, path string) { require.NoError(t, os.Symlink(os.DevNull, path)) }, "it is a device or a pipe and no file"},
		{"a file that is open", func(t *testing.T, path string) { open(t, path, sqlitedb.Options{}) }, "another process has this database open"},
		{"a text", func(t *testing.T, path string) {
			require.NoError(t, os.WriteFile(path, []byte("Dear diary, today I took a taxi to the station and it rained."), 0o600))
		}, "not a SQLite database: use another file"},
		{"a folder", func(t *testing.T, path string) { require.NoError(t, os.Mkdir(path, 0o700)) }, "is a directory"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := file(t)
			test.prepare(t, path)
			db, err := sqlitedb.Open(t.Context(), path, sqlitedb.Options{Migrations: schema, Application: 7})
			if test.says == "" {
				require.NoError(t, err)
				require.NoError(t, db.Close())
				return
			}
			require.ErrorContains(t, err, test.says)
			require.ErrorContains(t, err, "open database "+path)
		})
	}
}

func TestWriteFailsAfterItsDeadline(t *testing.T) {
	db := open(t, file(t), sqlitedb.Options{Migrations: schema})
	gone, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	require.ErrorIs(t, insert(gone, db, "t1"), context.DeadlineExceeded)
	require.NoError(t, insert(t.Context(), db, "t1"))
}
