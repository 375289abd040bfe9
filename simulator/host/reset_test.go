package host_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/store"
)

// stubborn is a place in which a copy is not put.
type stubborn struct{ store.File }

var errStubborn = errors.New("the database is gone")

func (s stubborn) Fetch(ctx context.Context, from store.Place) (func(context.Context) error, error) {
	_, err := s.File.Fetch(ctx, from)
	return func(context.Context) error { return errStubborn }, err
}

// TestARestoreThatFailsLosesNothing: the records stay until the new ones are in place.
func TestARestoreThatFailsLosesNothing(t *testing.T) {
	file := store.File(filepath.Join(t.TempDir(), "taxis.db"))
	h, err := host.Open(t.Context(), calm(), host.Deps{Now: still, Place: stubborn{file}})
	require.NoError(t, err)
	saved, err := h.Save(t.Context(), store.File(filepath.Join(t.TempDir(), "saved.db")))
	require.NoError(t, err)
	ref := book(t, client(t, h, nil), monday)
	err = h.Reset(t.Context(), host.Reset{From: saved})
	require.ErrorIs(t, err, errStubborn)
	require.NotErrorIs(t, err, host.ErrUnchanged, "the world has ended")
	require.NoError(t, h.Close())

	records, err := file.Open(t.Context(), store.Options{})
	require.NoError(t, err)
	_, err = records.Journey(t.Context(), ref.JourneyID)
	require.NoError(t, err)
	require.NoError(t, records.Close())
}
