package postgresdb_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/cabrank/cabrank/store/postgresdb"
	"github.com/cabrank/cabrank/store/postgresdb/postgrestest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T, url string) *postgresdb.DB {
	t.Helper()
	db, err := postgresdb.Open(t.Context(), url, postgresdb.Options{})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	return db
}

func exec(t *testing.T, db *postgresdb.DB, statement string) {
	t.Helper()
	_, err := db.Pool().Exec(t.Context(), statement)
	require.NoError(t, err)
}

func ask[R any](t *testing.T, db *postgresdb.DB, query string) (r R) {
	t.Helper()
	require.NoError(t, db.Pool().QueryRow(t.Context(), query).Scan(&r))
	return r
}

func TestProcessesThatStartTogetherMigrateOnce(t *testing.T) {
	t.Parallel()
	url := postgrestest.URL(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			db, err := postgresdb.Open(t.Context(), url, postgresdb.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			db.Close()
		})
	}
	all.Wait()
	require.Equal(t, 3, ask[int](t, open(t, url), "SELECT scripts FROM cabrank_schema"))
}

func TestConnectionsAreConfigured(t *testing.T) {
	url := postgrestest.URL(t)
	db := open(t, url)
	require.Equal(t, "cabrank", ask[string](t, db, "SHOW application_name"))
	require.Equal(t, "on", ask[string](t, db, "SHOW synchronous_commit"))
	require.Equal(t, "1min", ask[string](t, db, "SHOW statement_timeout"))
	require.EqualValues(t, 16, db.Pool().Config().MaxConns)
	other := open(t, url+"&pool_max_conns=3&synchronous_commit=local")
	require.Equal(t, "local", ask[string](t, other, "SHOW synchronous_commit"))
	_, err := db.Pool().Exec(t.Context(), "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database()); END $$")
	require.NoError(t, err)
	require.Equal(t, "off", ask[string](t, open(t, url), "SHOW synchronous_commit"))
	require.EqualValues(t, 3, other.Pool().Config().MaxConns)
	small, err := postgresdb.Open(t.Context(), url, postgresdb.Options{Connections: 2})
	require.NoError(t, err)
	defer small.Close()
	require.EqualValues(t, 2, small.Pool().Config().MaxConns)
}

func TestSchemaParameterSelectsTheSchema(t *testing.T) {
	url, _, _ := strings.Cut(postgrestest.URL(t), "&")
	first := open(t, postgrestest.URL(t))
	exec(t, first, `CREATE SCHEMA "Taxis"`)
	defer exec(t, first, `DROP SCHEMA "Taxis" CASCADE`)
	exec(t, first, "INSERT INTO settings VALUES ('k', 'v')")
	second := open(t, url+"&schema=Taxis")
	require.Zero(t, ask[int](t, second, "SELECT count(*) FROM settings"))
	require.Equal(t, 1, ask[int](t, second, `SELECT count(*) FROM pg_tables WHERE schemaname = 'Taxis' AND tablename = 'worlds'`))
	third := open(t, url+"&search_path=%22Taxis%22")
	exec(t, third, "INSERT INTO settings VALUES ('k', 'v')")
	require.Equal(t, 1, ask[int](t, second, "SELECT count(*) FROM settings"))
}

