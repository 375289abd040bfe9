package store_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/store"
	"github.com/cabrank/cabrank/store/leases"
)

// leaving starts a replica whose main world has one booking that was acknowledged and one that
// was not, which the store has not written yet.
func leaving(t *testing.T) (s *simulation, p *process, unwritten store.Ticket) {
	s = newSimulation(t, 1)
	p = s.start()
	require.NotNil(t, p)
	records := p.server.Worlds().Main().Gate.Latest().Records()
	addUsers(t, records)
	require.NoError(t, bookFor(t.Context(), records, 1))
	unwritten, err := records.Apply(func(tx *store.Tx) error { return putBooking(tx, 2, "WAITING") })
	require.NoError(t, err)
	return s, p, unwritten
}

// TestLeavingAfterAWorldMoved: the replica does not know yet that another one has its world.
// That is no failure of the replica, since nobody was told of what it could not write.
func TestLeavingAfterAWorldMoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, p, unwritten := leaving(t)
		defer s.killAll()
		nothing := func(context.Context) error { return nil }
		other := &store.FakeConn{Database: s.database, Before: nothing, After: nothing}
		s.database.Expire("")
		_, err := other.Take(t.Context(), "", leases.Holder{ID: "other", Address: "http://other"}, time.Hour)
		require.NoError(t, err)

		require.NoError(t, p.replica.Leave(t.Context()))
		require.NoError(t, p.server.Close())
		require.ErrorIs(t, unwritten.Wait(t.Context()), store.ErrFenced)
		booked := s.database.Journeys("")
		require.Len(t, booked, 1)
		require.Equal(t, journeyID(1), booked[0].JourneyID)
	})
}

// TestLeavingWithoutADatabase: nobody continues with what the replica could not write.
func TestLeavingWithoutADatabase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, p, _ := leaving(t)
		defer s.killAll()
		p.dead.Store(true)
		require.ErrorContains(t, p.replica.Leave(t.Context()), "changed records lost: ")
	})
}
