package store_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/ledger"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

func addUsers(tb testing.TB, s *store.Store) {
	tb.Helper()
	require.NoError(tb, s.Update(tb.Context(), func(tx *store.Tx) error { putUsers(tx); return nil }))
}

// customers is how many users the bookings are for.
const customers = 1000

func putUsers(tx *store.Tx) {
	for i := range int64(customers) {
		tx.PutUser(&store.User{EndUser: taxi.EndUser{
			UserID: taxi.UserID(fmt.Sprintf("u%06d", i)), PhoneNumber: phone(i), Name: "Ada",
		}})
	}
}

func phone(i int64) taxi.E164 { return taxi.E164(fmt.Sprintf("44770%07d", i)) }

func journeyID(i int64) taxi.JourneyID { return taxi.JourneyID(fmt.Sprintf("j%09d", i)) }

// bookFor is a booking as dispatch makes it: find the user, look for the same
// request of a moment ago, put the journey, wait for the disk.
func bookFor(ctx context.Context, s *store.Store, i int64) error {
	return s.Update(ctx, func(tx *store.Tx) error { return putBooking(tx, i, taxi.Waiting) })
}

func putBooking(tx *store.Tx, i int64, status taxi.Status) error {
	u, err := tx.UserByPhone(phone(i % customers))
	if err != nil {
		return err
	}
	at := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Millisecond)
	fingerprint := sha256.Sum256([]byte(journeyID(i)))
	if _, again := tx.RecentByFingerprint(u.UserID, fingerprint, at, time.Minute); again {
		return fmt.Errorf("booking %d is there already", i)
	}
	tx.PutJourney(&store.Journey{
		Journey: taxi.Journey{
			JourneyID: journeyID(i),
			Status:    status,
			Date:      taxi.At(at.Add(10 * time.Minute)),
			Pickup:    &taxi.Address{Address: "1 Station Road, Cambridge CB1 2JW", Location: &taxi.Point{Longitude: 0.137, Latitude: 52.194}},
			Dropoffs:  []taxi.Address{{Address: "Addenbrooke's Hospital, Cambridge CB2 0QQ", Location: &taxi.Point{Longitude: 0.14, Latitude: 52.175}}},
			Passenger: &taxi.Passenger{PhoneNumber: phone(i % customers).International(), Name: "Ada"},
			Price:     &taxi.Price{Value: 12.4, Currency: "GBP", Type: taxi.Estimated},
		},
		Serial:      tx.NextSerial(),
		UserID:      u.UserID,
		CreatedAt:   at,
		UpdatedAt:   at,
		Fingerprint: fingerprint,
	})
	return nil
}

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
