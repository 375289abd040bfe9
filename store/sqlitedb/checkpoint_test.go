package sqlitedb

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// TestWriteAheadLogIsKeptShort writes far more than the log may hold: it begins anew
// again and again.
func TestWriteAheadLogIsKeptShort(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.db")
	schema := fstest.MapFS{"1.sql": {Data: []byte("CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT)")}}
	db, err := Open(t.Context(), path, Options{Migrations: schema})
	require.NoError(t, err)
	db.tidy.every, db.tidy.most = 5, 20 // before anything is written
	const rows = 1500
	for range rows {
		require.NoError(t, db.Write(t.Context(), func(q Querier) error {
			_, err := q.ExecContext(t.Context(), "INSERT INTO names (name) VALUES (hex(randomblob(500)))")
			return err
		}))
	}
	log, err := os.Stat(path + "-wal")
	require.NoError(t, err)
	require.Less(t, log.Size(), int64(rows*4096/2), "each row writes a page at least")
	require.NoError(t, db.Close())
	require.NoFileExists(t, path+"-wal")
}

// TestDamagedLogFramesAreCounted checks that Behind counts the frames that a damaged page or header makes unreadable in the
// log of a process that was killed.
func TestDamagedLogFramesAreCounted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.db")
	options := Options{Migrations: fstest.MapFS{"1.sql": {Data: []byte("CREATE TABLE names (name TEXT)")}}}
	db, err := Open(t.Context(), path, options)
	require.NoError(t, err)
	for range 20 {
		require.NoError(t, db.Write(t.Context(), func(q Querier) error {
			_, err := q.ExecContext(t.Context(), "INSERT INTO names VALUES (hex(randomblob(500)))")
			return err
		}))
	}
	file, err := os.ReadFile(path)
	require.NoError(t, err)
	log, err := os.ReadFile(path + "-wal")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	for _, row := range []struct{ at, behind int }{{-1, 0}, {len(log) / 2, 5}, {len(log) - 1, 0}, {9, 20}, {20, 20}, {30, 20}} { // the last frame may be half written; the header is none
		killed := filepath.Join(t.TempDir(), "killed.db")
		damaged := append([]byte(nil), log...)
		if row.at >= 0 {
			damaged[row.at] ^= 1
		}
		require.NoError(t, os.WriteFile(killed, file, 0o600))
		require.NoError(t, os.WriteFile(killed+"-wal", damaged, 0o600))
		again, err := Open(t.Context(), killed, options)
		require.NoError(t, err)
		require.GreaterOrEqual(t, again.Behind(), row.behind)
		require.Equal(t, row.behind > 0, again.Behind() > 0)
		require.NoError(t, again.Close())
	}
}
