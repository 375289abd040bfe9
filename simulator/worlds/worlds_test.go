package worlds_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/worlds"
)

// small returns the Config of a world that needs few resources.
func small() host.Config {
	config := host.Default()
	config.Speed, config.Cars, config.Town = 0, 1, "none"
	return config
}

// open opens worlds in memory, with the clock of the bubble.
func open(t *testing.T, o worlds.Options) *worlds.Worlds {
	t.Helper()
	o.Config, o.Now = small(), time.Now
	o.Open = func(ctx context.Context, o worlds.Opening) (*host.Host, error) {
		return host.Open(ctx, o.Config, host.Deps{Now: time.Now})
	}
	all, err := worlds.New(t.Context(), o)
	require.NoError(t, err)
	return all
}

// names returns the names of the sandboxes.
func names(all *worlds.Worlds) (names []string) {
	for _, w := range all.All() {
		names = append(names, w.Name)
	}
	return names
}

// add adds sandboxes that do not expire during a test, a second apart.
func add(t *testing.T, all *worlds.Worlds, names ...string) (err error) {
	t.Helper()
	for _, name := range names {
		_, err = all.Add(t.Context(), worlds.Order{Name: name, Config: small(), TTL: 24 * time.Hour})
		time.Sleep(time.Second)
	}
	return err
}

// TestLowMemoryEndsUnusedSandboxes checks that a new sandbox is refused while memory is short, unless
// unused ones can be ended, longest unused first; one that was used lately stays.
func TestLowMemoryEndsUnusedSandboxes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var all *worlds.Worlds
		var most atomic.Int32 // the sweeper reads it, too
		most.Store(3)
		all = open(t, worlds.Options{Full: func() bool { return len(all.All()) >= int(most.Load()) }})
		require.NoError(t, add(t, all, "old", "used", "new"))
		err := add(t, all, "more")
		require.Equal(t, &worlds.Refusal{Why: worlds.TooMany, Text: "the server is short of memory; end a sandbox, or wait until one has not been asked for in 2 minutes"}, err)
		require.False(t, all.HasRoom())
		require.Equal(t, []string{"new", "old", "used"}, names(all))

		time.Sleep(2 * time.Minute)
		_, leave, err := all.Ask(t.Context(), "used")
		require.NoError(t, err)
		require.ErrorContains(t, add(t, all, "new"), "there is a sandbox new already")
		require.NoError(t, add(t, all, "more"))
		require.Equal(t, []string{"more", "new", "used"}, names(all))

		most.Store(1)
		time.Sleep(time.Hour)
		require.Equal(t, []string{"used"}, names(all), "somebody is in it")
		require.Error(t, add(t, all, "other"))
		leave()
		require.NoError(t, all.Close())
	})
}

// TestSandboxLimitReplacesUnusedOnes checks that at the limit a new sandbox is refused, or
// replaces the one that was unused longest.
func TestSandboxLimitReplacesUnusedOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := open(t, worlds.Options{Most: 2})
		require.NoError(t, add(t, all, "old", "new"))
		require.ErrorContains(t, add(t, all, "more"), "there are 2 sandboxes already; end one, or wait until one has not been asked for in 10 minutes")
		time.Sleep(10 * time.Minute)
		_, leave, err := all.Ask(t.Context(), "old")
		require.NoError(t, err)
		leave()
		require.NoError(t, add(t, all, "more"))
		require.Equal(t, []string{"more", "old"}, names(all))
		require.NoError(t, all.Close())
	})
}

// TestUnusedWorldEndsAfterItsTTL checks that a world can be opened under a name and found, that it
// does not expire while a request is inside, and that it ends once it is unused.
func TestUnusedWorldEndsAfterItsTTL(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := open(t, worlds.Options{})
		config := small()
		ann, err := all.Add(t.Context(), worlds.Order{Name: "ann", Config: config, TTL: 10 * time.Minute})
		require.NoError(t, err)
		_, err = all.Add(t.Context(), worlds.Order{Name: "ann", Config: config})
		require.Equal(t, &worlds.Refusal{Why: worlds.Taken, Text: "there is a sandbox ann already"}, err)

		w, leave, err := all.Ask(t.Context(), "ann")
		require.NoError(t, err)
		require.Same(t, ann, w)
		time.Sleep(time.Hour)
		require.Len(t, all.All(), 1, "somebody is inside")
		leave()
		visit, err := ann.Gate.Enter(t.Context())
		require.NoError(t, err)
		visit.Leave()
		time.Sleep(12 * time.Minute)
		_, err = ann.Gate.Enter(t.Context())
		require.ErrorIs(t, err, worlds.ErrEnded)
		require.Empty(t, all.All())
		require.NoError(t, all.Close())
	})
}
