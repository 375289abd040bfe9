package store_test

import (
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// putName gives user u1 a name.
func putName(t *testing.T, s *store.Store, name string) {
	t.Helper()
	update(t, s, func(tx *store.Tx) {
		u := user("u1", "441")
		u.Name = name
		tx.PutUser(u)
	})
}

func nameIn(t *testing.T, s *store.Store) string {
	t.Helper()
	u, err := s.User(t.Context(), "u1")
	require.NoError(t, err)
	return u.Name
}

// TestCopyOfRecordsIsRestored checks that a copy replaces the records of its place, and leaves another world of the same
// database unchanged.
func TestCopyOfRecordsIsRestored(t *testing.T) {
	store.OnEachKind(t, func(t *testing.T, k store.Kind) {
		places := k.Places(t)
		place, other := places(), places()
		neighbour := openAt(t, other, store.Options{})
		putName(t, neighbour, "Zoë")
		s := openAt(t, place, store.Options{})
		fill(t, s)
		saved := k.Copy(place)
		putName(t, s, "long before")
		require.NoError(t, s.CopyTo(t.Context(), saved))
		putName(t, s, "before")
		require.NoError(t, s.CopyTo(t.Context(), saved), "it replaces one")
		putName(t, s, "after")
		put, err := place.Fetch(t.Context(), saved)
		require.NoError(t, err)
		require.Equal(t, "after", nameIn(t, s), "it is not restored yet")

		require.NoError(t, s.Close())
		log := filepath.Join(t.TempDir(), "none")
		if file, ok := place.(store.File); ok {
			log = string(file) + "-wal"
			require.NoError(t, os.WriteFile(log, []byte("of a process that was killed"), 0o600))
		}
		require.NoError(t, put(t.Context()))
		require.NoFileExists(t, log)
		s = openAt(t, place, store.Options{})
		require.Equal(t, "before", nameIn(t, s))
		all, err := s.Journeys(t.Context(), 0)
		require.NoError(t, err)
		require.Len(t, all, many)
		update(t, s, func(tx *store.Tx) { require.EqualValues(t, many+1, tx.NextSerial()) })
		require.Equal(t, "Zoë", nameIn(t, neighbour))

		require.NoError(t, saved.Remove(t.Context()))
		_, err = place.Fetch(t.Context(), saved)
		require.Error(t, err, "it is gone")
		_, err = place.Fetch(t.Context(), nil)
		require.Error(t, err)
		require.NoError(t, saved.Remove(t.Context()), "it is no error if there are none")
	})
}

// TestExportIsADatabaseFile checks that an export is a database file with all records, also those that cannot be
// read.
func TestExportIsADatabaseFile(t *testing.T) {
	store.OnEachKind(t, func(t *testing.T, k store.Kind) {
		place := k.Places(t)()
		s := openAt(t, place, store.Options{})
		fill(t, s)
		update(t, s, func(tx *store.Tx) {
			j := journey(tx, "odd", "u001", 0)
			j.Category = "\x00\xff"
			tx.PutJourney(j)
			tx.PutReply(store.Reply{Key: "\xff", Status: 409, Body: []byte("no"), At: noon})
		})
		require.NoError(t, s.SetMeta(t.Context(), "seed", "4\x002"))
		require.NoError(t, s.Close())
		k.Alter(t, place, "UPDATE journeys SET body = x'00' WHERE serial = 7")

		path := filepath.Join(t.TempDir(), "export.db")
		require.NoError(t, place.Export(t.Context(), path))
		s = openAt(t, store.File(path), store.Options{})
		require.Len(t, s.AllLive(), 4)
		all, err := s.Journeys(t.Context(), 0)
		require.NoError(t, err)
		require.Len(t, all, many, "and one that cannot be read")
		_, err = s.Journey(t.Context(), "j006")
		require.ErrorAs(t, err, new(*store.Damage))
		odd, err := s.Journey(t.Context(), "odd")
		require.NoError(t, err)
		require.Equal(t, "\x00\xff", odd.Category)
		users, err := s.Users(t.Context())
		require.NoError(t, err)
		require.Len(t, users, many)
		u, err := s.UserByPhone(t.Context(), "44017")
		require.NoError(t, err)
		require.Equal(t, taxi.UserID("u017"), u.UserID)
		seed, _ := s.Meta("seed")
		require.Equal(t, "4\x002", seed)
		update(t, s, func(tx *store.Tx) {
			require.EqualValues(t, many+2, tx.NextSerial())
			r, err := tx.Reply("\xff")
			require.NoError(t, err)
			require.Equal(t, store.Reply{Key: "\xff", Status: 409, Body: []byte("no"), At: noon}, r)
		})
	})
}

// numbers is a log of numbered entries, of which a group takes seven.
type numbers struct {
	mu                 sync.Mutex
	last, stored, from int64
	taken              int64
}

// grow adds entries, and has those below from deleted.
func (n *numbers) grow(s *store.Store, to, from int64) {
	n.mu.Lock()
	n.last, n.from = to, from
	n.mu.Unlock()
	s.LogGrew()
}

func (n *numbers) Next() (entries []store.Entry, from int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.taken = n.stored
	for n.taken < min(n.last, n.stored+7) {
		n.taken++
		entries = append(entries, store.Entry{ID: n.taken, Body: strconv.AppendInt([]byte{}, n.taken, 10)})
	}
	return entries, n.from
}

func (n *numbers) Stored() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.stored = n.taken
}

