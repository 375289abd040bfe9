package replica

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/cabrank/cabrank/simulator/worlds"
	"github.com/cabrank/cabrank/store"
	"github.com/cabrank/cabrank/store/leases"
)

// route contains the replica in which a world was last seen.
type route struct {
	at    *worlds.Elsewhere
	until time.Time // after that, the database is asked again
}

// mostRoutes limits how many worlds are remembered.
const mostRoutes = 100_000

// routeOf returns the other replica in which a world was seen lately; false: none is known.
func (r *Replica) routeOf(name string) (*worlds.Elsewhere, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, ok := r.routes[name]
	if ok && r.options.Now().After(at.until) {
		delete(r.routes, name)
		return nil, false
	}
	return at.at, ok
}

// rememberRoute stores for a short time which replica runs a world.
func (r *Replica) rememberRoute(w leases.World) *worlds.Elsewhere {
	at := &worlds.Elsewhere{Name: w.Name, Address: w.Address, Owner: w.Owner}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.routes) >= mostRoutes {
		clear(r.routes)
	}
	r.routes[w.Name] = route{at, r.options.Now().Add(min(w.Left, forgetAfter))}
	return at
}

// forget removes the stored route of a world that has moved.
func (r *Replica) forget(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.routes, name)
}

// elsewhere returns an error that names the replica that runs a world, or another that can
// take it, since this one does not.
func (r *Replica) elsewhere(ctx context.Context, name string) error {
	w, err := r.options.Table.Find(ctx, name)
	switch {
	case errors.Is(err, leases.ErrNotFound) && name != "":
		return worlds.ErrUnknown
	case err != nil && !errors.Is(err, leases.ErrNotFound):
		return err
	case err == nil && w.Left > 0 && w.Owner != r.me.ID:
		return r.rememberRoute(w)
	}
	others, err := r.options.Table.Replicas(ctx)
	if err != nil {
		return err
	}
	for _, other := range others {
		if other.ID != r.me.ID {
			return &worlds.Elsewhere{Name: name, Address: other.Address, Owner: other.ID}
		}
	}
	return &worlds.Refusal{Why: worlds.Moving, Text: "this replica is stopping, and there is no other"}
}

// Find implements [worlds.Directory].
func (r *Replica) Find(ctx context.Context, name string) (worlds.Listed, error) {
	w, err := r.options.Table.Find(ctx, name)
	if errors.Is(err, leases.ErrNotFound) {
		return worlds.Listed{}, worlds.ErrUnknown
	}
	if err != nil {
		return worlds.Listed{}, err
	}
	return r.listed(w)
}

// List implements [worlds.Directory].
func (r *Replica) List(ctx context.Context) ([]worlds.Listed, error) {
	rows, err := r.options.Table.List(ctx)
	if err != nil {
		return nil, err
	}
	var all []worlds.Listed
	for _, w := range rows {
		if w.Name == "" {
			continue
		}
		l, err := r.listed(w)
		if err != nil { // one that cannot be read hides no other
			r.options.Log.WarnContext(ctx, "a world is left out of the list", "world", w.Name, "error", err)
			continue
		}
		all = append(all, l)
	}
	return all, nil
}

func (r *Replica) listed(w leases.World) (worlds.Listed, error) {
	l := worlds.Listed{Name: w.Name}
	if w.Left > 0 && w.Owner != r.me.ID {
		l.Address, l.Owner = w.Address, w.Owner
	}
	if len(w.Facts) == 0 {
		return l, nil
	}
	if err := json.Unmarshal(w.Facts, &l.Facts); err != nil {
		return l, fmt.Errorf("the facts of the world %q: %w", w.Name, err)
	}
	return l, nil
}

// Setting returns a setting that all replicas share; "" if there is none.
func (r *Replica) Setting(ctx context.Context, key string) (string, error) {
	value, err := r.options.Table.Setting(ctx, key)
	if err != nil {
		err = fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	return value, err
}

// ChangeSetting changes a setting that all replicas share.
func (r *Replica) ChangeSetting(ctx context.Context, key string, change func(old string) (string, error)) error {
	if err := r.Fresh(ctx); err != nil {
		return err
	}
	why := store.ErrUnavailable
	var refused error
	err := r.options.Table.ChangeSetting(ctx, key, func(old string) (changed string, err error) {
		changed, refused = change(old)
		why = store.ErrUnknown
		return changed, refused
	})
	if err == nil || refused != nil {
		return err
	}
	return fmt.Errorf("%w: %w", why, err)
}
