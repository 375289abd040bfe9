package worlds_test

import (
	"context"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/worlds"
	"github.com/cabrank/cabrank/store"
)

// hanging is a directory that never gives a sandbox.
type hanging struct{ *worlds.Folder }

func (h hanging) Claim(ctx context.Context, name string) (worlds.Claim, error) {
	if name == "" {
		return h.Folder.Claim(ctx, name)
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

func (hanging) Patience() time.Duration { return 2 * time.Second }

// TestADatabaseThatGivesNoWorld holds up requests for as long as they are fresh, both the one that opens the world and those
// that wait for it, and does not hold up the end of the server.
func TestADatabaseThatGivesNoWorld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder := t.TempDir()
		all, err := worlds.New(t.Context(), worlds.Options{
			Config: small(), Now: time.Now, Directory: hanging{worlds.NewFolder(store.File(filepath.Join(folder, "taxis.db")), folder)},
			Open: func(ctx context.Context, o worlds.Opening) (*host.Host, error) {
				return host.Open(ctx, o.Config, host.Deps{Now: time.Now})
			},
		})
		require.NoError(t, err)
		for range 2 {
			began := time.Now()
			_, _, err := all.Ask(t.Context(), "ann")
			require.ErrorContains(t, err, "the world is not open yet")
			require.Equal(t, 2*time.Second, time.Since(began))
		}
		began := time.Now()
		require.NoError(t, all.Close())
		require.Zero(t, time.Since(began))
	})
}
