package trial

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// fullDisk refuses changes while it is full. As with a real disk, the error occurs when
// earlier changes are written; only then are further ones refused.
type fullDisk struct {
	*store.Store

	full      bool
	accepts   int          // number of changes that are still accepted, but cannot be written
	unwritten store.Ticket // the ticket of those changes
}

// fillUp makes the disk full. takes further changes are accepted and then lost.
func (d *fullDisk) fillUp(takes int) { d.full, d.accepts = true, takes }

// Apply implements [dispatch.Records].
func (d *fullDisk) Apply(fn func(*store.Tx) error) (store.Ticket, error) {
	if d.full && d.accepts == 0 {
		return store.Ticket{}, fmt.Errorf("%w: no room on the disk", store.ErrUnavailable)
	}
	ticket, err := d.Store.Apply(fn)
	if err == nil && d.full {
		d.accepts--
		return d.unwritten, nil
	}
	return ticket, err
}

// unwritten returns the ticket of a change that was accepted and could not be written,
// from a database that received a record which cannot be encoded.
var unwritten = sync.OnceValues(func() (store.Ticket, error) {
	folder, err := os.MkdirTemp("", "cabrank-trial-")
	if err != nil {
		return store.Ticket{}, err
	}
	defer os.RemoveAll(folder)
	s, err := store.Open(context.Background(), filepath.Join(folder, "full.db"), store.Options{Durability: store.Normal})
	if err != nil {
		return store.Ticket{}, err
	}
	ticket, err := s.Apply(func(tx *store.Tx) error {
		u := &store.User{EndUser: taxi.EndUser{UserID: "nobody"}}
		tx.PutUser(u)
		u.Data = &taxi.Settings{Other: map[string]json.RawMessage{"broken": json.RawMessage("{")}}
		return nil
	})
	if err != nil {
		return ticket, errors.Join(err, s.Close())
	}
	if failed := ticket.Wait(context.Background()); !errors.Is(failed, store.ErrUnavailable) {
		return ticket, errors.Join(fmt.Errorf("what cannot be written was: %w", failed), s.Close())
	}
	_ = s.Close() // returns the same write error again
	return ticket, nil
})
