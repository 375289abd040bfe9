package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// step makes one change as a simulated day does by the million.
func step(t testing.TB, s *store.Store, at time.Time) {
	_, err := s.Apply(func(tx *store.Tx) error {
		before, err := tx.Peek("j1")
		require.NoError(t, err)
		was := before.Revision
		j, err := tx.Journey("j1")
		require.NoError(t, err)
		j.UpdatedAt, j.Contacts = at, j.Contacts+1
		tx.PutJourney(j)
		require.Equal(t, was, before.Revision, "what a change replaces stays as it was while it runs")
		after, err := tx.Peek("j1")
		require.NoError(t, err)
		require.Equal(t, was+1, after.Revision)
		return tx.Err()
	})
	require.NoError(t, err)
}

// Memory uses snapshots again, but never one that somebody may be looking at.
func TestWhatWasSeenStaysAsItWasSeen(t *testing.T) {
	s := store.Memory()
	_, err := s.Apply(func(tx *store.Tx) error {
		tx.PutJourney(journey(tx, "j1", "u1", 10))
		return nil
	})
	require.NoError(t, err)
	look := map[string]func() *store.Snapshot{
		"one": func() *store.Snapshot {
			snap, err := s.Journey(t.Context(), "j1")
			require.NoError(t, err)
			return snap
		},
		"a user's": func() *store.Snapshot { return s.Live(t.Context(), "u1")[0] },
		"all live": func() *store.Snapshot { return s.AllLive()[0] },
		"listed":   func() *store.Snapshot { all, err := s.Journeys(t.Context(), 1); require.NoError(t, err); return all[0] },
	}
	for name, see := range look {
		t.Run(name, func(t *testing.T) {
			step(t, s, noon)
			snap := see()
			was := *snap.Journey
			for range 5 {
				step(t, s, noon.Add(time.Hour))
			}
			require.Equal(t, was, *snap.Journey)
			require.Contains(t, string(snap.JSON()), `"j1"`)
		})
	}
}

func TestAStepInMemoryCostsNoMemory(t *testing.T) {
	s := store.Memory()
	_, err := s.Apply(func(tx *store.Tx) error {
		tx.PutJourney(journey(tx, "j1", "u1", 10))
		return nil
	})
	require.NoError(t, err)
	rule := func(tx *store.Tx) error {
		j, err := tx.Journey("j1")
		if err != nil {
			return err
		}
		j.Status = taxi.Accepted
		tx.PutJourney(j)
		return nil
	}
	require.Zero(t, testing.AllocsPerRun(100, func() { _, _ = s.Apply(rule) }))
}
