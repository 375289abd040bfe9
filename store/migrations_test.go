package store_test

import (
	"context"
	"os"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
	"github.com/cabrank/cabrank/store/sqlitedb"
)

// TestOldDatabasesKeepTheirDrives opens a database as the first version wrote it,
// with a car on its way.
func TestOldDatabasesKeepTheirDrives(t *testing.T) {
	path := file(t)
	first, err := os.ReadFile("migrations/0001_records.sql")
	require.NoError(t, err)
	old, err := sqlitedb.Open(t.Context(), path, sqlitedb.Options{
		Migrations: fstest.MapFS{"0001_records.sql": {Data: first}}, Application: 0x63616252,
	})
	require.NoError(t, err)
	require.NoError(t, old.Write(t.Context(), func(q sqlitedb.Querier) error {
		return insertOldJourney(t.Context(), q)
	}))
	require.NoError(t, old.Close())

	j, err := open(t, path).Journey(t.Context(), "J1")
	require.NoError(t, err)
	require.Equal(t, taxi.EnRoute, j.Status)
	require.Equal(t, &store.Drive{
		From: taxi.Point{Longitude: 2.1, Latitude: 54.7}, To: taxi.Point{Longitude: 2.2, Latitude: 54.8},
		Departs: time.UnixMilli(1000).UTC(), Arrives: time.UnixMilli(2000).UTC(), Stop: 1,
	}, j.Drive)
}

func insertOldJourney(ctx context.Context, q sqlitedb.Querier) error {
	_, err := q.ExecContext(ctx, `INSERT INTO progress VALUES (1, 1, 1); INSERT INTO journeys VALUES (1, 'J1', 'U1', 'EN_ROUTE', 1, 1, 1, 1, 1, 0, 3, 0, '', 'car-1', 'driver-1', NULL, NULL,
		CAST('{"from":{"longitude":2.1,"latitude":54.7},"to":{"longitude":2.2,"latitude":54.8},"departs":1000,"arrives":2000,"stop":1}' AS BLOB),
		CAST('{"journeyId":"J1","status":"EN_ROUTE"}' AS BLOB))`)
	return err
}
