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

func TestChangesAreSeenAtOnceAndByLaterChanges(t *testing.T) {
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

		require.NoError(t, s.UpdateJourney(t.Context(), "j1", func(j *store.Journey) error {
			j.Status = taxi.Accepted
			return nil
		}))
		require.Equal(t, taxi.Waiting, snap.Status, "a snapshot never changes")
		snap, err = s.Journey(t.Context(), "j1")
		require.NoError(t, err)
		require.Equal(t, taxi.Accepted, snap.Status)
		require.EqualValues(t, 2, snap.Revision)
		require.Contains(t, string(snap.JSON()), `"ACCEPTED"`)
	})
}

func TestAFailedChangeNeverWas(t *testing.T) {
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

func TestARuleErrorIsReturnedAsItIs(t *testing.T) {
	onEach(t, func(t *testing.T, s *store.Store) {
		err := s.Update(t.Context(), func(*store.Tx) error { return errRule })
		require.Equal(t, errRule, err)
		update(t, s, func(tx *store.Tx) { tx.PutJourney(journey(tx, "j1", "u1", 0)) })
		err = s.UpdateJourney(t.Context(), "j1", func(*store.Journey) error { return errRule })
		require.Equal(t, errRule, err)
		err = s.UpdateJourney(t.Context(), "j2", func(*store.Journey) error { return nil })
		require.ErrorIs(t, err, store.ErrNotFound)
	})
}

func TestCopiesArePrivate(t *testing.T) {
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
			tx.LiveJourneys("u1")[0].Status = taxi.Complete
		})
		snap, err := s.Journey(t.Context(), "j1")
		require.NoError(t, err)
		require.Equal(t, taxi.Waiting, snap.Status, "what was not put has not changed")
		u, err := s.User(t.Context(), "u1")
		require.NoError(t, err)
		require.Equal(t, "Ada", u.Name)
	})
}

func TestRecordsThatCannotBeKeptAreRefused(t *testing.T) {
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

func TestNumbersMayChangeHands(t *testing.T) {
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

func TestLiveJourneysAreOrderedByPickupThenSerial(t *testing.T) {
	onEach(t, func(t *testing.T, s *store.Store) {
		update(t, s, func(tx *store.Tx) {
			tx.PutJourney(journey(tx, "late", "u1", 30))
			tx.PutJourney(journey(tx, "first", "u1", 10))
			tx.PutJourney(journey(tx, "second", "u1", 10))
			tx.PutJourney(journey(tx, "over", "u1", 5))
			tx.PutJourney(journey(tx, "other", "u2", 0))
		})
		require.NoError(t, s.UpdateJourney(t.Context(), "over", func(j *store.Journey) error {
			j.Status = taxi.Cancelled
			return nil
		}))
		require.Equal(t, []taxi.JourneyID{"first", "second", "late"}, ids(s.Live(t.Context(), "u1")))
		require.Equal(t, []taxi.JourneyID{"late", "first", "second", "other"}, ids(s.AllLive()))
		require.Empty(t, s.Live(t.Context(), "nobody"))
		update(t, s, func(tx *store.Tx) {
			live := tx.LiveJourneys("u1")
			require.Len(t, live, 3)
			require.Equal(t, taxi.JourneyID("first"), live[0].JourneyID)
		})
		require.NoError(t, s.UpdateJourney(t.Context(), "late", func(j *store.Journey) error {
			j.UserID = "u2"
			return nil
		}))
		require.Equal(t, []taxi.JourneyID{"first", "second"}, ids(s.Live(t.Context(), "u1")))
		require.Equal(t, []taxi.JourneyID{"other", "late"}, ids(s.Live(t.Context(), "u2")))
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

func TestAnImportedSerialRaisesTheCount(t *testing.T) {
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