// TestOpenErrorsNameTheCure checks that an error of Open says what to do, and does not contain the password.
func TestOpenErrorsNameTheCure(t *testing.T) {
	t.Parallel()
	c := postgrestest.Start(t, postgrestest.Options{Settings: []string{"max_connections = 8", "superuser_reserved_connections = 3"}})
	c.Run(t, "CREATE ROLE ann LOGIN PASSWORD 'tulip77'")
	c.Run(t, "CREATE ROLE secured LOGIN PASSWORD 'tulip77'")
	c.Secure(t, "secured")
	as := func(url, user string) string { return strings.Replace(url, "postgres@", user+":tulip77@", 1) }
	for _, test := range []struct {
		name    string
		url     func(t *testing.T) string
		prepare func(t *testing.T, conn *pgx.Conn) // as the superuser
		says    string
	}{
		{name: "no URL", url: func(*testing.T) string { return "host=x password=tulip77" }, says: "use postgres://"},
		{name: "a wrong URL", url: func(*testing.T) string { return "postgres://ann:tu%lip77@h:x/y" }, says: "use postgres://"},
		{name: "a wrong parameter", url: func(*testing.T) string { return "postgres://ann:tulip77@h/y?connect_timeout=tulip" }, says: "connect_timeout"},
		{name: "no such host", url: func(*testing.T) string { return "postgres://ann:tulip77@nowhere.invalid/y" }, says: "correct it in the URL"},
		{name: "no server", url: func(*testing.T) string { return "postgres://ann:tulip77@127.0.0.1:1/y" }, says: "no server answers: start it"},
		{name: "no such database", url: func(t *testing.T) string { return strings.Replace(as(c.URL(t), "ann"), "/test", "/other", 1) }, says: "createdb"},
		{name: "no such role", url: func(t *testing.T) string { return as(c.URL(t), "nobody") }, says: "createuser"},
		{name: "a wrong password", url: func(t *testing.T) string {
			return strings.Replace(as(c.URL(t), "secured"), "tulip77", "tulip78", 1)
		}, says: "the password is missing or wrong"},
		{name: "no right to create tables", url: func(t *testing.T) string { return as(c.URL(t), "ann") }, says: "GRANT CREATE ON SCHEMA"},
		{name: "no such schema", url: func(t *testing.T) string { return c.URL(t) + "&schema=there" }, says: "CREATE SCHEMA"},
		{
			name: "another program's table", url: func(t *testing.T) string { return c.URL(t) },
			prepare: run("CREATE TABLE users (name text)"), says: "for cabrank only",
		},
		{
			name: "a newer schema", url: func(t *testing.T) string { return c.URL(t) },
			prepare: run("CREATE TABLE cabrank_schema AS SELECT 99 AS scripts"), says: "it has schema 99 and this program knows up to 3",
		},
		{
			name: "too many connections", url: func(t *testing.T) string { return as(c.URL(t), "ann") },
			prepare: func(t *testing.T, conn *pgx.Conn) {
				for range 5 {
					other, err := pgx.ConnectConfig(t.Context(), conn.Config())
					require.NoError(t, err)
					t.Cleanup(func() { require.NoError(t, other.Close(context.WithoutCancel(t.Context()))) })
				}
			}, says: "pool_max_conns",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			url := test.url(t)
			if test.prepare != nil {
				conn, err := pgx.Connect(t.Context(), strings.Replace(url, "ann:tulip77@", "postgres@", 1))
				require.NoError(t, err)
				test.prepare(t, conn)
				require.NoError(t, conn.Close(t.Context()))
			}
			_, err := postgresdb.Open(t.Context(), url, postgresdb.Options{})
			require.ErrorContains(t, err, test.says)
			require.NotContains(t, err.Error(), "tulip7")
			require.NotContains(t, fmt.Sprintf("%+v", err), "tulip7")
		})
	}
}

