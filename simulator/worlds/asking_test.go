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

// hanging is a directory that never returns the claim of a sandbox.
type hanging struct{ *worlds.Folder }

func (h hanging) Claim(ctx context.Context, name string) (worlds.Claim, error) {
	if name == "" {
		return h.Folder.Claim(ctx, name)
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

func (hanging) Patience() time.Duration { return 2 * time.Second }

// TestHangingDatabaseDelaysRequestsOnlyBriefly checks that requests for a sandbox wait for as
// long as they are fresh, both the one that opens the world and those that wait for it, and
// that the server can be closed at once.
func TestHangingDatabaseDelaysRequestsOnlyBriefly(t *testing.T) {
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

// slow is a directory whose main world takes a while to give back.
type slow struct{ *worlds.Folder }

func (s slow) Claim(ctx context.Context, name string) (worlds.Claim, error) {
	claim, err := s.Folder.Claim(ctx, name)
	if err != nil || name != "" {
		return claim, err
	}
	return slowClaim{claim}, nil
}

type slowClaim struct{ worlds.Claim }

func (c slowClaim) Give(ctx context.Context) error {
	time.Sleep(2 * time.Second)
	return c.Claim.Give(ctx)
}

// TestWorldOpenedDuringCloseIsGivenBack checks that a world that is being opened while the
// server closes is given back to the directory.
func TestWorldOpenedDuringCloseIsGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder := t.TempDir()
		open := func(directory worlds.Directory) *worlds.Worlds {
			all, err := worlds.New(t.Context(), worlds.Options{
				Config: small(), Now: time.Now, Directory: directory,
				Open: func(ctx context.Context, o worlds.Opening) (*host.Host, error) {
					if o.Name != "" {
						time.Sleep(time.Second)
					}
					return host.Open(ctx, o.Config, host.Deps{Now: time.Now, Place: o.Place, AnySeed: true})
				},
			})
			require.NoError(t, err)
			return all
		}
		directory := worlds.NewFolder(store.File(filepath.Join(folder, "taxis.db")), folder)
		first := open(directory)
		_, err := first.Add(t.Context(), worlds.Order{Name: "ann", Config: small(), TTL: time.Hour})
		require.NoError(t, err)
		require.NoError(t, first.Close())

		all := open(slow{directory})
		asked := make(chan error)
		go func() { // ends with the worlds
			_, _, err := all.Ask(t.Context(), "ann")
			asked <- err
		}()
		synctest.Wait()
		closed := make(chan error)
		go func() { closed <- all.Close() }() // ends when it has given everything back
		require.Error(t, <-asked)
		require.NoError(t, <-closed)
		require.NoError(t, open(directory).Close(), "the directory gives all of it again")
	})
}
