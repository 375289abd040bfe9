package leases_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/cabrank/cabrank/store/leases"
	"github.com/cabrank/cabrank/store/postgresdb"
	"github.com/cabrank/cabrank/store/postgresdb/postgrestest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	one = leases.Holder{ID: "r1", Address: "10.0.0.1:8080"}
	two = leases.Holder{ID: "r2", Address: "10.0.0.2:8080"}
)

// Leases that do not expire during a test, and that have expired at once.
const (
	long = time.Hour
	past = -time.Second
)

func open(t *testing.T) (*leases.Table, *postgresdb.DB) {
	t.Helper()
	db := openURL(t, postgrestest.URL(t))
	return leases.New(db), db
}

func openURL(t *testing.T, url string) *postgresdb.DB {
	t.Helper()
	db, err := postgresdb.Open(t.Context(), url, postgresdb.Options{})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	return db
}

func create(t *testing.T, table *leases.Table, name string, by leases.Holder, ttl time.Duration) leases.World {
	t.Helper()
	w, err := table.Create(t.Context(), name, []byte(`{"seed":7}`), by, ttl)
	require.NoError(t, err)
	return w
}

// requireSame compares worlds, except for the time that is left: that may be less by now.
func requireSame(t *testing.T, want, got leases.World) {
	t.Helper()
	require.LessOrEqual(t, got.Left, want.Left)
	require.InDelta(t, want.Left, got.Left, float64(time.Minute))
	got.Left = want.Left
	require.Equal(t, want, got)
}

func TestAWorldIsCreatedOnce(t *testing.T) {
	table, _ := open(t)
	_, err := table.Find(t.Context(), "ann")
	require.ErrorIs(t, err, leases.ErrNotFound)
	w := create(t, table, "ann", one, long)
	requireSame(t, leases.World{Name: "ann", Epoch: 1, Owner: "r1", Address: one.Address, Left: long, Facts: []byte(`{"seed":7}`)}, w)
	_, err = table.Create(t.Context(), "ann", nil, two, long)
	require.ErrorIs(t, err, leases.ErrExists)
	_, err = table.Create(t.Context(), "ann@before", nil, two, long)
	require.ErrorContains(t, err, "has no @")
	found, err := table.Find(t.Context(), "ann")
	require.NoError(t, err)
	requireSame(t, w, found)
	bob := create(t, table, "bob", two, past)
	all, err := table.List(t.Context())
	require.NoError(t, err)
	require.Len(t, all, 2)
	requireSame(t, w, all[0])
	requireSame(t, bob, all[1])
	require.Negative(t, all[1].Left)
}

func TestWhoMayTakeAWorld(t *testing.T) {
	for _, test := range []struct {
		name    string
		prepare func(t *testing.T, table *leases.Table)
		by      leases.Holder
		held    bool
	}{
		{"another, while it is held", func(t *testing.T, table *leases.Table) { create(t, table, "ann", one, long) }, two, true},
		{"another, when the lease has expired", func(t *testing.T, table *leases.Table) { create(t, table, "ann", one, past) }, two, false},
		{"another, when it was given back", func(t *testing.T, table *leases.Table) {
			w := create(t, table, "ann", one, long)
			require.NoError(t, table.Give(t.Context(), one, []leases.Held{{Name: "ann", Epoch: w.Epoch}}))
		}, two, false},
		{"its owner", func(t *testing.T, table *leases.Table) { create(t, table, "ann", one, long) }, one, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			table, _ := open(t)
			test.prepare(t, table)
			w, err := table.Take(t.Context(), "ann", test.by, long)
			if test.held {
				held, ok := errors.AsType[*leases.HeldError](err)
				require.True(t, ok, "%v", err)
				require.Equal(t, w, held.World)
				require.Equal(t, one.Address, w.Address)
				require.ErrorContains(t, err, "r1")
				return
			}
			require.NoError(t, err)
			requireSame(t, leases.World{Name: "ann", Epoch: 2, Owner: test.by.ID, Address: test.by.Address, Left: long, Facts: []byte(`{"seed":7}`)}, w)
		})
	}
}

func TestOnlyTheMainWorldIsCreatedByTaking(t *testing.T) {
	table, _ := open(t)
	_, err := table.Take(t.Context(), "ann", one, long)
	require.ErrorIs(t, err, leases.ErrNotFound)
	w, err := table.Take(t.Context(), "", one, long)
	require.NoError(t, err)
	requireSame(t, leases.World{Epoch: 1, Owner: "r1", Address: one.Address, Left: long, Facts: []byte("{}")}, w)
}

