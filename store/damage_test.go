package store_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
	"github.com/cabrank/cabrank/store/sqlitedb"
)

// TestDamagedJourneyIsSetAside damages rows in ways that the database does not notice: each damaged journey
// is set aside, all others can be read, and no serial is used twice.
func TestDamagedJourneyIsSetAside(t *testing.T) {
	store.OnEachKind(t, recordThatCannotBeReadIsSetAside)
}

func recordThatCannotBeReadIsSetAside(t *testing.T, k store.Kind) {
	const journeys = 300 // more than two pages of a list
	place := k.Places(t)()
	s := openAt(t, place, store.Options{})
	addUsers(t, s)
	for i := range int64(journeys) {
		_, err := s.Apply(func(tx *store.Tx) error { return putBooking(tx, i, taxi.Waiting) })
		require.NoError(t, err)
	}
	require.NoError(t, s.Close())
	var serial int
	digit := "substr(body, 1, 40) || x'39' || substr(body, 42)" // another one of the number
	if k.Name == "SQLite" {
		digit = "CAST(" + digit + " AS BLOB)"
	}
	for i, damage := range []string{
		"body = substr(body, 1, 20)", "body = x'00'", "body = x'6e756c6c'", "body = x'7b7d'", // null, {}
		"body = " + digit,
		"drive = x'5b'", "status = 'POB'", "body = (SELECT body FROM journeys WHERE serial = 1)",
	} {
		serial = 172 + i // the first is the last of a page
		k.Alter(t, place, fmt.Sprintf("UPDATE journeys SET %s WHERE serial = %d", damage, serial))
		var log bytes.Buffer
		s := openAt(t, place, store.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
		id := journeyID(int64(serial) - 1)
		require.Len(t, s.Damaged(), i+1, damage)
		require.Equal(t, string(id), s.Damaged()[i].Key)
		require.Contains(t, log.String(), string(id))
		require.Len(t, s.AllLive(), journeys-i-1)
		all, err := s.Journeys(t.Context(), 0)
		require.NoError(t, err)
		require.Len(t, all, journeys-i-1)
		_, err = s.Journey(t.Context(), id)
		require.ErrorAs(t, err, new(*store.Damage))
		require.NotErrorIs(t, err, store.ErrNotFound)
		require.NotErrorIs(t, err, store.ErrUnavailable, "to ask again is of no use")
		require.NoError(t, s.Close())
	}

	s = openAt(t, place, store.Options{})
	require.NoError(t, s.Update(t.Context(), func(tx *store.Tx) error {
		require.EqualValues(t, journeys+1, tx.NextSerial())
		return nil
	}))
	require.NoError(t, s.Close())
}

func TestDamagedUserIsSetAside(t *testing.T) {
	store.OnEachKind(t, userWhoCannotBeReadIsSetAside)
}

func userWhoCannotBeReadIsSetAside(t *testing.T, k store.Kind) {
	place := k.Places(t)()
	s := openAt(t, place, store.Options{})
	addUsers(t, s)
	all, err := s.Users(t.Context())
	require.NoError(t, err)
	require.NoError(t, s.Close())
	// The last of a page: the list goes on behind it.
	one := all[min(127, len(all)-1)]
	k.Alter(t, place, fmt.Sprintf("UPDATE users SET body = x'7b7d' WHERE id = '%s'", one.UserID))
	s = openAt(t, place, store.Options{})
	rest, err := s.Users(t.Context())
	require.NoError(t, err)
	require.Len(t, rest, len(all)-1)
	_, err = s.UserByPhone(t.Context(), one.PhoneNumber)
	require.ErrorAs(t, err, new(*store.Damage))
	err = s.Update(t.Context(), func(tx *store.Tx) error {
		tx.PutUser(&store.User{EndUser: taxi.EndUser{UserID: "another", PhoneNumber: one.PhoneNumber}})
		return nil
	})
	require.ErrorAs(t, err, new(*store.Damage), "the number is not given to another: they may be barred")
	require.NoError(t, s.Close())
}

func TestDatabaseWithoutProgressIsRefused(t *testing.T) {
	store.OnEachKind(t, func(t *testing.T, k store.Kind) {
		place := k.Places(t)()
		s := openAt(t, place, store.Options{})
		addUsers(t, s)
		require.NoError(t, s.Close())
		k.Alter(t, place, "DELETE FROM progress")
		_, err := place.Open(t.Context(), store.Options{})
		require.ErrorContains(t, err, "ids would be used twice")
		require.ErrorContains(t, err, place.String())
	})
}

// TestOldDatabasesKeepTheirDrives checks that a journey with a car on its way keeps its drive when a database of the
// first version is opened.
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
