package replica

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/simulator/worlds"
	"github.com/cabrank/cabrank/store"
	"github.com/cabrank/cabrank/store/leases"
)

// claim is a world that this replica has taken.
type claim struct {
	replica *Replica
	name    string
	epoch   int64
	facts   worlds.Facts
	lost    atomic.Bool

	mu   sync.Mutex
	gone bool   // lost or given back
	tell func() // called once the world is lost; nil: nobody wants to know
}

var _ worlds.Claim = (*claim)(nil)

// span is the time during which this replica trusts that its lease has not ended.
type span struct {
	from time.Time // with the monotonic clock
	long time.Duration
}

// trust returns the span of a lease whose renewal was requested at the time sent.
func (r *Replica) trust(sent time.Time) *span {
	return &span{sent, r.options.trusts()}
}

// covers reports whether a span is over by neither the wall clock nor the monotonic one.
func (s *span) covers(now time.Time) bool {
	return elapsed(s.from, now) < s.long
}

// Claim implements [worlds.Directory].
func (r *Replica) Claim(ctx context.Context, name string) (worlds.Claim, error) {
	if at, ok := r.routeOf(name); ok {
		return nil, at
	}
	if r.leaving.Load() {
		return nil, r.elsewhere(ctx, name)
	}
	if err := r.Fresh(ctx); err != nil {
		return nil, err
	}
	by := r.holder()
	taken, err := r.options.Table.Take(ctx, name, by)
	if held, ok := errors.AsType[*leases.HeldError](err); ok {
		return nil, r.rememberRoute(held.World)
	}
	switch {
	case errors.Is(err, leases.ErrNotFound):
		return nil, worlds.ErrUnknown
	case errors.Is(err, leases.ErrOver):
		return nil, errOver
	case err != nil:
		return nil, fmt.Errorf("take the world %q: %w", name, err)
	}
	r.counts.taken.Inc()
	return r.registerClaim(taken, by)
}

// Create implements [worlds.Directory].
func (r *Replica) Create(ctx context.Context, name string, facts worlds.Facts) (worlds.Claim, error) {
	if r.leaving.Load() {
		return nil, &worlds.Refusal{Why: worlds.Moving, Text: "this replica is stopping; ask again"}
	}
	if err := r.Fresh(ctx); err != nil {
		return nil, err
	}
	text, err := json.Marshal(facts)
	if err != nil {
		return nil, err
	}
	by := r.holder()
	made, err := r.options.Table.Create(ctx, name, text, by)
	switch {
	case errors.Is(err, leases.ErrExists):
		return nil, worlds.ErrExists
	case errors.Is(err, leases.ErrOver):
		return nil, errOver
	case err != nil:
		r.removeIfCreated(context.WithoutCancel(ctx), name)
		return nil, fmt.Errorf("create the world %q: %w", name, err)
	}
	c, err := r.registerClaim(made, by)
	if err != nil {
		r.removeIfCreated(context.WithoutCancel(ctx), name)
		return nil, err
	}
	return c, nil
}

// removeIfCreated removes a world that this replica may have created although the database did not answer.
func (r *Replica) removeIfCreated(ctx context.Context, name string) {
	ctx, cancel := context.WithTimeout(ctx, r.options.Lease)
	defer cancel()
	found, err := r.options.Table.Find(ctx, name)
	r.mu.Lock()
	held := r.claims[name] != nil
	r.mu.Unlock()
	if err == nil && found.Owner == r.me.ID && !held {
		_ = r.options.Table.Remove(ctx, name, found.Epoch) // if it fails, the world ends with its time to live
	}
}

// errOver refuses a change that needs the lease, if another replica has ended that: others may have taken worlds.
var errOver = &worlds.Refusal{Why: worlds.Moving, Text: "another replica has ended the lease of this one; ask again"}

// registerClaim lists a world that was taken, unless the lease has another term by now.
func (r *Replica) registerClaim(w leases.World, by leases.Holder) (*claim, error) {
	c := &claim{replica: r, name: w.Name, epoch: w.Epoch}
	if len(w.Facts) > 0 {
		if err := json.Unmarshal(w.Facts, &c.facts); err != nil {
			return nil, fmt.Errorf("the facts of the world %q: %w", w.Name, err)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if by.Term != r.me.Term { // the next request takes it again
		return nil, errOver
	}
	r.claims[w.Name] = c
	delete(r.routes, w.Name)
	return c, nil
}

// release takes a world out of the list, and reports whether it was in it.
func (r *Replica) release(c *claim) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.claims[c.name] != c {
		return false
	}
	delete(r.claims, c.name)
	return true
}

// endLostWorld ends a world that another replica may run by now.
func (r *Replica) endLostWorld(c *claim) {
	c.lost.Store(true)
	if !r.release(c) {
		return
	}
	r.counts.lost.Inc()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gone = true
	if c.tell != nil {
		go c.tell() // ends when the world has ended
	}
}

// Facts implements [worlds.Claim].
func (c *claim) Facts() worlds.Facts { return c.facts }

// Records implements [worlds.Claim].
func (c *claim) Records() store.Place { return c.replica.options.Place(c.name, c.epoch) }

// Snapshot implements [worlds.Claim].
func (c *claim) Snapshot(n int) store.Place {
	return c.replica.options.Place(c.name+"@"+strconv.Itoa(n), c.epoch)
}

// Holds implements [worlds.Claim].
func (c *claim) Holds() bool {
	return !c.lost.Load() && c.replica.awake() && c.replica.trusted.Load().covers(c.replica.options.Now())
}

// OnLost implements [worlds.Claim].
func (c *claim) OnLost(tell func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tell = tell
	if c.gone && c.lost.Load() {
		go tell() // ends when the world has ended
	}
}

// Keep implements [worlds.Claim].
func (c *claim) Keep(ctx context.Context, facts worlds.Facts) error {
	text, err := json.Marshal(facts)
	if err != nil {
		return err
	}
	err = c.replica.options.Table.SetFacts(ctx, c.name, c.epoch, text)
	if errors.Is(err, leases.ErrFenced) {
		return fmt.Errorf("%w: %w", store.ErrFenced, err)
	}
	return unknown(err)
}

// unknown wraps the error of a change that may have been made all the same in [store.ErrUnknown]; nil stays nil.
func unknown(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", store.ErrUnknown, err)
}

// Give implements [worlds.Claim]. If the database is too slow, nothing is wrong: the next request for the
// world is passed on to this replica, which takes it again, and all are free when it leaves.
func (c *claim) Give(ctx context.Context) error {
	c.replica.release(c)
	err := c.replica.options.Table.Give(ctx, c.replica.me, leases.Held{Name: c.name, Epoch: c.epoch})
	if errors.Is(err, context.DeadlineExceeded) {
		c.replica.options.Log.WarnContext(ctx, "a world was not given back in time; it stays with this replica until that leaves", "world", c.name, "error", err)
		return nil
	}
	return err
}

// Remove implements [worlds.Claim].
func (c *claim) Remove(ctx context.Context) error {
	c.replica.release(c)
	return unknown(c.replica.options.Table.Remove(ctx, c.name, c.epoch))
}
