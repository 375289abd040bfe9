package store_test

import (
	"encoding/json"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

var errRule = errors.New("the rule says no")

func TestChangesAreVisibleAtOnce(t *testing.T) {
	onEach(t, func(t *testing.T, s *store.Store) {
		_, err := s.Apply(func(tx *store.Tx) error {
			tx.PutUser(user("u1", "+441"))
			tx.PutJourney(journey(tx, "j1", "u1", 10))
			j, err := tx.Journey("j1")
			require.NoError(t, err, "a change sees its own")
			require.EqualValues(t, 1, j.Revision)
			return nil
		})
		require.NoError(t, err)
		snap, err := s.Journey(t.Context(), "j1")
		require.NoError(t, err)
		require.Equal(t, taxi.Waiting, snap.Status)
		require.JSONEq(t, `{"journeyId":"j1","status":"WAITING","date":"2026-11-21T12:10:00Z"}`, string(snap.JSON()))
		u, err := s.UserByPhone(t.Context(), "441")
		require.NoError(t, err)
		require.Equal(t, taxi.UserID("u1"), u.UserID)

		update(t, s, func(tx *store.Tx) {
			j, err := tx.Journey("j1")
			require.NoError(t, err)
			j.Status = taxi.Accepted
			tx.PutJourney(j)
		})
		require.Equal(t, taxi.Waiting, snap.Status, "a snapshot never changes")
		snap, err = s.Journey(t.Context(), "j1")
		require.NoError(t, err)
		require.Equal(t, taxi.Accepted, snap.Status)
		require.EqualValues(t, 2, snap.Revision)
		require.Contains(t, string(snap.JSON()), `"ACCEPTED"`)
	})
}

func TestFailedChangesLeaveNoTrace(t *testing.T) {
	for _, test := range []struct {
		name string
		end  func(tx *store.Tx) error
	}{
		{"by an error", func(*store.Tx) error { return errRule }},
		{"by a panic", func(*store.Tx) error { panic(errRule) }},
		{"by a refused record", func(tx *store.Tx) error { tx.PutUser(user("", "44999")); return nil }},
	} {
		t.Run(test.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, s *store.Store) { failedChange(t, s, test.end) })
		})
	}
}

func failedChange(t *testing.T, s *store.Store, end func(tx *store.Tx) error) {
	update(t, s, func(tx *store.Tx) {
		tx.PutUser(user("u1", "441"))
		tx.PutUser(user("u2", "442"))
		tx.PutJourney(journey(tx, "j1", "u1", 0))
	})
	err := applyRecovering(s, func(tx *store.Tx) error {
		j, err := tx.Journey("j1")
		require.NoError(t, err)
		j.Status, j.UpdatedAt = taxi.Cancelled, noon.Add(time.Hour)
		tx.PutJourney(j)
		created := journey(tx, "j2", "u1", 0)
		created.Fingerprint = [32]byte{1}
		tx.PutJourney(created)
		tx.PutUser(user("u1", "443"))
		tx.PutUser(user("u2", "441"))
		tx.PutReply(store.Reply{Key: "k"})
		return end(tx)
	})
	require.Error(t, err)
	require.Equal(t, []taxi.JourneyID{"j1"}, ids(s.Live(t.Context(), "u1")))
	require.Equal(t, noon, s.LatestUpdate(t.Context()))
	snap, err := s.Journey(t.Context(), "j1")
	require.NoError(t, err)
	require.EqualValues(t, 1, snap.Revision)
	_, err = s.Journey(t.Context(), "j2")
	require.ErrorIs(t, err, store.ErrNotFound)
	u, err := s.UserByPhone(t.Context(), "441")
	require.NoError(t, err)
	require.Equal(t, taxi.UserID("u1"), u.UserID)
	_, err = s.UserByPhone(t.Context(), "443")
	require.ErrorIs(t, err, store.ErrNotFound)
	update(t, s, func(tx *store.Tx) {
		require.Equal(t, uint64(2), tx.NextSerial(), "the number is given again")
		_, err := tx.Reply("k")
		require.ErrorIs(t, err, store.ErrNotFound)
		_, ok := tx.RecentByFingerprint("u1", [32]byte{1}, noon, time.Hour)
		require.False(t, ok)
	})
}

