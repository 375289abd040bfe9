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

// long is a lease that is not over during a test.
const long = time.Hour

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

// join has a replica begin a lease, or renew it.
func join(t *testing.T, table *leases.Table, id string, ttl time.Duration) leases.Holder {
	t.Helper()
	by := leases.Holder{ID: id, Address: id + ":8080"}
	var err error
	by.Term, err = table.Beat(t.Context(), by, ttl, 0)
	require.NoError(t, err)
	return by
}

func create(t *testing.T, table *leases.Table, name string, by leases.Holder) leases.World {
	t.Helper()
	w, err := table.Create(t.Context(), name, []byte(`{"seed":7}`), by)
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
	one, two := join(t, table, "r1", long), join(t, table, "r2", 0)
	_, err := table.Find(t.Context(), "ann")
	require.ErrorIs(t, err, leases.ErrNotFound)
	w := create(t, table, "ann", one)
	requireSame(t, leases.World{Name: "ann", Epoch: w.Epoch, Owner: "r1", Address: one.Address, Left: long, Facts: []byte(`{"seed":7}`)}, w)
	_, err = table.Create(t.Context(), "ann", nil, two)
	require.ErrorIs(t, err, leases.ErrExists)
	_, err = table.Create(t.Context(), "ann@before", nil, two)
	require.ErrorContains(t, err, "has no @")
	found, err := table.Find(t.Context(), "ann")
	require.NoError(t, err)
	requireSame(t, w, found)
	bob := create(t, table, "bob", two)
	require.Greater(t, bob.Epoch, w.Epoch)
	all, err := table.List(t.Context())
	require.NoError(t, err)
	require.Len(t, all, 2)
	requireSame(t, w, all[0])
	requireSame(t, bob, all[1])
	require.LessOrEqual(t, all[1].Left, time.Duration(0))
}

func TestTakeIsRefusedDuringAnotherLease(t *testing.T) {
	for _, test := range []struct {
		name    string
		prepare func(t *testing.T, table *leases.Table, one leases.Holder, w leases.World)
		by      string
		held    bool
	}{
		{"another, while it is held", nil, "r2", true},
		{"another, when the lease is over", func(t *testing.T, table *leases.Table, _ leases.Holder, _ leases.World) { join(t, table, "r1", 0) }, "r2", false},
		{"another, when it was given back", func(t *testing.T, table *leases.Table, one leases.Holder, w leases.World) {
			require.NoError(t, table.Give(t.Context(), one, leases.Held{Name: "ann", Epoch: w.Epoch}))
		}, "r2", false},
		{"another, when its owner has left", func(t *testing.T, table *leases.Table, one leases.Holder, _ leases.World) {
			require.NoError(t, table.Leave(t.Context(), one))
		}, "r2", false},
		{"another, when it was given back in another epoch", func(t *testing.T, table *leases.Table, one leases.Holder, w leases.World) {
			require.NoError(t, table.Give(t.Context(), one, leases.Held{Name: "ann", Epoch: w.Epoch - 1}))
		}, "r2", true},
		{"its owner", nil, "r1", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			table, _ := open(t)
			one := join(t, table, "r1", long)
			w := create(t, table, "ann", one)
			if test.prepare != nil {
				test.prepare(t, table, one, w)
			}
			by := join(t, table, test.by, long)
			taken, err := table.Take(t.Context(), "ann", by)
			if test.held {
				held, ok := errors.AsType[*leases.HeldError](err)
				require.True(t, ok, "%v", err)
				requireSame(t, w, held.World)
				require.ErrorContains(t, err, "r1")
				return
			}
			require.NoError(t, err)
			require.Greater(t, taken.Epoch, w.Epoch)
			requireSame(t, leases.World{Name: "ann", Epoch: taken.Epoch, Owner: by.ID, Address: by.Address, Left: long, Facts: []byte(`{"seed":7}`)}, taken)
		})
	}
}

