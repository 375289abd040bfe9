package platform_test

import (
	"bytes"
	"context"
	"database/sql"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// TestDamageIsSetAside damages a row of each table: the platform starts, names the row, and
// goes on with all others.
func TestDamageIsSetAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "platform.db")
	first, err := records.Open(t.Context(), path)
	require.NoError(t, err)
	p, err := platform.New(t.Context(), platform.Options{Records: first, Now: morning.Local, Random: rand.NewChaCha8([32]byte{3})})
	require.NoError(t, err)
	credentials, err := p.Open(t.Context(), platform.Credentials{}, nil)
	require.NoError(t, err)
	before := &house{t: t, line: voice.NewVirtual(morning), tokens: map[string]string{}, platform: p, credentials: credentials}
	before.serve()
	before.login("admin") // which makes a key
	require.NoError(t, p.Close(context.Background()))
	require.NoError(t, first.Close())

	for _, damage := range []struct{ table, change string }{
		{"trunks", "body = substr(body, 1, 20)"},
		{"hooks", "body = 'null'"},
		{"devices", "body = '[]'"},
		{"devices", "body = (SELECT body FROM devices WHERE seq = 2)"},
		{"taxi", "body = '\"\"'"},
		{"users", "roles = '['"},
		{"accounts", "address = ''"},
		{"keys", "der = x'00'"},
	} {
		killed := filepath.Join(t.TempDir(), "platform.db")
		db, err := sql.Open("sqlite", path)
		require.NoError(t, err)
		_, err = db.ExecContext(t.Context(), "VACUUM INTO ?", killed)
		require.NoError(t, err)
		require.NoError(t, db.Close())
		db, err = sql.Open("sqlite", killed)
		require.NoError(t, err)
		done, err := db.ExecContext(t.Context(), "UPDATE "+damage.table+" SET "+damage.change+" WHERE rowid = (SELECT max(rowid) FROM "+damage.table+")")
		require.NoError(t, err)
		rows, err := done.RowsAffected()
		require.NoError(t, err)
		require.EqualValues(t, 1, rows)
		require.NoError(t, db.Close())

		var log bytes.Buffer
		kept, err := records.Open(t.Context(), killed)
		require.NoError(t, err, damage)
		require.Len(t, kept.Damaged(), 1, damage)
		require.Equal(t, damage.table, kept.Damaged()[0].Table)
		again, err := platform.New(t.Context(), platform.Options{
			Records: kept, Now: morning.Local, Random: rand.NewChaCha8([32]byte{4}), Log: slog.New(slog.NewTextHandler(&log, nil)),
		})
		require.NoError(t, err)
		require.Contains(t, log.String(), "a record is set aside")
		h := &house{t: t, line: before.line, tokens: map[string]string{}, records: kept, platform: again, credentials: credentials}
		h.serve()
		for _, of := range []string{"/trunk", "/hook", "/device", "/ddi", "/address"} {
			require.Equal(t, http.StatusOK, h.as("admin", http.MethodGet, h.path(of), "").status)
		}
		require.Equal(t, http.StatusCreated, h.place(minimal).status)
		require.Equal(t, http.StatusOK, h.send(http.MethodGet, h.taxiPath(), "").status)
		if damage.table == "users" {
			h.refused(h.post("/sim/v1/users", `{"username":"`+kept.Damaged()[0].Key+`","roles":["`+api.RoleVoice+`"]}`), api.CodeConflict)
		}
		require.NoError(t, again.Close(context.Background()))
		require.NoError(t, kept.Close())
	}
}
