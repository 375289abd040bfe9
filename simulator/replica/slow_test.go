package replica_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/replica"
	"github.com/cabrank/cabrank/simulator/worlds"
	"github.com/cabrank/cabrank/store"
	"github.com/cabrank/cabrank/store/leases"
)

// slowTable is a table of one world whose database does not answer so many beats and returns.
type slowTable struct {
	replica.Table // which has nothing else

	beats, gives int
}

func (t *slowTable) ChangeSetting(_ context.Context, _ string, change func(string) (string, error)) error {
	_, err := change("")
	return err
}

func (t *slowTable) Beat(ctx context.Context, _ leases.Holder, _ time.Duration, _ []leases.Held) ([]string, error) {
	return nil, hang(ctx, &t.beats)
}

func (t *slowTable) Give(ctx context.Context, _ leases.Holder, _ []leases.Held) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	return hang(ctx, &t.gives)
}

func (t *slowTable) Create(_ context.Context, name string, _ []byte, _ leases.Holder, _ time.Duration) (leases.World, error) {
	return leases.World{Name: name}, nil
}

func hang(ctx context.Context, times *int) error {
	if *times == 0 {
		return nil
	}
	*times--
	<-ctx.Done()
	return ctx.Err()
}

// TestASlowDatabase delays a replica that starts or stops, and fails neither.
func TestASlowDatabase(t *testing.T) {
	join := func(t *testing.T, table *slowTable) (*replica.Replica, error) {
		t.Helper()
		return replica.New(t.Context(), replica.Options{
			Table: table, Place: func(string, int64) store.Place { return nil }, ID: "one", Address: "http://localhost", Now: time.Now,
		})
	}
	synctest.Test(t, func(t *testing.T) {
		r, err := join(t, &slowTable{beats: 3, gives: 1})
		require.NoError(t, err)
		defer r.Close()
		claim, err := r.Create(t.Context(), "ann", worlds.Facts{})
		require.NoError(t, err)
		require.NoError(t, claim.Give(t.Context()), "its lease ends by itself")
	})
	synctest.Test(t, func(t *testing.T) {
		_, err := join(t, &slowTable{beats: 100})
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
}
