package store_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// many is more than two pages of a list.
const many = 300

// fill makes many users and journeys, the last three journeys still live and the
// last change perhaps not durable yet.
func fill(t *testing.T, s *store.Store) {
	t.Helper()
	for i := range many {
		_, err := s.Apply(func(tx *store.Tx) error {
			id := taxi.UserID(fmt.Sprintf("u%03d", i))
			tx.PutUser(user(id, taxi.E164(fmt.Sprintf("44%03d", i))))
			j := journey(tx, taxi.JourneyID(fmt.Sprintf("j%03d", i)), id, 0)
			j.UpdatedAt = noon.Add(time.Duration(i) * time.Minute)
			if i < many-3 {
				j.Status = taxi.Complete
			}
			tx.PutJourney(j)
			tx.PutReply(store.Reply{Key: fmt.Sprint(i), Status: 200, At: j.UpdatedAt.Add(-48 * time.Hour * time.Duration(i%2))})
			return nil
		})
		require.NoError(t, err)
	}
}

func TestListsAreCompleteAndOrdered(t *testing.T) {
	onEach(t, func(t *testing.T, s *store.Store) {
		users, err := s.Users(t.Context())
		require.NoError(t, err)
		require.Empty(t, users)
		fill(t, s)
		_, err = s.Apply(func(tx *store.Tx) error {
			u, err := tx.User("u007")
			u.Name = "Bond"
			tx.PutUser(u)
			return err
		})
		require.NoError(t, err)

		users, err = s.Users(t.Context())
		require.NoError(t, err)
		require.Len(t, users, many)
		require.True(t, slices.IsSortedFunc(users, func(a, b *store.User) int { return cmp.Compare(a.UserID, b.UserID) }))
		require.Equal(t, "Bond", users[7].Name)

		journeys, err := s.Journeys(t.Context(), 0)
		require.NoError(t, err)
		require.Len(t, journeys, many)
		for i, snap := range journeys {
			require.Equal(t, uint64(many-i), snap.Serial)
		}
		newest, err := s.Journeys(t.Context(), 5)
		require.NoError(t, err)
		require.Equal(t, ids(journeys[:5]), ids(newest))
		older, err := s.JourneysBelow(t.Context(), newest[4].Serial, 200)
		require.NoError(t, err)
		require.Equal(t, ids(journeys[5:205]), ids(older))
		require.Len(t, s.AllLive(), 3)
	})
}

func TestPruneDeletesOldJourneysAndReplies(t *testing.T) {
	onEach(t, func(t *testing.T, s *store.Store) {
		fill(t, s)
		n, err := s.Prune(t.Context(), store.Before{Journeys: noon.Add(200 * time.Minute), Replies: noon.Add(-24 * time.Hour)})
		require.NoError(t, err)
		require.Equal(t, 200, n)
		_, err = s.Journey(t.Context(), "j199")
		require.ErrorIs(t, err, store.ErrNotFound)
		_, err = s.Journey(t.Context(), "j200")
		require.NoError(t, err)

		n, err = s.Prune(t.Context(), store.Before{Journeys: noon.Add(1000 * time.Minute), Replies: noon.Add(-24 * time.Hour)})
		require.NoError(t, err)
		require.Equal(t, 97, n, "live journeys stay")
		left, err := s.Journeys(t.Context(), 0)
		require.NoError(t, err)
		require.Equal(t, []taxi.JourneyID{"j299", "j298", "j297"}, ids(left))
		update(t, s, func(tx *store.Tx) {
			_, err := tx.Reply("100")
			require.NoError(t, err)
			_, err = tx.Reply("101")
			require.ErrorIs(t, err, store.ErrNotFound, "answered two days before the newest update")
		})
		users, err := s.Users(t.Context())
		require.NoError(t, err)
		require.Len(t, users, many)
	})
}

func TestPruneDeletesUsersNotSeenForLong(t *testing.T) {
	onEach(t, func(t *testing.T, s *store.Store) {
		const people = 700 // more than a page
		update(t, s, func(tx *store.Tx) {
			for i := range people {
				u := user(taxi.UserID(fmt.Sprintf("u%03d", i)), taxi.E164(fmt.Sprintf("44%03d", i)))
				u.SeenAt = noon.Add(time.Duration(i) * time.Minute)
				tx.PutUser(u)
			}
		})
		_, err := s.Prune(t.Context(), store.Before{Journeys: noon.Add(time.Hour), Replies: noon})
		require.NoError(t, err)
		_, err = s.Prune(t.Context(), store.Before{Users: noon.Add(600 * time.Minute)})
		require.NoError(t, err)
		left, err := s.Users(t.Context())
		require.NoError(t, err)
		require.Len(t, left, 100)
		require.Equal(t, taxi.UserID("u600"), left[0].UserID)
		require.Equal(t, noon.Add(600*time.Minute), left[0].SeenAt)
		_, err = s.UserByPhone(t.Context(), "44599")
		require.ErrorIs(t, err, store.ErrNotFound)
		update(t, s, func(tx *store.Tx) { tx.PutUser(user("u999", "44599")) }) // it is nobody's
	})
}

// TestPruningKeepsTheLogShort checks that the write-ahead log stays below its limit while Prune deletes far more than
// fits in it.
func TestPruningKeepsTheLogShort(t *testing.T) {
	path := file(t)
	s := open(t, path)
	const rows = 8_000
	note := json.RawMessage(`"` + strings.Repeat("x", 4000) + `"`)
	for from := 0; from < rows; from += 1000 {
		update(t, s, func(tx *store.Tx) {
			for i := range 1000 {
				j := journey(tx, taxi.JourneyID(fmt.Sprintf("j%06d", from+i)), "u1", 0)
				j.Status, j.PluginData = taxi.Complete, note
				tx.PutJourney(j)
			}
		})
	}
	require.NoError(t, s.Close()) // the log ends with it, however far the checkpoints were behind the commits
	s = open(t, path)
	long := int64(0)
	watched, stop := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		for {
			if log, err := os.Stat(path + "-wal"); err == nil {
				long = max(long, log.Size())
			}
			select {
			case <-stop:
				return
			default:
				runtime.Gosched()
			}
		}
	}()
	n, err := s.Prune(t.Context(), store.Before{Journeys: noon.Add(time.Hour)})
	close(stop)
	<-watched
	require.NoError(t, err)
	require.Equal(t, rows, n)
	require.Positive(t, long)
	require.LessOrEqual(t, long, int64(28<<20))
}
