package platform_test

import (
	"bytes"
	"database/sql"
	"log/slog"
	"math"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/api"
)

// TestDamagedRowsAreSkipped checks that the platform starts with a damaged row in one of its tables: it logs and skips
// this row, and works with all others.
func TestDamagedRowsAreSkipped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "platform.db")
	before, stop := seeded(t, path)
	before.login("admin") // which makes a key
	stop()

	for _, damage := range []struct{ table, change string }{
		{"trunks", "body = substr(body, 1, 20)"},
		{"hooks", "body = 'null'"},
		{"hooks", "body = substr(body, 1, 9) || upper(substr(body, 10))"}, // still JSON
		{"devices", "body = '[]'"},
		{"devices", "body = (SELECT body FROM devices WHERE seq = 2)"},
		{"taxi", "body = '\"\"'"},
		{"users", "roles = '['"},
		{"accounts", "address = ''"},
		{"keys", "der = x'00'"},
		{"deliveries", "body = '{}' || printf('%16s', '')"}, // another checksum
	} {
		killed := filepath.Join(t.TempDir(), "platform.db")
		db, err := sql.Open("sqlite", path)
		require.NoError(t, err)
		_, err = db.ExecContext(t.Context(), "VACUUM INTO ?", killed)
		require.NoError(t, err)
		require.NoError(t, db.Close())
		db, err = sql.Open("sqlite", killed)
		require.NoError(t, err)
		_, err = db.ExecContext(t.Context(), "INSERT INTO deliveries VALUES (1, 'evt', 'hook', 'account', 'call', 'call', '{}', 'pending', 0, 0, ?, 0, '')", int64(math.MaxInt64))
		require.NoError(t, err)
		done, err := db.ExecContext(t.Context(), "UPDATE "+damage.table+" SET "+damage.change+" WHERE rowid = (SELECT max(rowid) FROM "+damage.table+")")
		require.NoError(t, err)
		rows, err := done.RowsAffected()
		require.NoError(t, err)
		require.EqualValues(t, 1, rows)
		require.NoError(t, db.Close())

		var log bytes.Buffer
		h, stop := opened(t, killed, func(o *platform.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
		require.Len(t, h.records.Damaged(), 1, damage)
		require.Equal(t, damage.table, h.records.Damaged()[0].Table)
		require.Contains(t, log.String(), "a record is set aside")
		h.credentials = before.credentials
		for _, of := range []string{"/trunk", "/hook", "/device", "/ddi", "/address"} {
			require.Equal(t, http.StatusOK, h.as("admin", http.MethodGet, h.path(of), "").status)
		}
		require.Equal(t, http.StatusCreated, h.place(minimal).status)
		require.Equal(t, http.StatusOK, h.send(http.MethodGet, h.taxiPath(), "").status)
		if damage.table == "users" {
			h.refused(h.post("/sim/v1/users", `{"username":"`+h.records.Damaged()[0].Key+`","roles":["`+api.RoleVoice+`"]}`), api.CodeConflict)
		}
		stop()
	}
}
