package replica_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/replica"
	"github.com/cabrank/cabrank/simulator/worlds"
	"github.com/cabrank/cabrank/store"
	"github.com/cabrank/cabrank/store/leases"
)

// slowTable is a table of one world whose database leaves a number of beats and returns
// unanswered.
type slowTable struct {
	replica.Table // which has nothing else

	beats, gives int

	term    atomic.Int64
	created func() // called before the answer that a world was created; nil: nothing happens meanwhile
}

func (t *slowTable) ChangeSetting(_ context.Context, _ string, change func(string) (string, error)) error {
	_, err := change("")
	return err
}

func (t *slowTable) Beat(ctx context.Context, _ leases.Holder, _ time.Duration, _ int) (int64, error) {
	return t.term.Load(), hang(ctx, &t.beats)
}

func (t *slowTable) Give(ctx context.Context, _ leases.Holder, _ leases.Held) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	return hang(ctx, &t.gives)
}

func (t *slowTable) Create(_ context.Context, name string, _ []byte, _ leases.Holder) (leases.World, error) {
	if t.created != nil {
		t.created()
	}
	return leases.World{Name: name}, nil
}

func (t *slowTable) Find(context.Context, string) (leases.World, error) {
	return leases.World{}, leases.ErrNotFound
}

func (t *slowTable) Lost(context.Context, leases.Holder, []leases.Held) ([]string, error) {
	return nil, nil
}

func hang(ctx context.Context, times *int) error {
	if *times == 0 {
		return nil
	}
	*times--
	<-ctx.Done()
	return ctx.Err()
}

// join has a replica join the others of a table.
func join(t *testing.T, table *slowTable) (*replica.Replica, error) {
	return replica.New(t.Context(), replica.Options{
		Table: table, Place: func(string, int64) store.Place { return nil }, ID: "one", Address: "http://localhost", Now: time.Now,
	})
}

// TestReplicaToleratesABrieflySlowDatabase checks that a database that answers late delays a replica that starts, or
// gives a world back, and fails neither; a replica does not start if it never answers.
func TestReplicaToleratesABrieflySlowDatabase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, err := join(t, &slowTable{beats: 3, gives: 1})
		require.NoError(t, err)
		defer r.Close()
		claim, err := r.Create(t.Context(), "ann", worlds.Facts{})
		require.NoError(t, err)
		require.NoError(t, claim.Give(t.Context()), "it is free when the replica leaves")
	})
	synctest.Test(t, func(t *testing.T) {
		_, err := join(t, &slowTable{beats: 100})
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

// TestWorldCreatedInAnEndedTermIsRefused checks that a world is refused if another replica has ended the
// lease under which it was created: that one may run it by now.
func TestWorldCreatedInAnEndedTermIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := &slowTable{}
		table.term.Store(1)
		r, err := join(t, table)
		require.NoError(t, err)
		defer r.Close()
		table.created = func() {
			table.term.Store(2)
			time.Sleep(2 * time.Second)
		}
		_, err = r.Create(t.Context(), "ann", worlds.Facts{})
		require.ErrorContains(t, err, "another replica has ended the lease")
		table.created = nil
		_, err = r.Create(t.Context(), "ann", worlds.Facts{})
		require.NoError(t, err)
	})
}