// TestOneOfManyWins: replicas take one expired world at the same moment.
func TestOneOfManyWins(t *testing.T) {
	table, _ := open(t)
	const replicas, rounds = 8, 20
	for round := range rounds {
		name := fmt.Sprint("w", round)
		if round == 0 {
			name = "" // is created by whoever is first
		} else {
			create(t, table, name, one, past)
		}
		var all sync.WaitGroup
		worlds, errs := make([]leases.World, replicas), make([]error, replicas)
		for i := range replicas {
			all.Go(func() {
				worlds[i], errs[i] = table.Take(t.Context(), name, leases.Holder{ID: fmt.Sprint("x", i)}, long)
			})
		}
		all.Wait()
		won := 0
		for i, err := range errs {
			if err == nil {
				won++
				require.Equal(t, fmt.Sprint("x", i), worlds[i].Owner)
			} else {
				require.ErrorAs(t, err, new(*leases.HeldError))
			}
		}
		require.Equal(t, 1, won)
	}
}

func TestBeatRenewsWhatIsHeld(t *testing.T) {
	table, _ := open(t)
	var held []leases.Held
	for _, name := range []string{"", "ann", "bob", "cid", "dan"} {
		held = append(held, leases.Held{Name: name, Epoch: create(t, table, name, one, time.Minute).Epoch})
	}
	_, err := table.Take(t.Context(), "ann", one, time.Minute) // in another epoch
	require.NoError(t, err)
	require.NoError(t, table.Give(t.Context(), one, held[2:3]))
	require.NoError(t, table.Remove(t.Context(), "cid", held[3].Epoch))
	lost, err := table.Beat(t.Context(), one, long, held)
	require.NoError(t, err)
	require.Equal(t, []string{"ann", "bob", "cid"}, lost)
	for name, renewed := range map[string]bool{"": true, "ann": false, "bob": false, "dan": true} {
		w, err := table.Find(t.Context(), name)
		require.NoError(t, err)
		require.Equal(t, renewed, w.Left > time.Minute, name)
	}
	lost, err = table.Beat(t.Context(), two, long, held[:1])
	require.NoError(t, err)
	require.Equal(t, []string{""}, lost, "it is another's")
	lost, err = table.Beat(t.Context(), two, long, nil)
	require.NoError(t, err)
	require.Empty(t, lost)
}

// TestALateBeatKeepsAWorld that nobody has taken.
func TestALateBeatKeepsAWorld(t *testing.T) {
	table, _ := open(t)
	w := create(t, table, "ann", one, past)
	lost, err := table.Beat(t.Context(), one, long, []leases.Held{{Name: "ann", Epoch: w.Epoch}})
	require.NoError(t, err)
	require.Empty(t, lost)
	_, err = table.Take(t.Context(), "ann", two, long)
	require.ErrorAs(t, err, new(*leases.HeldError))
}

func TestReplicasThatLive(t *testing.T) {
	table, db := open(t)
	for _, r := range []struct {
		by   leases.Holder
		ttl  time.Duration
		held int
	}{{two, long, 3}, {one, long, 0}, {leases.Holder{ID: "r3"}, past, 0}, {leases.Holder{ID: "r4"}, -time.Hour, 0}} {
		_, err := table.Beat(t.Context(), r.by, r.ttl, make([]leases.Held, r.held))
		require.NoError(t, err)
	}
	_, err := table.Beat(t.Context(), one, long, nil)
	require.NoError(t, err)
	live, err := table.Replicas(t.Context())
	require.NoError(t, err)
	require.Len(t, live, 2)
	require.Equal(t, []string{"r1", "r2"}, []string{live[0].ID, live[1].ID})
	require.Equal(t, two.Address, live[1].Address)
	require.Equal(t, 3, live[1].Worlds)
	require.InDelta(t, long, live[1].Left, float64(time.Minute))
	var rows int
	require.NoError(t, db.Pool().QueryRow(t.Context(), "SELECT count(*) FROM replicas").Scan(&rows))
	require.Equal(t, 3, rows, "one that ended long ago is forgotten")
	require.NoError(t, table.Leave(t.Context(), two))
	live, err = table.Replicas(t.Context())
	require.NoError(t, err)
	require.Len(t, live, 1)
}

