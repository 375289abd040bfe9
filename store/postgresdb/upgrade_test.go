package postgresdb

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/store/postgresdb/postgrestest"
)

// TestMigratedWorldsStayWithTheirOwners checks that a world of the previous schema stays with its owner after the migration,
// for as long as its lease may last.
func TestMigratedWorldsStayWithTheirOwners(t *testing.T) {
	url := postgrestest.URL(t)
	config, err := configOf(url, Options{})
	require.NoError(t, err)
	conn, err := pgx.ConnectConfig(t.Context(), config.ConnConfig)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	before := fstest.MapFS{}
	for _, name := range []string{"migrations/0001_worlds.sql", "migrations/0002_log.sql"} {
		script, err := fs.ReadFile(migrations, name)
		require.NoError(t, err)
		before[name] = &fstest.MapFile{Data: script}
	}
	require.NoError(t, migrate(t.Context(), conn, before))
	for _, statement := range []string{
		"INSERT INTO replicas VALUES ('r1', 'r1:8080', now() - interval '1 second', 1), ('r2', 'r2:8080', now() + interval '1 hour', 1)",
		"INSERT INTO worlds VALUES ('ann', 7, 'r1', 'r1:8080', now() + interval '2 seconds', '{}'), ('bob', 8, '', '', now(), '{}')",
		"SELECT setval('epochs', 8)",
	} {
		_, err := conn.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	db, err := Open(t.Context(), url, Options{})
	require.NoError(t, err)
	defer db.Close()
	take := func(world string) (taken bool) {
		require.NoError(t, db.Pool().QueryRow(t.Context(), "SELECT take_world($1, 'r2', 'r2:8080', (SELECT term FROM replicas WHERE id = 'r2'))", world).Scan(&taken))
		return taken
	}
	require.True(t, take("bob"))
	require.False(t, take("ann"))
	_, err = db.Pool().Exec(t.Context(), "UPDATE replicas SET until = now() WHERE id = 'r1'")
	require.NoError(t, err)
	require.True(t, take("ann"))
}

func TestOldAndStandbyServersAreRefused(t *testing.T) {
	require.NoError(t, refusal(13_00_03, false))
	require.ErrorContains(t, refusal(12_00_22, false), "PostgreSQL 12: use 13 or newer")
	require.ErrorContains(t, refusal(15_00_04, true), "use the address of the primary server")
}
