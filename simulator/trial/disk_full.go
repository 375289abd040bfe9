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

// fullDisk stores nothing while it is full. As with a real disk, this is found out when
// changes are written that were made already; only then are further ones refused.
type fullDisk struct {
	*store.Store

	full      bool
	accepts   int          // changes that are still taken, but cannot be written
	unwritten store.Ticket // what those are given for it
}

// fillUp makes the disk full. So many changes are still accepted and then lost.
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

// unwritten is the ticket of a change that was taken and could not be written, by
// a database to which one came that has no form on a disk.
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
	_ = s.Close() // says again that it could not be written
	return ticket, nil
})