func run(statement string) func(*testing.T, *pgx.Conn) {
	return func(t *testing.T, conn *pgx.Conn) {
		_, err := conn.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
}

func TestOrdinaryUserCanUseAMigratedDatabase(t *testing.T) {
	t.Parallel()
	c := postgrestest.Start(t, postgrestest.Options{})
	c.Run(t, "CREATE ROLE ann LOGIN")
	url := c.URL(t)
	db := open(t, url)
	exec(t, db, "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ann")
	exec(t, db, "GRANT USAGE ON SEQUENCE epochs TO ann")
	db = open(t, strings.Replace(url, "postgres@", "ann@", 1))
	exec(t, db, "INSERT INTO worlds VALUES ('ann', nextval('epochs'), 'r1', '', '{}')")
	exec(t, db, "SELECT begin_commit('ann', 1, 1, 0, 0)")
}

func TestDatabaseNameOmitsThePassword(t *testing.T) {
	name, _, _ := strings.Cut(postgrestest.URL(t), "&")
	secret := strings.Replace(postgrestest.URL(t), "postgres@", "postgres:tulip77@", 1)
	require.Equal(t, name, open(t, secret).String())
}

func TestFenceRefusesOtherEpochs(t *testing.T) {
	db := open(t, postgrestest.URL(t))
	exec(t, db, "INSERT INTO worlds VALUES ('ann', 7, 'r1', '', '{}')")
	for _, test := range []struct {
		name, call string
		fenced     bool
		says       string // "": it is done
	}{
		{"the epoch", "fence('ann', 7)", false, ""},
		{"a copy", "fence('ann@before', 7)", false, ""},
		{"another epoch", "fence('ann', 6)", true, "belongs to another process"},
		{"no world", "fence('bob', 7)", true, "or was removed"},
		{"a commit", "begin_commit('ann', 7, 5, 10, 20)", false, ""},
		{"the next", "begin_commit('ann', 7, 6, 11, 21)", false, ""},
		{"the one before, late", "begin_commit('ann', 7, 5, 10, 20)", false, "a later commit"},
		{"a commit of another epoch", "begin_commit('ann', 6, 9, 10, 20)", true, "belongs to another process"},
		{"removal by another", "remove_world('ann', 6)", true, "belongs to another process"},
		{"removal", "remove_world('ann', 7)", false, ""},
		{"removal again", "remove_world('ann', 7)", false, ""},
		{"a commit after it", "begin_commit('ann', 7, 8, 11, 21)", true, "or was removed"},
	} {
		b := &pgx.Batch{}
		b.Queue("SELECT " + test.call)
		err := db.Send(t.Context(), b)
		if test.says == "" {
			require.NoError(t, err, test.name)
			continue
		}
		require.ErrorContains(t, err, test.says, test.name)
		if test.fenced {
			require.ErrorIs(t, err, postgresdb.ErrFenced, test.name)
		} else {
			require.NotErrorIs(t, err, postgresdb.ErrFenced, test.name)
		}
	}
	require.Zero(t, ask[int](t, db, "SELECT count(*) FROM progress"))
}

// TestRenewalsDoNotWaitForOtherLocks checks that renewing a lease does not wait for a commit or for a replica that takes a world,
// whereas ending a world's epoch or a lease's term does.
func TestRenewalsDoNotWaitForOtherLocks(t *testing.T) {
	db := open(t, postgrestest.URL(t))
	exec(t, db, "INSERT INTO worlds VALUES ('ann', 7, 'r1', '', '{}')")
	term := ask[int](t, db, "SELECT beat('r1', '', '1s', 1)")
	for _, test := range []struct{ held, end string }{
		{"SELECT fence('ann', 7)", "UPDATE worlds SET epoch = 8 WHERE name = 'ann'"},
		{fmt.Sprintf("SELECT hold('r1', %d)", term), "UPDATE replicas SET term = nextval('epochs') WHERE id = 'r1'"}, // the last: the term ends
	} {
		busy := postgrestest.Hold(t, db.Pool(), test.held)
		require.Equal(t, term, ask[int](t, db, "SELECT beat('r1', '', '3s', 1)"))
		ended := make(chan error, 1)
		go func() { // ends after busy
			_, err := db.Pool().Exec(t.Context(), test.end)
			ended <- err
		}()
		for ask[int](t, db, "SELECT count(*) FROM pg_locks WHERE NOT granted") == 0 {
			select {
			case err := <-ended:
				require.Fail(t, "it did not wait", "%s: %v", test.end, err)
			default:
			}
		}
		require.NoError(t, busy.Commit(t.Context()))
		require.NoError(t, <-ended)
	}
	require.NotEqual(t, term, ask[int](t, db, "SELECT beat('r1', '', '3s', 1)"))
}

func TestLostConnectionIsRecognised(t *testing.T) {
	t.Parallel()
	c := postgrestest.Start(t, postgrestest.Options{})
	db := open(t, c.URL(t))
	for name, end := range map[string]func(){
		"stopped": func() { c.Stop(t) },
		"killed":  func() { c.Kill(t) },
	} {
		conn, err := db.Pool().Acquire(t.Context())
		require.NoError(t, err)
		end()
		_, err = conn.Exec(t.Context(), "SELECT 1")
		require.True(t, postgresdb.Lost(err), "%s: %v", name, err)
		conn.Release()
		_, err = db.Pool().Exec(t.Context(), "SELECT 1")
		require.ErrorContains(t, postgresdb.Explain(err), "no server answers")
		require.False(t, postgresdb.Lost(err), "%s: %v", name, err)
		c.Start(t)
		exec(t, db, "SELECT 1")
	}
	hold(t, db, 5)
	c.Stop(t)
	c.Start(t)
	require.NoError(t, db.Repeat(t.Context(), func() (*pgx.Batch, error) {
		b := &pgx.Batch{}
		b.Queue("SELECT 1")
		return b, nil
	}), "though five connections are lost")
	_, err := db.Pool().Exec(t.Context(), "SELECT nothing")
	require.False(t, postgresdb.Lost(err))
	require.False(t, postgresdb.Lost(nil))
}

// TestUrgentStatementsDoNotWait checks that urgent statements run while all connections of the pool are in use.
func TestUrgentStatementsDoNotWait(t *testing.T) {
	db := open(t, postgrestest.URL(t)+"&pool_max_conns=1&pool_min_conns=1")
	conn, err := db.Pool().Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	require.NoError(t, db.Urgently(t.Context(), func() (*pgx.Batch, error) {
		b := &pgx.Batch{}
		b.Queue("SELECT 1")
		return b, nil
	}))
}

// hold leaves so many connections in the pool.
func hold(t *testing.T, db *postgresdb.DB, connections int) {
	for range connections {
		conn, err := db.Pool().Acquire(t.Context())
		require.NoError(t, err)
		defer conn.Release()
	}
}
