package leases_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/store/leases"
	"github.com/cabrank/cabrank/store/postgresdb/postgrestest"
)

// TestBusyConnectionsDelayNoLease: commits of many worlds use all of them.
func TestBusyConnectionsDelayNoLease(t *testing.T) {
	t.Parallel()
	url := postgrestest.URL(t)
	other := openURL(t, url)
	db := openURL(t, url+"&pool_max_conns=1")
	table := leases.New(db)
	w := create(t, table, "ann", one, past)
	stopped, err := other.Pool().Begin(t.Context())
	require.NoError(t, err)
	_, err = stopped.Exec(t.Context(), "SELECT fence('ann', $1)", w.Epoch)
	require.NoError(t, err)
	w, err = table.Take(t.Context(), "ann", one, long) // by the only connection
	require.NoError(t, err, "the session that keeps it is ended by another")
	require.Error(t, stopped.Commit(t.Context()))

	busy, err := db.Pool().Acquire(t.Context())
	require.NoError(t, err)
	defer busy.Release()
	held := []leases.Held{{Name: "ann", Epoch: w.Epoch}}
	lost, err := table.Beat(t.Context(), one, long, held)
	require.NoError(t, err)
	require.Empty(t, lost)
	require.NoError(t, table.Give(t.Context(), one, held))
}