// TestReturningReplicaLearnsItsLostWorlds checks that a replica whose lease was over for a while learns which worlds
// it no longer has, also if its row was removed.
func TestReturningReplicaLearnsItsLostWorlds(t *testing.T) {
	for _, forgotten := range []bool{false, true} {
		table, _ := open(t)
		two := join(t, table, "r2", long)
		one := join(t, table, "r1", 0)
		var held []leases.Held
		for _, name := range []string{"", "ann", "bob", "cid", "dan"} {
			held = append(held, leases.Held{Name: name, Epoch: create(t, table, name, one).Epoch})
		}
		require.Equal(t, one.Term, join(t, table, "r1", 0).Term, "a late renewal: nobody has taken anything")
		require.NoError(t, table.Give(t.Context(), one, held[2]))
		require.NoError(t, table.Remove(t.Context(), "cid", held[3].Epoch))
		if forgotten {
			require.NoError(t, table.Leave(t.Context(), one))
		}
		_, err := table.Take(t.Context(), "ann", two)
		require.NoError(t, err)
		_, err = table.Take(t.Context(), "ann", one)
		require.ErrorAs(t, err, new(*leases.HeldError))
		_, err = table.Take(t.Context(), "dan", one)
		require.ErrorIs(t, err, leases.ErrOver, "it was ended")
		_, err = table.Create(t.Context(), "eve", nil, one)
		require.ErrorIs(t, err, leases.ErrOver)
		_, err = table.Find(t.Context(), "eve")
		require.ErrorIs(t, err, leases.ErrNotFound)

		again := join(t, table, "r1", long)
		require.NotEqual(t, one.Term, again.Term)
		lost, err := table.Lost(t.Context(), again, held)
		require.NoError(t, err)
		require.Equal(t, []string{"ann", "bob", "cid"}, lost)
		_, err = table.Take(t.Context(), "dan", two)
		require.ErrorAs(t, err, new(*leases.HeldError), "it has it again")
		require.Equal(t, again.Term, join(t, table, "r1", long).Term)
	}
}

// TestRenewalWaitsForATakeover checks that a renewal waits for a takeover under way, and that its replica then
// learns of the lost world.
func TestRenewalWaitsForATakeover(t *testing.T) {
	table, db := open(t)
	one, two := join(t, table, "r1", 0), join(t, table, "r2", long)
	w := create(t, table, "ann", one)
	taker := postgrestest.Hold(t, db.Pool(), "SELECT take_world('ann', 'r2', '', $1)", two.Term)
	renewed := make(chan leases.Holder)
	go func() { // ends after the taker
		again := one
		var err error
		if again.Term, err = table.Beat(t.Context(), one, long, 1); err != nil {
			t.Error(err)
		}
		renewed <- again
	}()
	waiting := func() (sessions int) {
		require.NoError(t, db.Pool().QueryRow(t.Context(), "SELECT count(*) FROM pg_locks WHERE NOT granted").Scan(&sessions))
		return sessions
	}
	for waiting() == 0 {
		select {
		case <-renewed:
			require.Fail(t, "it did not wait")
		default:
		}
	}
	require.NoError(t, taker.Commit(t.Context()))
	again := <-renewed
	require.NotEqual(t, one.Term, again.Term)
	lost, err := table.Lost(t.Context(), again, []leases.Held{{Name: "ann", Epoch: w.Epoch}})
	require.NoError(t, err)
	require.Equal(t, []string{"ann"}, lost)
}

func TestOnlyTheMainWorldIsCreatedByTaking(t *testing.T) {
	table, _ := open(t)
	one := join(t, table, "r1", long)
	_, err := table.Take(t.Context(), "ann", one)
	require.ErrorIs(t, err, leases.ErrNotFound)
	w, err := table.Take(t.Context(), "", one)
	require.NoError(t, err)
	requireSame(t, leases.World{Epoch: w.Epoch, Owner: "r1", Address: one.Address, Left: long, Facts: []byte("{}")}, w)
}

