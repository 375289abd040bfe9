package store_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// noon is when the tests take place.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// onEach runs a test on every kind of store: what it does must not depend on
// where the records lie.
func onEach(t *testing.T, test func(t *testing.T, s *store.Store)) {
	t.Run("memory", func(t *testing.T) { test(t, open(t, "")) })
	store.OnEachKind(t, func(t *testing.T, k store.Kind) {
		place := k.Places(t)
		t.Run("much memory", func(t *testing.T) { test(t, openAt(t, place(), store.Options{})) })
		t.Run("little memory", func(t *testing.T) { test(t, openAt(t, place(), store.Options{Cached: 1})) })
	})
}

func file(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "cabrank.db")
}

func open(t *testing.T, path string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), path, store.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// openAt is open with a place.
func openAt(t *testing.T, place store.Place, o store.Options) *store.Store {
	t.Helper()
	s, err := place.Open(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// update makes a change that must succeed.
func update(t *testing.T, s *store.Store, fn func(tx *store.Tx)) {
	t.Helper()
	require.NoError(t, s.Update(t.Context(), func(tx *store.Tx) error { fn(tx); return nil }))
}

// journey makes a journey of a user with a pickup some minutes after noon.
func journey(tx *store.Tx, id taxi.JourneyID, user taxi.UserID, minutes int) *store.Journey {
	return &store.Journey{
		Journey: taxi.Journey{
			JourneyID: id,
			Status:    taxi.Waiting,
			Date:      taxi.At(noon.Add(time.Duration(minutes) * time.Minute)),
		},
		Serial: tx.NextSerial(), UserID: user, CreatedAt: noon, UpdatedAt: noon,
	}
}

func user(id taxi.UserID, number taxi.E164) *store.User {
	return &store.User{EndUser: taxi.EndUser{UserID: id, PhoneNumber: number, Name: "Ada"}, CreatedAt: noon}
}

func ids(snaps []*store.Snapshot) []taxi.JourneyID {
	var ids []taxi.JourneyID
	for _, s := range snaps {
		ids = append(ids, s.JourneyID)
	}
	return ids
}

func TestEverythingSurvivesReopening(t *testing.T) { store.OnEachKind(t, everythingSurvivesReopening) }

func everythingSurvivesReopening(t *testing.T, k store.Kind) {
	place := k.Places(t)()
	s := openAt(t, place, store.Options{})
	london, err := time.LoadLocation("Europe/London")
	require.NoError(t, err)
	full := &store.Journey{
		Journey: taxi.Journey{
			JourneyID: "j1", Status: taxi.EnRoute, Date: taxi.At(noon.In(london)),
			ETA:       &taxi.ETA{Value: 4, Unit: taxi.UnitMinutes},
			Price:     &taxi.Price{Value: 12.4, Currency: "GBP", Type: taxi.Fixed},
			Pickup:    &taxi.Address{Address: "1 Station Road", Location: &taxi.Point{Longitude: 0.1, Latitude: 52.1}},
			Dropoffs:  []taxi.Address{{Address: "Airport"}, {Address: "Home", Location: &taxi.Point{Longitude: -1, Latitude: 51}}},
			Passenger: &taxi.Passenger{PhoneNumber: "+447700900123", Name: "Zoë"},
			Vehicle:   &taxi.Vehicle{Description: "White Toyota Prius", Registration: "ZT21 KBD"},
			Driver:    &taxi.Driver{Name: "Bo", PhoneNumber: "+447700900999", BadgeNumber: "7"},
			Data:      &taxi.Outcome{Reason: taxi.ReasonPassenger, Charge: &taxi.Price{Value: 3, Currency: "GBP"}},
		},
		UserID: "u1", Category: "execu\x00tive", PluginData: []byte(`{"note":"ring twice"}`),
		CreatedAt: noon.Add(1500 * time.Microsecond), UpdatedAt: noon.Add(time.Second), ArrivedAt: noon.Add(time.Minute),
		AskedAt: noon.Add(-time.Hour), ReleasedAt: noon.Add(-time.Minute), Contacts: 2,
		Fingerprint: [32]byte{1, 2, 3}, VehicleID: "v1", DriverID: "d1",
		Drive: &store.Drive{
			From: taxi.Point{Longitude: 1, Latitude: 2}, To: taxi.Point{Longitude: 3, Latitude: 4},
			Departs: noon.Add(time.Microsecond), Arrives: noon.Add(time.Hour), Stop: 1, Meter: store.Meter{Pence: 480, Driven: 1_300_000, Stood: 9_000},
		},
	}
	skip := true
	ada := user("u1", "+447700900123")
	ada.Data = &taxi.Settings{Features: []taxi.Feature{taxi.FeatureVoice}, SkipDropOff: &skip}
	reply := store.Reply{Key: "k\xff", Hash: [32]byte{9}, Status: 200, Body: []byte(`{}`), At: noon}
	update(t, s, func(tx *store.Tx) {
		full.Serial = tx.NextSerial()
		tx.PutUser(ada)
		tx.PutJourney(full)
		tx.PutReply(reply)
	})
	require.NoError(t, s.SetMeta(t.Context(), "seed", "4\x002"))
	before, err := s.Journey(t.Context(), "j1")
	require.NoError(t, err)
	require.NoError(t, s.Close())

	s = openAt(t, place, store.Options{})
	after, err := s.Journey(t.Context(), "j1")
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(before.Journey, after.Journey))
	require.Equal(t, string(before.JSON()), string(after.JSON()))
	require.Equal(t, noon.Add(time.Millisecond), after.CreatedAt, "times are kept to the millisecond, before and after")
	again, err := s.UserByPhone(t.Context(), "447700900123")
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(ada, again))
	value, ok := s.Meta("seed")
	require.True(t, ok)
	require.Equal(t, "4\x002", value)
	require.Equal(t, noon.Add(time.Second), s.LatestUpdate(t.Context()))
	update(t, s, func(tx *store.Tx) {
		r, err := tx.Reply("k\xff")
		require.NoError(t, err)
		require.Equal(t, reply, r)
		require.Equal(t, uint64(2), tx.NextSerial())
		found, ok := tx.RecentByFingerprint("u1", [32]byte{1, 2, 3}, noon.Add(time.Hour), time.Hour)
		require.True(t, ok)
		require.Equal(t, taxi.JourneyID("j1"), found.JourneyID)
	})
}

