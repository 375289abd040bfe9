package store

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/store/postgresdb/postgrestest"
)

// TestADatabaseThatHangs checks that a change fails in time while the database hangs, and that the store can be
// closed.
func TestADatabaseThatHangs(t *testing.T) {
	db := OpenShared(t, postgrestest.URL(t))
	d := newSharedDisk(sharedPlace{db, "ann", TakeWorld(t, db, "ann")})
	s, err := openOn(t.Context(), d, Options{})
	require.NoError(t, err)
	require.NoError(t, s.Update(t.Context(), putUser(1)))
	usual := d.patience
	d.patience = 50 * time.Millisecond
	hang := postgrestest.Hold(t, db.Pool(), "SELECT FROM progress FOR UPDATE")

	err = s.Update(t.Context(), putUser(2))
	require.ErrorIs(t, err, ErrUnavailable)
	require.ErrorContains(t, err, "does not answer")
	require.NotErrorIs(t, err, context.DeadlineExceeded, "the caller did not give up")
	err = s.Close()
	require.ErrorContains(t, err, "changed records lost: 1")
	require.NoError(t, hang.Rollback(t.Context()))

	d.patience = usual
	again, err := openOn(t.Context(), d, Options{})
	require.NoError(t, err)
	require.NoError(t, again.Update(t.Context(), putUser(3)))
	require.NoError(t, again.Close())
}

// TestHangingDatabaseIsNotQueriedAgain checks that after a read without an answer, further reads fail at once.
// Changes wait for such reads one after the other, and each would wait as long as the first.
func TestHangingDatabaseIsNotQueriedAgain(t *testing.T) {
	t.Parallel()
	db := OpenShared(t, postgrestest.URL(t))
	d := newSharedDisk(sharedPlace{db, "ann", TakeWorld(t, db, "ann")})
	hang := postgrestest.Hold(t, db.Pool(), "LOCK TABLE users, journeys")
	_, err := d.user(t.Context(), "ada")
	require.ErrorContains(t, err, "the database does not answer")
	require.Eventually(t, func() bool { // at once, unless this machine stood still for so long that it is asked again
		_, err = d.journey(t.Context(), "one")
		return strings.Contains(err.Error(), "has just not answered")
	}, time.Minute, time.Millisecond)
	require.ErrorIs(t, err, ErrUnavailable)
	require.NoError(t, hang.Rollback(t.Context()))
	require.Eventually(t, func() bool {
		_, err := d.user(t.Context(), "ada")
		return errors.Is(err, ErrNotFound)
	}, time.Minute, 10*time.Millisecond)
}

// hangingDisk is a disk of a database that has stopped answering.
type hangingDisk struct{ disk }

func (hangingDisk) load(context.Context, time.Duration, int) (*startState, error) {
	return &startState{empty: true}, nil
}

func (hangingDisk) flush(ctx context.Context, _ *batch) error {
	short, done := limited(ctx, commitTime)
	<-short.Done()
	return done(short.Err())
}

func (hangingDisk) close() error { return nil }

// TestCloseWaitsOnceForAHangingDatabase checks that Close has one time limit for the commit under way and the last one together.
func TestCloseWaitsOnceForAHangingDatabase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := openOn(t.Context(), hangingDisk{}, Options{})
		require.NoError(t, err)
		_, err = s.Apply(putUser(1))
		require.NoError(t, err)
		s.wakeCommitter()
		synctest.Wait()
		_, err = s.Apply(putUser(2))
		require.NoError(t, err)
		began := time.Now()
		err = s.Close()
		require.ErrorContains(t, err, "changed records lost: 2")
		require.Equal(t, closeTime, time.Since(began))
	})
}

// TestCancelledCommitReturnsItsCause checks that a commit whose context is cancelled returns the cause, even while it waits for
// a copy.
func TestCancelledCommitReturnsItsCause(t *testing.T) {
	db := OpenShared(t, postgrestest.URL(t))
	d := newSharedDisk(sharedPlace{db, "ann", TakeWorld(t, db, "ann")})
	ctx, giveUp := context.WithCancelCause(t.Context())
	giveUp(errHangs)
	require.ErrorIs(t, d.flush(ctx, &batch{}), errHangs)
	next, err := d.lockWriter(t.Context())
	require.NoError(t, err)
	require.ErrorIs(t, d.flush(ctx, &batch{}), errHangs)
	next()
	require.NoError(t, d.flush(t.Context(), &batch{}))
}
