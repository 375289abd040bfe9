package control_test

import (
	"context"
	"net/http"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/worlds"
	"github.com/cabrank/cabrank/store"
)

// lapsing is a directory whose claims hold for a number of checks, and not after that.
type lapsing struct {
	*worlds.Folder

	looks atomic.Int32
}

type lapsingClaim struct {
	worlds.Claim

	of *lapsing
}

func (l *lapsing) Claim(ctx context.Context, name string) (worlds.Claim, error) {
	claim, err := l.Folder.Claim(ctx, name)
	return lapsingClaim{claim, l}, err
}

func (c lapsingClaim) Holds() bool { return c.of.looks.Add(-1) >= 0 }

// TestLapsedWorldAnswersOnlyStoredChanges checks that a read is refused if another process may run the world
// by the time the answer is ready, and that a booking is acknowledged, since it was stored
// before.
func TestLapsedWorldAnswersOnlyStoredChanges(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	directory := &lapsing{Folder: worlds.NewFolder(store.File(filepath.Join(folder, "taxis.db")), filepath.Join(folder, "boxes"))}
	directory.looks.Store(1000)
	towns := &host.Towns{}
	r := serveRig(t, openServer(t, control.Options{Config: still(), Directory: directory},
		host.Deps{Streets: towns.Streets, Place: store.File(filepath.Join(folder, "taxis.db"))}, host.Deps{}))
	places := fixtures.Places()
	booking := taxi.BookRequest{Name: "Ann", PhoneNumber: "442079460001", PickupTime: taxi.At(monday), Pickup: &places[0].Address, Dropoffs: []taxi.Address{places[1].Address}}
	for _, row := range []struct {
		do     func() error
		lapsed bool
	}{
		{func() error { _, err := r.desk.Config(t.Context(), taxi.ConfigRequest{}); return err }, true},
		{func() error {
			_, err := r.desk.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460009"})
			return err
		}, true},
		{func() error { _, err := r.desk.Book(t.Context(), booking); return err }, false},
	} {
		directory.looks.Store(1) // when it comes
		err := row.do()
		if !row.lapsed {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, "the database has not confirmed for a while that this process runs the world")
		directory.looks.Store(2)
		if err := row.do(); err != nil {
			require.NotContains(t, err.Error(), "has not confirmed")
		}
	}
	directory.looks.Store(1)
	status, text := r.send(http.MethodGet, "/system", "")
	require.Equal(t, http.StatusServiceUnavailable, status, text)
	directory.looks.Store(1000)
}
