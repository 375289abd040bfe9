package store_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// TestConcurrentReadersAndWritersLoseNothing has writers count up shared journeys while readers read,
// list and prune, with so little memory that records come and go all the time.
// Lost or doubled changes would show in the revisions.
func TestConcurrentReadersAndWritersLoseNothing(t *testing.T) {
	store.OnEachKind(t, func(t *testing.T, k store.Kind) {
		everybodyAtOnce(t, openAt(t, k.Places(t)(), store.Options{Cached: 2}))
	})
}

func everybodyAtOnce(t *testing.T, s *store.Store) {
	const writers, rounds, shared = 8, 40, 5
	update(t, s, func(tx *store.Tx) {
		for i := range shared {
			j := journey(tx, taxi.JourneyID(fmt.Sprint("j", i)), "u1", i)
			j.Status = taxi.Complete // idle, so it may be forgotten
			tx.PutJourney(j)
		}
	})
	var all sync.WaitGroup
	done := make(chan struct{})
	for w := range writers {
		all.Go(func() {
			for r := range rounds {
				id := taxi.JourneyID(fmt.Sprint("j", (w+r)%shared))
				err := s.Update(t.Context(), func(tx *store.Tx) error {
					tx.PutUser(user(taxi.UserID(fmt.Sprint("u", w, ".", r)), taxi.E164(fmt.Sprint("44", w, r+100))))
					j, err := tx.Journey(id)
					tx.PutJourney(j)
					return err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() { readUntil(t, s, done) })
	}
	all.Wait()
	close(done)
	readers.Wait()
	revisions := 0
	for i := range shared {
		snap, err := s.Journey(t.Context(), taxi.JourneyID(fmt.Sprint("j", i)))
		require.NoError(t, err)
		revisions += int(snap.Revision)
	}
	require.Equal(t, shared+writers*rounds, revisions)
	users, err := s.Users(t.Context())
	require.NoError(t, err)
	require.Len(t, users, writers*rounds)
}

// readUntil reads everything there is, checking that what is seen of a journey
// only goes forward.
func readUntil(t *testing.T, s *store.Store, done <-chan struct{}) {
	seen := int32(0)
	for {
		select {
		case <-done:
			return
		default:
		}
		snap, err := s.Journey(t.Context(), "j0")
		if err != nil || snap.Revision < seen || len(snap.JSON()) == 0 {
			t.Errorf("read revision %d after %d: %v", snap.Revision, seen, err)
			return
		}
		seen = snap.Revision
		if _, err := s.Journeys(t.Context(), 3); err != nil {
			t.Error(err)
		}
		if _, err := s.Users(t.Context()); err != nil {
			t.Error(err)
		}
		if n, err := s.Prune(t.Context(), store.Before{Journeys: noon, Replies: noon}); err != nil || n > 0 {
			t.Errorf("pruned %d: %v", n, err)
		}
		_, _ = s.UserByPhone(t.Context(), "440100")
		s.AllLive()
	}
}
