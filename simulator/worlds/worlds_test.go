package worlds_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/worlds"
)

// TestWorldsWithoutAServer opens a world under a name, asks for it, and leaves it alone until it ends.
func TestWorldsWithoutAServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config := host.Default()
		config.Speed, config.Cars, config.Town = 0, 1, "none"
		all, err := worlds.New(t.Context(), worlds.Options{Config: config, Now: time.Now, Open: func(ctx context.Context, o worlds.Opening) (*host.Host, error) {
			return host.Open(ctx, o.Config, host.Deps{Now: time.Now})
		}})
		require.NoError(t, err)
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
