package store

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/store/postgresdb/postgrestest"
)

// TestADatabaseThatHangs must not keep a store from closing.
func TestADatabaseThatHangs(t *testing.T) {
	db := OpenShared(t, postgrestest.URL(t))
	d := newSharedDisk(sharedPlace{db, "ann", TakeWorld(t, db, "ann")}, Full)
	d.patience = 50 * time.Millisecond
	s, err := openOn(t.Context(), d, Options{})
	require.NoError(t, err)
	require.NoError(t, s.Update(t.Context(), putUser(1)))
	hang, err := db.Pool().Begin(t.Context())
	require.NoError(t, err)
	_, err = hang.Exec(t.Context(), "SELECT FROM progress FOR UPDATE")
	require.NoError(t, err)

	err = s.Update(t.Context(), putUser(2))
	require.ErrorIs(t, err, ErrUnavailable)
	require.ErrorContains(t, err, "does not answer")
	require.NotErrorIs(t, err, context.DeadlineExceeded, "the caller did not give up")
	err = s.Close()
	require.ErrorContains(t, err, "changed records lost: 1")
	require.NoError(t, hang.Rollback(t.Context()))

	again, err := openOn(t.Context(), d, Options{})
	require.NoError(t, err)
	require.NoError(t, again.Update(t.Context(), putUser(3)))
	require.NoError(t, again.Close())
}
