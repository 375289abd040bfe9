package sqlitedb

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// TestTheLogIsKeptShort writes far more than the log may hold: it begins anew
// again and again.
func TestTheLogIsKeptShort(t *testing.T) {
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