// entriesOf returns the entries that a store has.
func entriesOf(t *testing.T, s *store.Store, n int) (ids []int64) {
	t.Helper()
	entries, err := s.Log(t.Context(), n)
	require.NoError(t, err)
	for _, e := range entries {
		require.Equal(t, strconv.FormatInt(e.ID, 10), string(e.Body))
		ids = append(ids, e.ID)
	}
	return ids
}

// TestLogIsStoredAndRemovedWithRecords checks that the entries of a log are written in the commits of the records, and
// removed with them.
func TestLogIsStoredAndRemovedWithRecords(t *testing.T) {
	store.OnEachKind(t, func(t *testing.T, k store.Kind) {
		places := k.Places(t)
		place := places()
		s, err := place.Open(t.Context(), store.Options{})
		require.NoError(t, err)
		require.Empty(t, entriesOf(t, s, 10))
		n := &numbers{}
		s.SetLog(n)
		n.grow(s, 5, 0)
		putName(t, s, "Ann")
		require.Equal(t, []int64{1, 2, 3, 4, 5}, entriesOf(t, s, 10), "in the commit that the change waited for")
		n.grow(s, 7, 3)
		putName(t, s, "Bob")
		require.Equal(t, []int64{3, 4, 5, 6, 7}, entriesOf(t, s, 10))
		require.Equal(t, []int64{6, 7}, entriesOf(t, s, 2))
		n.grow(s, 100, 80)
		require.NoError(t, s.Close())

		neighbour := openAt(t, places(), store.Options{})
		require.Empty(t, entriesOf(t, neighbour, 10))
		s, err = place.Open(t.Context(), store.Options{})
		require.NoError(t, err)
		require.Len(t, entriesOf(t, s, 100), 21, "all were written at the end")
		require.NoError(t, s.Close())
		require.NoError(t, place.Remove(t.Context()))
		require.Empty(t, entriesOf(t, openAt(t, place, store.Options{}), 10))
	})
}

// TestLogIsWrittenWithoutRecordChanges checks that new entries of a log are written without a change of the records.
func TestLogIsWrittenWithoutRecordChanges(t *testing.T) {
	store.OnEachKind(t, func(t *testing.T, k store.Kind) {
		s := openAt(t, k.Places(t)(), store.Options{})
		n := &storedTold{told: make(chan struct{}, 9)}
		s.SetLog(n)
		n.grow(s, 20, 0)
		for range 3 {
			<-n.told
		}
		require.Len(t, entriesOf(t, s, 100), 20)
	})
}

// storedTold reports each group that is stored.
type storedTold struct {
	numbers
	told chan struct{}
}

func (n *storedTold) Stored() {
	n.numbers.Stored()
	n.told <- struct{}{}
}

func TestLogInMemoryIsNotStored(t *testing.T) {
	s := store.Memory()
	n := &numbers{}
	s.SetLog(n)
	n.grow(s, 5, 0)
	putName(t, s, "Ann")
	require.Empty(t, entriesOf(t, s, 10))
	require.NoError(t, s.Close())
}