func applyRecovering(s *store.Store, fn func(tx *store.Tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = p.(error)
		}
	}()
	_, err = s.Apply(fn)
	return err
}

func TestModifiedCopiesAreNotStored(t *testing.T) {
	onEach(t, func(t *testing.T, s *store.Store) {
		update(t, s, func(tx *store.Tx) {
			tx.PutUser(user("u1", "441"))
			tx.PutJourney(journey(tx, "j1", "u1", 0))
		})
		update(t, s, func(tx *store.Tx) {
			j, err := tx.Journey("j1")
			require.NoError(t, err)
			j.Status = taxi.Complete
			u, err := tx.User("u1")
			require.NoError(t, err)
			u.Name = "somebody else"
		})
		snap, err := s.Journey(t.Context(), "j1")
		require.NoError(t, err)
		require.Equal(t, taxi.Waiting, snap.Status, "what was not put has not changed")
		u, err := s.User(t.Context(), "u1")
		require.NoError(t, err)
		require.Equal(t, "Ada", u.Name)
	})
}

func TestInvalidRecordsAreRefused(t *testing.T) {
	for _, test := range []struct {
		name string
		put  func(tx *store.Tx)
	}{
		{"a journey without an id", func(tx *store.Tx) { tx.PutJourney(journey(tx, "", "u1", 0)) }},
		{"a journey with an old serial", func(tx *store.Tx) {
			j := journey(tx, "j9", "u1", 0)
			j.Serial = 1
			tx.PutJourney(j)
		}},
		{"a journey that changes its serial", func(tx *store.Tx) { tx.PutJourney(journey(tx, "j1", "u1", 0)) }},
		{"a price that is no number", func(tx *store.Tx) {
			j := journey(tx, "j9", "u1", 0)
			j.Price = &taxi.Price{Value: math.NaN()}
			tx.PutJourney(j)
		}},
		{"a drop-off at no place", func(tx *store.Tx) {
			j := journey(tx, "j9", "u1", 0)
			j.Dropoffs = []taxi.Address{{Location: &taxi.Point{Latitude: math.Inf(1)}}}
			tx.PutJourney(j)
		}},
		{"a drive to no place", func(tx *store.Tx) {
			j := journey(tx, "j9", "u1", 0)
			j.Drive = &store.Drive{To: taxi.Point{Latitude: math.NaN()}}
			tx.PutJourney(j)
		}},
		{"a user without an id", func(tx *store.Tx) { tx.PutUser(user("", "449")) }},
		{"another user's number", func(tx *store.Tx) { tx.PutUser(user("u2", "+441")) }},
		{"settings that are not JSON", func(tx *store.Tx) {
			u := user("u2", "442")
			u.Data = &taxi.Settings{Other: map[string]json.RawMessage{"x": json.RawMessage("{")}}
			tx.PutUser(u)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, s *store.Store) {
				update(t, s, func(tx *store.Tx) {
					tx.PutUser(user("u1", "441"))
					tx.PutJourney(journey(tx, "j1", "u1", 0))
				})
				_, err := s.Apply(func(tx *store.Tx) error { test.put(tx); return nil })
				require.Error(t, err)
				require.NoError(t, s.Healthy())
			})
		})
	}
}

func TestPhoneNumbersCanMoveBetweenUsers(t *testing.T) {
	onEach(t, func(t *testing.T, s *store.Store) {
		update(t, s, func(tx *store.Tx) {
			tx.PutUser(user("u1", "441"))
			tx.PutUser(user("u2", "442"))
		})
		update(t, s, func(tx *store.Tx) { // each takes the other's
			tx.PutUser(user("u1", "443"))
			tx.PutUser(user("u2", "441"))
			tx.PutUser(user("u1", "442"))
			_, err := tx.UserByPhone("443")
			require.ErrorIs(t, err, store.ErrNotFound)
		})
		for number, id := range map[taxi.E164]taxi.UserID{"441": "u2", "+442": "u1"} {
			u, err := s.UserByPhone(t.Context(), number)
			require.NoError(t, err)
			require.Equal(t, id, u.UserID)
		}
		_, err := s.UserByPhone(t.Context(), "443")
		require.ErrorIs(t, err, store.ErrNotFound)
	})
}

