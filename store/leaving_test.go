package store_test

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/worlds"
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

// TestLeavingSucceedsAfterAWorldMoved checks that a replica leaves without an error if another one has taken its world
// meanwhile: the changes that it could not write were not acknowledged.
func TestLeavingSucceedsAfterAWorldMoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, p, unwritten := leaving(t)
		defer s.killAll()
		nothing := func(context.Context) error { return nil }
		other := &store.FakeConn{Database: s.database, Before: nothing, After: nothing}
		s.database.Expire("")
		by := leases.Holder{ID: "other", Address: "http://other"}
		var err error
		by.Term, err = other.Beat(t.Context(), by, time.Hour, 0)
		require.NoError(t, err)
		_, err = other.Take(t.Context(), "", by)
		require.NoError(t, err)

		require.NoError(t, p.replica.Leave(t.Context()))
		require.NoError(t, p.server.Close())
		require.ErrorIs(t, unwritten.Wait(t.Context()), store.ErrFenced)
		booked := s.database.Journeys("")
		require.Len(t, booked, 1)
		require.Equal(t, journeyID(1), booked[0].JourneyID)
	})
}

// TestLeavingWithoutADatabaseFails checks that leaving fails if the database cannot be reached, since no other replica has
// the unwritten changes.
func TestLeavingWithoutADatabaseFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, p, _ := leaving(t)
		defer s.killAll()
		p.dead.Store(true)
		require.ErrorContains(t, p.replica.Leave(t.Context()), "changed records lost: ")
	})
}

// TestFollowedWorldsMoveToAJoiningReplica checks that half of the worlds move to a replica that joins, even if their events are
// followed, but not a world with a request under way.
func TestFollowedWorldsMoveToAJoiningReplica(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSimulation(t, 1)
		defer s.killAll()
		first := s.start()
		for _, name := range []string{"ann", "ben", "cid", "dan", "eve"} {
			require.Equal(t, http.StatusCreated, s.ask("", control.Prefix+"/sandboxes", map[string]any{"name": name}, "", nil))
		}
		all := first.server.Worlds()
		follow := func(name string) *worlds.Listener {
			w, leave, err := all.Ask(t.Context(), name)
			require.NoError(t, err)
			l, _, _, err := w.Events.Listen(0, false)
			require.NoError(t, err)
			go func() { // ends with the listener
				for range l.Events {
				}
				leave()
			}()
			return l
		}
		for _, name := range []string{"", "ann", "ben", "cid", "dan"} {
			follow(name)
		}
		_, leave, err := all.Ask(t.Context(), "eve") // a request that lasts
		require.NoError(t, err)
		defer leave()
		second := s.start()
		time.Sleep(time.Minute)
		require.Len(t, second.server.Worlds().All(), 3, "half of them")
		_, err = all.Peek(t.Context(), "eve")
		require.NoError(t, err)
	})
}

// TestRequestThatWaitsTooLongIsNotExecuted checks that a request that has waited for its world so long that its client may
// have asked elsewhere is answered with 503, and not executed.
func TestRequestThatWaitsTooLongIsNotExecuted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSimulation(t, 1)
		defer s.killAll()
		first := s.start()
		require.Equal(t, http.StatusCreated, s.ask("", control.Prefix+"/sandboxes", map[string]any{"name": "ann"}, "", nil))
		second := s.start()
		second.opening.Store(int64(3 * time.Second))
		first.leave()
		for _, want := range []int{http.StatusServiceUnavailable, http.StatusOK} { // the second finds the world open
			require.Equal(t, want, s.askAt(second, "ann", taxi.PathConfig, struct{}{}, "", nil))
		}
	})
}