// TestOneReplicaWinsAContestedWorld checks that exactly one replica succeeds when several take an expired world at
// the same moment.
func TestOneReplicaWinsAContestedWorld(t *testing.T) {
	table, _ := open(t)
	const replicas, rounds = 8, 20
	by := make([]leases.Holder, replicas)
	for i := range by {
		by[i] = join(t, table, fmt.Sprint("x", i), long)
	}
	for round := range rounds {
		name := fmt.Sprint("w", round)
		if round == 0 {
			name = "" // is created by whoever is first
		} else {
			create(t, table, name, join(t, table, "past", 0))
		}
		var all sync.WaitGroup
		worlds, errs := make([]leases.World, replicas), make([]error, replicas)
		for i := range replicas {
			all.Go(func() {
				worlds[i], errs[i] = table.Take(t.Context(), name, by[i])
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

func TestReplicasListsUnexpiredLeases(t *testing.T) {
	table, db := open(t)
	for id, ttl := range map[string]time.Duration{"r1": long, "r2": long, "r3": 0, "r4": -time.Hour} {
		create(t, table, "of "+id, join(t, table, id, ttl))
	}
	one, two := leases.Holder{ID: "r1", Address: "there:1"}, leases.Holder{ID: "r2"}
	_, err := table.Beat(t.Context(), one, long, 3)
	require.NoError(t, err)
	live, err := table.Replicas(t.Context())
	require.NoError(t, err)
	require.Len(t, live, 2)
	require.Equal(t, []string{"r1", "r2"}, []string{live[0].ID, live[1].ID})
	require.Equal(t, "there:1", live[0].Address)
	require.Equal(t, 3, live[0].Worlds)
	require.InDelta(t, long, live[0].Left, float64(time.Minute))
	var rows int
	require.NoError(t, db.Pool().QueryRow(t.Context(), "SELECT count(*) FROM replicas").Scan(&rows))
	require.Equal(t, 3, rows, "one that ended long ago is forgotten")
	for most, want := range map[int][]string{1: {"of r3"}, 2: {"of r3", "of r4"}, 3: {"of r3", "of r4"}} {
		names, all, err := table.Free(t.Context(), most)
		require.NoError(t, err)
		require.Equal(t, want, names)
		require.Equal(t, 2, all)
	}
	require.NoError(t, table.Leave(t.Context(), two))
	live, err = table.Replicas(t.Context())
	require.NoError(t, err)
	require.Len(t, live, 1)
}

func TestFactsAndRemovalAreFenced(t *testing.T) {
	table, db := open(t)
	one := join(t, table, "r1", long)
	w := create(t, table, "ann", one)
	neighbour := create(t, table, "ann2", one)
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
	again := create(t, table, "ann", one)
	require.Greater(t, again.Epoch, neighbour.Epoch, "an epoch is never used again")
}

func TestConcurrentSettingChangesAreSerialised(t *testing.T) {
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

// TestTakingWaitsForARunningCommit checks that taking a world waits for a commit whose statement still runs.
func TestTakingWaitsForARunningCommit(t *testing.T) {
	t.Parallel()
	table, db := open(t)
	w := create(t, table, "ann", join(t, table, "r1", 0))
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
	_, err := table.Take(t.Context(), "ann", join(t, table, "r2", long))
	require.NoError(t, err)
	require.Zero(t, running())
	require.NoError(t, <-ended)
}

func TestLeaseSurvivesADatabaseRestart(t *testing.T) {
	t.Parallel()
	c := postgrestest.Start(t, postgrestest.Options{})
	db, err := postgresdb.Open(t.Context(), c.URL(t), postgresdb.Options{})
	require.NoError(t, err)
	defer db.Close()
	table := leases.New(db)
	one := join(t, table, "r1", long)
	create(t, table, "ann", one)
	c.Kill(t)
	_, err = table.Beat(t.Context(), one, long, 1)
	require.ErrorContains(t, err, "no server answers: start it")
	_, err = table.Take(t.Context(), "ann", one)
	require.ErrorContains(t, err, `take the world "ann"`)
	c.Start(t)
	require.Equal(t, one.Term, join(t, table, "r1", long).Term, "it may be repeated")
}

// TestBusyConnectionsDelayNoLease checks that worlds are taken and leases renewed while commits use all connections,
// and while a stopped replica holds a lock.
func TestBusyConnectionsDelayNoLease(t *testing.T) {
	t.Parallel()
	url := postgrestest.URL(t)
	other := openURL(t, url)
	db := openURL(t, url+"&pool_max_conns=1")
	table := leases.New(db)
	by, past := join(t, table, "r1", long), join(t, table, "r2", 0)
	w := create(t, table, "ann", past)
	stopped := postgrestest.Hold(t, other.Pool(), "SELECT fence('ann', $1)", w.Epoch)
	w, err := table.Take(t.Context(), "ann", by) // by the only connection
	require.NoError(t, err, "the session that keeps it is ended by another")
	require.Error(t, stopped.Commit(t.Context()))

	busy, err := db.Pool().Acquire(t.Context())
	require.NoError(t, err)
	defer busy.Release()
	_, err = table.Beat(t.Context(), by, long, 1)
	require.NoError(t, err)
	held := leases.Held{Name: "ann", Epoch: w.Epoch}
	lost, err := table.Lost(t.Context(), by, []leases.Held{held})
	require.NoError(t, err)
	require.Empty(t, lost)
	require.NoError(t, table.Give(t.Context(), by, held))
}
