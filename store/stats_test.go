package store

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

func TestCommitsAreCountedAndTimed(t *testing.T) {
	inBubble(t, func(t *testing.T, k Kind) {
		s, disk := openMoody(t, k.Places(t)(), Options{Now: time.Now})
		defer func() { require.NoError(t, s.Close()) }()
		resume := disk.stop()
		ticket, err := s.Apply(func(tx *Tx) error {
			for n := range 3 {
				require.NoError(t, putUser(n)(tx))
			}
			return nil
		})
		require.NoError(t, err)
		s.wakeCommitter()
		synctest.Wait()
		require.Equal(t, 3, s.Stats().Queued)
		<-time.After(30 * time.Millisecond) // the disk is slow
		resume()
		require.NoError(t, ticket.Wait(t.Context()))
		before := s.Stats()
		disk.set(errDisk)
		require.ErrorIs(t, s.Update(t.Context(), putUser(9)), ErrUnavailable)
		disk.set(nil)
		<-time.After(2 * retryEvery)

		require.Equal(t, 0, before.Queued)
		require.Equal(t, uint64(1), before.Commits.Took.Count, "what was read does not change")
		require.InDelta(t, 0.03, before.Commits.Took.Sum, 1e-9)
		require.Equal(t, uint64(1), before.Commits.Took.Counts[6], "above 0.02 and up to 0.05 seconds")
		after := s.Stats().Commits
		require.Contains(t, []uint64{1, 2}, after.Failed, "a writer that wakes the committer late has it try once more at once")
		tries := after.Failed + 1 // each with the one record
		require.Equal(t, 1+tries, after.Records.Count)
		require.InDelta(t, 3+float64(tries), after.Records.Sum, 0)
		require.Equal(t, []uint64{tries, 0, 1}, after.Records.Counts[:3])
	})
}

func TestJourneysUnderWayAreCountedByStatus(t *testing.T) {
	s := Memory()
	for id, status := range map[taxi.JourneyID]taxi.Status{"a": taxi.Waiting, "b": taxi.Waiting, "c": taxi.POB, "d": taxi.Complete} {
		require.NoError(t, s.Update(t.Context(), func(tx *Tx) error {
			tx.PutJourney(&Journey{Journey: taxi.Journey{JourneyID: id, Status: status}, Serial: tx.NextSerial(), UserID: "u1"})
			return nil
		}))
	}
	require.Equal(t, Stats{Live: map[taxi.Status]int{taxi.Waiting: 2, taxi.POB: 1}}, s.Stats())
}
