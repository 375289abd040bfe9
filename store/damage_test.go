package store_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// alter changes a database behind its store's back.
func alter(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer db.Close()
	done, err := db.ExecContext(t.Context(), statement)
	require.NoError(t, err)
	rows, err := done.RowsAffected()
	require.NoError(t, err)
	require.EqualValues(t, 1, rows)
}

// TestARecordThatCannotBeReadIsSetAside damages one row in each way that SQLite does not
// notice. All others are there, and no id is given twice.
func TestARecordThatCannotBeReadIsSetAside(t *testing.T) {
	const journeys = 300 // more than two pages of a list
	path := file(t)
	s := open(t, path, store.Options{})
	addUsers(t, s)
	for i := range int64(journeys) {
		_, err := s.Apply(func(tx *store.Tx) error { return putBooking(tx, i, taxi.Waiting) })
		require.NoError(t, err)
	}
	require.NoError(t, s.Close())
	var serial int
	for i, damage := range []string{
		"body = substr(body, 1, 20)", "body = x'00'", "body = CAST('null' AS BLOB)", "body = CAST('{}' AS BLOB)",
		"drive = CAST('[' AS BLOB)", "status = 'POB'", "body = (SELECT body FROM journeys WHERE serial = 1)",
	} {
		serial = 172 + i // the first is the last of a page
		alter(t, path, fmt.Sprintf("UPDATE journeys SET %s WHERE serial = %d", damage, serial))
		var log bytes.Buffer
		s := open(t, path, store.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
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
		err = s.UpdateJourney(t.Context(), id, func(*store.Journey) error { return nil })
		require.ErrorAs(t, err, new(*store.Damage), "it is not written over")
		require.NoError(t, s.Close())
	}

	s = open(t, path, store.Options{})
	require.NoError(t, s.Update(t.Context(), func(tx *store.Tx) error {
		require.EqualValues(t, journeys+1, tx.NextSerial())
		return nil
	}))
	require.NoError(t, s.Close())
}

func TestAUserWhoCannotBeReadIsSetAside(t *testing.T) {
	path := file(t)
	s := open(t, path, store.Options{})
	addUsers(t, s)
	all, err := s.Users(t.Context())
	require.NoError(t, err)
	require.NoError(t, s.Close())
	// The last of a page: the list goes on behind it.
	one := all[min(127, len(all)-1)]
	alter(t, path, fmt.Sprintf("UPDATE users SET body = CAST('{}' AS BLOB) WHERE id = '%s'", one.UserID))
	s = open(t, path, store.Options{})
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

func TestALostProgressIsRefused(t *testing.T) {
	path := file(t)
	s := open(t, path, store.Options{})
	addUsers(t, s)
	require.NoError(t, s.Close())
	alter(t, path, "DELETE FROM progress")
	_, err := store.Open(t.Context(), path, store.Options{})
	require.ErrorContains(t, err, "ids would be used twice")
}
