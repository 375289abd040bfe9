package worlds_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/worlds"
	"github.com/cabrank/cabrank/store"
)

// kept opens worlds that are kept in a folder, at a time, and calls functions whenever a world
// is being opened.
func kept(t *testing.T, folder string, now time.Time, opening ...func(context.Context, worlds.Opening)) *worlds.Worlds {
	t.Helper()
	clock := func() time.Time { return now }
	all, err := worlds.New(t.Context(), worlds.Options{
		Config: small(), Now: clock, Directory: worlds.NewFolder(store.File(filepath.Join(folder, "taxis.db")), filepath.Join(folder, "boxes")),
		Open: func(ctx context.Context, o worlds.Opening) (*host.Host, error) {
			for _, do := range opening {
				do(ctx, o)
			}
			return host.Open(ctx, o.Config, host.Deps{Now: clock, Place: o.Place, AnySeed: true})
		},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, all.Close()) })
	return all
}

// TestSandboxesSurviveARestart checks that another server over the same folder has the
// sandboxes and snapshots of one that was closed.
func TestSandboxesSurviveARestart(t *testing.T) {
	folder, now := t.TempDir(), time.Date(2026, 6, 1, 8, 0, 0, 0, time.UTC)
	before := kept(t, folder, now)
	config := small()
	config.Cars, config.Seed = 3, 77
	for name, ttl := range map[string]time.Duration{"ann": 2 * time.Hour, "ben": 10 * time.Minute, "cat": time.Hour} {
		_, err := before.Add(t.Context(), worlds.Order{Name: name, Config: config, TTL: ttl})
		require.NoError(t, err)
	}
	ann, leave, err := before.Ask(t.Context(), "ann")
	require.NoError(t, err)
	h := ann.Gate.Latest()
	ada, err := h.World().Service().User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460001"})
	require.NoError(t, err)
	require.NoError(t, h.World().Clock().AdvanceTo(t.Context(), now.Add(time.Hour)))
	_, _, err = before.Save(t.Context(), ann, h, "later")
	require.NoError(t, err)
	leave()
	cat, leave, err := before.Ask(t.Context(), "cat")
	require.NoError(t, err)
	leave()
	require.NoError(t, before.End(t.Context(), cat))
	require.NoError(t, before.Close())

	after := kept(t, folder, now.Add(30*time.Minute))
	_, others, err := after.Everywhere(t.Context())
	require.NoError(t, err)
	require.Len(t, others, 1, "ben has expired, and cat was removed")
	require.Equal(t, "ann", others[0].Name)
	again, leave, err := after.Ask(t.Context(), "ann")
	require.NoError(t, err)
	defer leave()
	require.Equal(t, uint64(77), again.Gate.Latest().Config().Seed)
	require.Equal(t, now.Add(time.Hour), again.Now())
	same, err := again.Gate.Latest().World().Service().User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460001"})
	require.NoError(t, err)
	require.Equal(t, ada.UserID, same.UserID)
	one, release, err := after.HoldSnapshot(again, "later")
	require.NoError(t, err)
	defer release()
	require.NoError(t, again.Gate.Latest().Reset(t.Context(), host.Reset{From: one.Saved}))

	after.TidyUp()
	for _, name := range []string{"ben", "cat"} {
		_, _, err = after.Ask(t.Context(), name)
		require.ErrorContains(t, err, "there is no sandbox")
		files, err := filepath.Glob(filepath.Join(folder, "boxes", name+"*"))
		require.NoError(t, err)
		require.Empty(t, files)
	}
	_, err = os.Stat(filepath.Join(folder, "boxes", "ann.db"))
	require.NoError(t, err)
}

// TestLeftoverFilesOfAKilledServerAreRemoved checks that snapshots which the facts do not list, and
// facts that were being written, are removed.
func TestLeftoverFilesOfAKilledServerAreRemoved(t *testing.T) {
	folder, now := t.TempDir(), time.Date(2026, 6, 1, 8, 0, 0, 0, time.UTC)
	before := kept(t, folder, now)
	_, err := before.Add(t.Context(), worlds.Order{Name: "ann", Config: small(), TTL: time.Hour})
	require.NoError(t, err)
	save := func(all *worlds.Worlds, world, as string) {
		w, leave, err := all.Ask(t.Context(), world)
		require.NoError(t, err)
		defer leave()
		_, _, err = all.Save(t.Context(), w, w.Gate.Latest(), as)
		require.NoError(t, err)
	}
	save(before, "ann", "first")
	save(before, "", "first")
	require.NoError(t, before.Close())
	boxes := filepath.Join(folder, "boxes")
	left := []string{"ann@2.db", "ann@2.db-journal", "_main@2.db", "ann.json.new-17", "_main.json.new-18", "bob.db", "bob@1.db", "bob.json.new-1"}
	stays := []string{"ann.db", "ann.json", "ann@1.db", "_main.json", "_main@1.db", "cat.json", "cat@7.db"}
	for _, name := range append(left, "cat.json", "cat@7.db") {
		require.NoError(t, os.WriteFile(filepath.Join(boxes, name), []byte("{"), 0o600))
	}

	after := kept(t, folder, now)
	save(after, "", "second")               // in the place of what is there
	_, _, _ = after.Everywhere(t.Context()) // the facts of cat cannot be read
	for _, name := range left {
		if name != "_main@2.db" {
			require.NoFileExists(t, filepath.Join(boxes, name))
		}
	}
	for _, name := range append(stays, "_main@2.db") {
		require.FileExists(t, filepath.Join(boxes, name))
	}
}

// TestGateOfAReleasedWorldAsksForARetry checks that a request that has found a
// world which was given back meanwhile is refused as moving, so that it is sent again: another
// process may run the world by then.
func TestGateOfAReleasedWorldAsksForARetry(t *testing.T) {
	all := kept(t, t.TempDir(), time.Date(2026, 6, 1, 8, 0, 0, 0, time.UTC))
	w, leave, err := all.Ask(t.Context(), "")
	require.NoError(t, err)
	defer leave()
	require.NoError(t, all.GiveAll(t.Context()))
	_, entering := w.Gate.Enter(t.Context())
	for _, err := range []error{entering, w.Gate.Change(func(*host.Host) error { return nil })} {
		require.ErrorIs(t, err, worlds.ErrEnded)
		var refused *worlds.Refusal
		require.ErrorAs(t, err, &refused)
		require.Equal(t, worlds.Moving, refused.Why)
	}
}

// TestAWorldThatIsBeingOpenedIsListed checks that a sandbox is listed, and only once, while it
// is opened and afterwards.
func TestAWorldThatIsBeingOpenedIsListed(t *testing.T) {
	folder, now := t.TempDir(), time.Date(2026, 6, 1, 8, 0, 0, 0, time.UTC)
	before := kept(t, folder, now)
	_, err := before.Add(t.Context(), worlds.Order{Name: "ann", Config: small(), TTL: time.Hour})
	require.NoError(t, err)
	require.NoError(t, before.Close())

	var after *worlds.Worlds
	var listed []worlds.Listed
	after = kept(t, folder, now, func(ctx context.Context, o worlds.Opening) {
		if after != nil { // not the main world
			_, listed, err = after.Everywhere(ctx)
		}
	})
	_, leave, asked := after.Ask(t.Context(), "ann")
	require.NoError(t, errors.Join(err, asked))
	defer leave()
	require.Len(t, listed, 1)
	here, others, err := after.Everywhere(t.Context())
	require.NoError(t, err)
	require.Len(t, here, 1)
	require.Empty(t, others)
}