func TestFactsAndRemovalAreFenced(t *testing.T) {
	table, db := open(t)
	w := create(t, table, "ann", one, long)
	neighbour := create(t, table, "ann2", one, long)
	for _, record := range []string{"ann", "ann@before", "ann@after", "ann2", "", "@before", "anm@x"} {
		_, err := db.Pool().Exec(t.Context(), "INSERT INTO meta VALUES ($1, 'k', 'v')", record)
		require.NoError(t, err)
	}
	require.ErrorIs(t, table.SetFacts(t.Context(), "ann", w.Epoch+9, nil), leases.ErrFenced)
	require.ErrorIs(t, table.Remove(t.Context(), "ann", w.Epoch+9), leases.ErrFenced)
	require.NoError(t, table.SetFacts(t.Context(), "ann", w.Epoch, []byte(`{"seed":8}`)))
	w, err := table.Find(t.Context(), "ann")
	require.NoError(t, err)
	require.JSONEq(t, `{"seed":8}`, string(w.Facts))

	require.NoError(t, table.Remove(t.Context(), "ann", w.Epoch))
	require.NoError(t, table.Remove(t.Context(), "ann", w.Epoch), "it is gone")
	require.ErrorIs(t, table.SetFacts(t.Context(), "ann", w.Epoch, nil), leases.ErrFenced)
	_, err = table.Find(t.Context(), "ann")
	require.ErrorIs(t, err, leases.ErrNotFound)
	var left []string
	require.NoError(t, db.Pool().QueryRow(t.Context(), "SELECT array_agg(world ORDER BY world) FROM meta").Scan(&left))
	require.Equal(t, []string{"", "@before", "anm@x", "ann2"}, left)
	again := create(t, table, "ann", two, long)
	require.Greater(t, again.Epoch, neighbour.Epoch, "an epoch is never used again")
}

func TestSettingsAreChangedInTurns(t *testing.T) {
	table, _ := open(t)
	value, err := table.Setting(t.Context(), "n")
	require.NoError(t, err)
	require.Empty(t, value)
	no := errors.New("no")
	require.ErrorIs(t, table.ChangeSetting(t.Context(), "n", func(string) (string, error) { return "x", no }), no)
	const changes = 50
	var all sync.WaitGroup
	for range changes {
		all.Go(func() {
			if err := table.ChangeSetting(t.Context(), "n", func(old string) (string, error) { return old + "i", nil }); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	value, err = table.Setting(t.Context(), "n")
	require.NoError(t, err)
	require.Len(t, value, changes)
}

// TestAStoppedReplicaDoesNotKeepAWorld: it was stopped in the middle of a commit, and its
// session holds the world's row.
func TestAStoppedReplicaDoesNotKeepAWorld(t *testing.T) {
	t.Parallel()
	table, db := open(t)
	w := create(t, table, "ann", one, past)
	commit, err := db.Pool().Begin(t.Context())
	require.NoError(t, err)
	_, err = commit.Exec(t.Context(), "SELECT fence('ann', $1)", w.Epoch)
	require.NoError(t, err)
	w, err = table.Take(t.Context(), "ann", two, long)
	require.NoError(t, err)
	require.Equal(t, "r2", w.Owner)
	require.Error(t, commit.Commit(t.Context()))
}

// TestTakingWaitsForARunningCommit, one that does not wait for its client.
func TestTakingWaitsForARunningCommit(t *testing.T) {
	t.Parallel()
	table, db := open(t)
	w := create(t, table, "ann", one, past)
	ended := make(chan error)
	go func() { // ends with the statement
		_, err := db.Pool().Exec(t.Context(), "SELECT fence('ann', $1), pg_sleep(1.2)", w.Epoch)
		ended <- err
	}()
	running := func() (sessions int) {
		require.NoError(t, db.Pool().QueryRow(t.Context(), "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'").Scan(&sessions))
		return sessions
	}
	require.Eventually(t, func() bool { return running() > 0 }, time.Minute, time.Millisecond, "the statement does not run")
	_, err := table.Take(t.Context(), "ann", two, long)
	require.NoError(t, err)
	require.Zero(t, running())
	require.NoError(t, <-ended)
}

func TestADatabaseThatIsGone(t *testing.T) {
	t.Parallel()
	c := postgrestest.Start(t, postgrestest.Options{})
	db, err := postgresdb.Open(t.Context(), c.URL(t), postgresdb.Options{})
	require.NoError(t, err)
	defer db.Close()
	table := leases.New(db)
	w := create(t, table, "ann", one, long)
	held := []leases.Held{{Name: "ann", Epoch: w.Epoch}}
	_, err = table.Beat(t.Context(), one, long, held)
	require.NoError(t, err)
	c.Kill(t)
	_, err = table.Beat(t.Context(), one, long, held)
	require.ErrorContains(t, err, "no server answers: start it")
	_, err = table.Take(t.Context(), "ann", two, long)
	require.ErrorContains(t, err, `take the world "ann"`)
	c.Start(t)
	lost, err := table.Beat(t.Context(), one, long, held)
	require.NoError(t, err, "it may be repeated")
	require.Empty(t, lost)
}
