package store_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/ledger"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// TestLedger counts what bookings write: a page of the log has 4,096 bytes, so that the
// log of one booking shows how many pages its rows and their indexes change.
func TestLedger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cabrank.db")
	s, err := store.Open(t.Context(), path, store.Options{})
	require.NoError(t, err)
	addUsers(t, s)
	const alone = 100 // the log is not copied into the database before it has 1,000 pages
	before := size(t, path+"-wal")
	for i := range int64(alone) {
		require.NoError(t, bookFor(t.Context(), s, i))
	}
	logged := size(t, path+"-wal") - before
	next := int64(alone)
	work := ledger.Work("a booking with a commit of its own", alone, func() {
		require.NoError(t, bookFor(t.Context(), s, next))
		next++
	})
	require.NoError(t, s.Close())
	ledger.Compare(t, "store", append(work,
		ledger.Row{What: "a booking with a commit of its own", Count: float64(logged) / alone, Unit: "bytes of log"},
		ledger.Row{What: "a journey that has ended", Count: bytesOfAJourney(t), Unit: "bytes of the database"},
	)...)
}

// bytesOfAJourney is by how much a database grows with each journey.
func bytesOfAJourney(t *testing.T) float64 {
	t.Helper()
	const journeys = 4096
	path := filepath.Join(t.TempDir(), "cabrank.db")
	s, err := store.Open(t.Context(), path, store.Options{})
	require.NoError(t, err)
	addUsers(t, s)
	for i := range int64(journeys) {
		_, err := s.Apply(func(tx *store.Tx) error { return putBooking(tx, i, taxi.Complete) })
		require.NoError(t, err)
	}
	require.NoError(t, s.Close())
	return float64(size(t, path)) / journeys
}

func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	return info.Size()
}
