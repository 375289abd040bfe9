package store_test

import (
	stdcmp "cmp"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// TestStoreMatchesAModelUnderRandomChanges makes random changes, good and failing ones, to a
// store that can keep only two idle records in memory, closes and reopens it at
// random, and compares it with plain maps.
func TestStoreMatchesAModelUnderRandomChanges(t *testing.T) {
	store.OnEachKind(t, storeIsWhatWasPutIntoIt)
}

func storeIsWhatWasPutIntoIt(t *testing.T, k store.Kind) {
	place := k.Places(t)
	rapid.Check(t, func(t *rapid.T) {
		m := &model{
			place:    place(),
			journeys: make(map[taxi.JourneyID]store.Journey),
			users:    make(map[taxi.UserID]store.User),
			meta:     make(map[string]string),
		}
		m.open(t)
		defer func() { require.NoError(t, m.store.Close()) }()
		t.Repeat(map[string]func(*rapid.T){
			"":        m.check,
			"change":  m.change,
			"edit":    m.change,
			"cancel":  m.change,
			"meta":    m.setMeta,
			"reopen":  m.reopen,
			"journey": m.read,
		})
		m.reopen(t)
		m.check(t)
	})
}

// model is what the store should hold.
type model struct {
	place    store.Place
	store    *store.Store
	journeys map[taxi.JourneyID]store.Journey
	users    map[taxi.UserID]store.User
	meta     map[string]string
}

func (m *model) open(t *rapid.T) {
	s, err := m.place.Open(t.Context(), store.Options{Cached: 2})
	require.NoError(t, err)
	m.store = s
}

func (m *model) reopen(t *rapid.T) {
	require.NoError(t, m.store.Close())
	m.open(t)
}

// change applies a few puts, and fails in one case of four.
func (m *model) change(t *rapid.T) {
	journeys, users := maps.Clone(m.journeys), maps.Clone(m.users)
	fails := rapid.IntRange(0, 3).Draw(t, "fails") == 0
	_, err := m.store.Apply(func(tx *store.Tx) error {
		for range rapid.IntRange(0, 4).Draw(t, "puts") {
			if rapid.Bool().Draw(t, "a user") {
				u := drawUser(t)
				users[u.UserID] = *u
				tx.PutUser(u)
				continue
			}
			j := drawJourney(t, tx, journeys)
			tx.PutJourney(j)
			journeys[j.JourneyID] = *j
		}
		if fails {
			return errRule
		}
		return nil
	})
	if fails {
		require.ErrorIs(t, err, errRule)
		return
	}
	require.NoError(t, err)
	m.journeys, m.users = journeys, users
}

func drawUser(t *rapid.T) *store.User {
	n := rapid.IntRange(0, 5).Draw(t, "user")
	u := user(taxi.UserID(fmt.Sprint("u", n)), taxi.E164(fmt.Sprint("+44", n, rapid.IntRange(0, 2).Draw(t, "number"))))
	u.Name = rapid.String().Draw(t, "name")
	return u
}

func drawJourney(t *rapid.T, tx *store.Tx, journeys map[taxi.JourneyID]store.Journey) *store.Journey {
	id := taxi.JourneyID(fmt.Sprint("j", rapid.IntRange(0, 9).Draw(t, "journey")))
	j, ok := journeys[id]
	if !ok {
		j = *journey(tx, id, "", rapid.IntRange(0, 9).Draw(t, "minutes"))
	}
	j.UserID = taxi.UserID(fmt.Sprint("u", rapid.IntRange(0, 5).Draw(t, "of user")))
	j.Status = rapid.SampledFrom(taxi.Statuses()).Draw(t, "status")
	j.UpdatedAt = noon.Add(time.Duration(rapid.Int64Range(0, 1e12).Draw(t, "updated")))
	j.Price, j.Drive, j.PluginData = nil, nil, nil
	if rapid.Bool().Draw(t, "priced") {
		j.Price = &taxi.Price{Value: rapid.Float64().Draw(t, "price"), Currency: "GBP"}
	}
	if rapid.Bool().Draw(t, "driving") {
		j.Drive = &store.Drive{From: taxi.Point{Longitude: rapid.Float64().Draw(t, "x")}, Departs: j.UpdatedAt, Arrives: noon}
	}
	if rapid.Bool().Draw(t, "with data") {
		j.PluginData = []byte(`{"a":1}`)
	}
	return &j
}

func (m *model) setMeta(t *rapid.T) {
	key, value := rapid.SampledFrom([]string{"seed", "clock"}).Draw(t, "key"), rapid.String().Draw(t, "value")
	require.NoError(t, m.store.SetMeta(t.Context(), key, value))
	m.meta[key] = value
}

func (m *model) read(t *rapid.T) {
	id := taxi.JourneyID(fmt.Sprint("j", rapid.IntRange(0, 9).Draw(t, "journey")))
	snap, err := m.store.Journey(t.Context(), id)
	want, ok := m.journeys[id]
	if !ok {
		require.ErrorIs(t, err, store.ErrNotFound)
		return
	}
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(&want, snap.Journey))
}

func (m *model) check(t *rapid.T) {
	listed, err := m.store.Journeys(t.Context(), 0)
	require.NoError(t, err)
	stored := make(map[taxi.JourneyID]store.Journey)
	live := 0
	for _, snap := range listed {
		stored[snap.JourneyID] = *snap.Journey
		if !snap.Status.Terminal() {
			live++
		}
	}
	require.Empty(t, cmp.Diff(m.journeys, stored))
	require.Len(t, m.store.AllLive(), live)
	require.True(t, slices.IsSortedFunc(m.store.AllLive(), func(a, b *store.Snapshot) int { return stdcmp.Compare(a.Serial, b.Serial) }))
	users, err := m.store.Users(t.Context())
	require.NoError(t, err)
	require.Len(t, users, len(m.users))
	for _, u := range users {
		require.Empty(t, cmp.Diff(m.users[u.UserID], *u))
		byPhone, err := m.store.UserByPhone(t.Context(), u.PhoneNumber)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(u, byPhone))
		require.True(t, slices.IsSortedFunc(m.store.Live(t.Context(), u.UserID), func(a, b *store.Snapshot) int {
			return stdcmp.Or(a.Date.Compare(b.Date.Time), stdcmp.Compare(a.Serial, b.Serial))
		}))
	}
	for key, want := range m.meta {
		value, _ := m.store.Meta(key)
		require.Equal(t, want, value)
	}
}