func TestRecentCreationsAreFoundByFingerprint(t *testing.T) {
	store.OnEachKind(t, recentCreationsAreFound)
}

func recentCreationsAreFound(t *testing.T, k store.Kind) {
	place := k.Places(t)
	print := func(n byte) [32]byte { return [32]byte{n} }
	for _, o := range []store.Options{{}, {RecentWindow: time.Minute, RecentLimit: 3}} {
		s := openAt(t, place(), o)
		create := func(id taxi.JourneyID, fingerprint [32]byte, after time.Duration) {
			update(t, s, func(tx *store.Tx) {
				j := journey(tx, id, "u1", 0)
				j.Fingerprint, j.CreatedAt = fingerprint, noon.Add(after)
				tx.PutJourney(j)
			})
		}
		find := func(user taxi.UserID, fingerprint [32]byte, notBefore time.Duration) (id taxi.JourneyID) {
			update(t, s, func(tx *store.Tx) {
				if j, ok := tx.RecentByFingerprint(user, fingerprint, noon.Add(notBefore+time.Hour), time.Hour); ok {
					id = j.JourneyID
				}
			})
			return id
		}
		create("j1", print(1), 0)
		create("j2", print(2), 30*time.Second)
		create("j3", [32]byte{}, 30*time.Second)
		require.Equal(t, taxi.JourneyID("j1"), find("u1", print(1), 0))
		require.Empty(t, find("u1", print(1), time.Second), "too long ago")
		require.Empty(t, find("u2", print(1), 0), "another user's")
		require.Empty(t, find("u1", print(3), 0))
		require.Empty(t, find("u1", [32]byte{}, 0), "no fingerprint is no match")
		create("j4", print(1), 40*time.Second)
		require.Equal(t, taxi.JourneyID("j4"), find("u1", print(1), 0), "the latest with it")
		create("j5", print(5), 95*time.Second)
		require.Empty(t, find("u1", print(2), 0), "out of the window")
		require.Equal(t, taxi.JourneyID("j4"), find("u1", print(1), 0))
		for n := range byte(3) {
			create(taxi.JourneyID("k"+string('a'+rune(n))), print(100+n), 95*time.Second)
		}
		if o.RecentLimit == 3 {
			require.Empty(t, find("u1", print(5), 0), "the oldest went first")
		} else {
			require.Equal(t, taxi.JourneyID("j5"), find("u1", print(5), 0))
		}
		require.Equal(t, taxi.JourneyID("ka"), find("u1", print(100), 0))
	}
}

func TestNumbersAreMaskedInErrors(t *testing.T) {
	onEach(t, func(t *testing.T, s *store.Store) {
		_, err := s.UserByPhone(t.Context(), "447700900123")
		require.ErrorIs(t, err, store.ErrNotFound)
		require.NotContains(t, err.Error(), "447700900")
		update(t, s, func(tx *store.Tx) { tx.PutUser(user("u1", "447700900123")) })
		_, err = s.Apply(func(tx *store.Tx) error { tx.PutUser(user("u2", "447700900123")); return nil })
		require.Error(t, err)
		require.NotContains(t, err.Error(), "447700900")
	})
}

func TestImportedSerialRaisesTheNextOne(t *testing.T) {
	store.OnEachKind(t, importedSerialRaisesTheCount)
}

func importedSerialRaisesTheCount(t *testing.T, k store.Kind) {
	place := k.Places(t)()
	s := openAt(t, place, store.Options{})
	update(t, s, func(tx *store.Tx) {
		j := journey(tx, "j1", "u1", 0)
		j.Serial, j.Status = 41, taxi.Complete
		tx.PutJourney(j)
	})
	n, err := s.Prune(t.Context(), store.Before{Journeys: noon.Add(time.Hour), Replies: noon.Add(time.Hour - 24*time.Hour)})
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.NoError(t, s.Close())
	s = openAt(t, place, store.Options{})
	update(t, s, func(tx *store.Tx) {
		require.Equal(t, uint64(42), tx.NextSerial(), "though the journey is gone")
	})
	require.Equal(t, noon, s.LatestUpdate(t.Context()))
}

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

// A store in memory reuses snapshots, but none that it has returned.
func TestSnapshotsInUseAreNotReused(t *testing.T) {
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

func TestChangeInMemoryAllocatesNothing(t *testing.T) {
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
