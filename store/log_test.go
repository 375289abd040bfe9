package store_test

import (
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/store"
)

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

// TestALogIsStoredBesideTheRecords, with them, and is removed with them.
func TestALogIsStoredBesideTheRecords(t *testing.T) {
	store.OnEachKind(t, func(t *testing.T, k store.Kind) {
		places := k.Places(t)
		place := places()
		s, err := place.Open(t.Context(), store.Options{})
		require.NoError(t, err)
		require.Empty(t, entriesOf(t, s, 10))
		n := &numbers{}
		s.KeepLog(n)
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

// TestALogIsWrittenByItself, without a change of the records.
func TestALogIsWrittenByItself(t *testing.T) {
	store.OnEachKind(t, func(t *testing.T, k store.Kind) {
		s := openAt(t, k.Places(t)(), store.Options{})
		n := &storedTold{told: make(chan struct{}, 9)}
		s.KeepLog(n)
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

func TestALogInMemoryIsNotStored(t *testing.T) {
	s := store.Memory()
	n := &numbers{}
	s.KeepLog(n)
	n.grow(s, 5, 0)
	putName(t, s, "Ann")
	require.Empty(t, entriesOf(t, s, 10))
	require.NoError(t, s.Close())
}
