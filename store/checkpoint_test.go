package store

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// TestTheLogIsKeptShort books far more than the log may hold: it begins anew
// again and again.
func TestTheLogIsKeptShort(t *testing.T) {
	path := filepath.Join(t.TempDir(), "taxis.db")
	d, err := openSQLite(t.Context(), path, Full)
	require.NoError(t, err)
	d.tidy.every, d.tidy.most = 5, 20 // before anything is committed
	s, err := openOn(t.Context(), d, Options{}.withDefaults())
	require.NoError(t, err)
	const bookings = 800
	for i := range bookings {
		require.NoError(t, s.Update(t.Context(), func(tx *Tx) error {
			n := tx.NextSerial()
			tx.PutJourney(&Journey{Serial: n, UserID: "u", Journey: taxi.Journey{
				JourneyID: taxi.JourneyID(fmt.Sprintf("j%d", i)), Status: taxi.Waiting,
			}})
			return nil
		}))
	}
	log, err := os.Stat(path + "-wal")
	require.NoError(t, err)
	require.Less(t, log.Size(), int64(bookings*4096), "each booking writes three pages at least")
	require.NoError(t, s.Close())

	s, err = Open(t.Context(), path, Options{})
	require.NoError(t, err)
	require.Len(t, s.AllLive(), bookings)
	require.NoError(t, s.Close())
}
