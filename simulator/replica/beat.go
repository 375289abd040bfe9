package replica

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/cabrank/cabrank/store/leases"
)

// beat renews the lease. If it was ended meanwhile, worlds that others have taken are lost. If the
// database does not answer, the worlds stay in the list: the lease may be renewed later, unless
// another replica ends it first.
func (r *Replica) beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, r.options.Lease)
	defer cancel()
	select {
	case r.beating <- struct{}{}:
		defer func() { <-r.beating }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if r.left {
		return nil
	}
	sent := r.options.Now()
	err := r.renew(ctx)
	r.note(err)
	if err != nil {
		if all := r.worlds.Load(); all != nil {
			all.Lapse()
		}
		return err
	}
	r.counts.beat.Observe(r.options.Now().Sub(sent).Seconds())
	r.trusted.Store(r.trust(sent))
	return nil
}

// renew renews the lease, and determines which worlds are lost if the lease has another term.
func (r *Replica) renew(ctx context.Context) error {
	term, err := r.options.Table.Beat(ctx, r.holder(), r.options.Lease, len(r.held()))
	if err != nil {
		return err
	}
	r.mu.Lock()
	if term != r.me.Term { // a world that is being taken under the term before is not held any more
		r.me.Term, r.doubts = term, true
	}
	r.mu.Unlock()
	held := r.held()
	if r.doubts && len(held) > 0 {
		lost, err := r.options.Table.Lost(ctx, r.holder(), leasesOf(held))
		if err != nil {
			return err
		}
		for _, c := range held {
			if slices.Contains(lost, c.name) {
				r.endLostWorld(c)
			}
		}
	}
	r.doubts = false
	return nil
}

// holder returns this replica with the term of its lease.
func (r *Replica) holder() leases.Holder {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.me
}

// held returns the worlds that this replica has taken.
func (r *Replica) held() []*claim {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Collect(maps.Values(r.claims))
}

func leasesOf(claims []*claim) []leases.Held {
	all := make([]leases.Held, len(claims))
	for i, c := range claims {
		all[i] = leases.Held{Name: c.name, Epoch: c.epoch}
	}
	return all
}

// note stores the result of a beat, and logs when the database begins to fail and when it answers again.
func (r *Replica) note(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err != nil && r.failed == nil:
		r.options.Log.Error("the lease cannot be renewed; the worlds answer 503 until it is", "error", err)
	case err == nil && r.failed != nil:
		r.options.Log.Info("the lease is renewed again")
	}
	if err != nil {
		r.counts.failed.Inc()
	}
	r.failed = err
}

// againAfter is the time after which balance tries again to open a world that could not be opened.
const againAfter = 10 * time.Second

// atOnce limits how many worlds a replica takes or gives up in one beat.
const atOnce = 50

// balance takes worlds that nobody runs, up to this replica's share, and gives up those
// above it that nobody uses.
func (r *Replica) balance(ctx context.Context) {
	all := r.worlds.Load()
	if all == nil || r.Ready() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 10*r.options.Lease)
	defer cancel()
	for name, at := range r.unopened {
		if r.options.Now().Sub(at) > againAfter {
			delete(r.unopened, name)
		}
	}
	replicas, err := r.options.Table.Replicas(ctx)
	if err != nil {
		return // the beat reports a database that fails
	}
	free, worlds, err := r.options.Table.Free(ctx, atOnce+len(r.unopened))
	if err != nil {
		return
	}
	mine := len(r.held())
	worlds += mine
	for _, other := range replicas {
		if other.ID != r.me.ID {
			worlds += other.Worlds
		}
	}
	share := shareOf(worlds, mine, replicas, r.me.ID)
	room := len(free) > 0 && all.HasRoom()
	for _, name := range free {
		if mine >= share.most || ctx.Err() != nil {
			break
		}
		if _, failed := r.unopened[name]; failed || name != "" && !room {
			continue
		}
		switch err := all.Open(ctx, name); {
		case err == nil:
			mine++
		case ctx.Err() == nil:
			r.unopened[name] = r.options.Now()
		}
	}
	if spare := mine - share.keep; spare > 0 {
		r.counts.moved.Add(float64(all.Rest(ctx, min(spare, atOnce), r.options.Quiet)))
	}
}

// share contains the number of worlds up to which a replica takes more, and the number that it keeps.
type share struct{ most, keep int }

// shareOf returns the share of the replica id, which has mine of all worlds. Worlds that
// cannot be divided evenly stay with the replicas that have them, unless one has two fewer.
func shareOf(worlds, mine int, replicas []leases.Replica, id string) share {
	n := max(1, len(replicas))
	low, high := worlds/n, (worlds+n-1)/n
	s := share{most: high, keep: high}
	for _, other := range replicas {
		if other.ID != id && other.Worlds < low && mine > low {
			s.keep = low
		}
	}
	return s
}

// forgetAfter is how long a replica assumes that a world is still where it was last seen.
const forgetAfter = time.Second