// The next serial is above that of the newest journey, even if the stored progress is lower: otherwise that journey
// would be overwritten.
func TestSerialsAreNotReusedAfterDamage(t *testing.T) { store.OnEachKind(t, aNumberIsNeverGivenAgain) }

func aNumberIsNeverGivenAgain(t *testing.T, k store.Kind) {
	place := k.Places(t)()
	s := openAt(t, place, store.Options{})
	update(t, s, func(tx *store.Tx) {
		tx.PutUser(user("u1", "+447700900123"))
		tx.PutJourney(&store.Journey{Journey: taxi.Journey{JourneyID: "j1", Status: taxi.Waiting}, UserID: "u1", Serial: 7})
	})
	require.NoError(t, s.Close())
	k.Alter(t, place, "UPDATE progress SET serial = 2")

	update(t, openAt(t, place, store.Options{}), func(tx *store.Tx) { require.Equal(t, uint64(8), tx.NextSerial()) })
}

func TestPathsMayHoldAnyCharacter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b?c#d%41&e=f.db")
	open(t, path)
	require.FileExists(t, path)
}

// TestOpenRefuses checks that Open refuses another program's database and a missing folder, and that the errors
// contain the path.
func TestOpenRefuses(t *testing.T) {
	path := file(t)
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "CREATE TABLE recipes (name TEXT)")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	_, err = store.Open(t.Context(), path, store.Options{})
	require.ErrorContains(t, err, "another program's")
	require.ErrorContains(t, err, path)
	nowhere := filepath.Join(t.TempDir(), "nowhere", "cabrank.db")
	_, err = store.Open(t.Context(), nowhere, store.Options{})
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, nowhere)
}

func TestRefusedFilesAreNotChanged(t *testing.T) {
	path := file(t)
	diary := []byte("Dear diary, today I took a taxi to the station and it rained.")
	require.NoError(t, os.WriteFile(path, diary, 0o600))
	_, err := store.Open(t.Context(), path, store.Options{})
	require.Error(t, err)
	kept, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, diary, kept)
	require.NoError(t, os.Remove(path))
	open(t, path) // the lock was let go of
}

func TestCloseFlushesAndRefusesChanges(t *testing.T) {
	onEach(t, func(t *testing.T, s *store.Store) {
		require.NoError(t, s.Healthy())
		ticket, err := s.Apply(func(tx *store.Tx) error { tx.PutUser(user("u1", "441")); return nil })
		require.NoError(t, err)
		require.NoError(t, s.Close())
		require.NoError(t, ticket.Wait(t.Context()), "Close makes durable what was queued")
		require.NoError(t, s.Close(), "closing again does nothing")
		require.ErrorIs(t, s.Healthy(), store.ErrUnavailable)
		_, err = s.Apply(func(*store.Tx) error { t.Error("must not run"); return nil })
		require.ErrorIs(t, err, store.ErrUnavailable)
	})
}

func TestSymlinkToAnOpenDatabaseIsRefused(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "taxis.db"), filepath.Join(dir, "link.db")
	s, err := store.Open(t.Context(), real, store.Options{})
	require.NoError(t, err)
	info, err := os.Stat(real)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	require.NoError(t, os.Symlink(real, link))
	_, err = store.Open(t.Context(), link, store.Options{})
	require.ErrorContains(t, err, "another process")
	require.NoError(t, s.Close())
}

func TestClosedDatabaseCanBeCopiedAsOneFile(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(t.Context(), filepath.Join(dir, "taxis.db"), store.Options{})
	require.NoError(t, err)
	require.NoError(t, s.SetMeta(t.Context(), "k", "v"))
	require.NoError(t, s.Close())
	text, err := os.ReadFile(filepath.Join(dir, "taxis.db"))
	require.NoError(t, err)
	copied := filepath.Join(dir, "copy.db")
	require.NoError(t, os.WriteFile(copied, text, 0o600))
	s, err = store.Open(t.Context(), copied, store.Options{})
	require.NoError(t, err)
	v, ok := s.Meta("k")
	require.True(t, ok)
	require.Equal(t, "v", v)
	require.NoError(t, s.Close())
}
