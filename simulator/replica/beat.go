package replica

import (
	"context"
	"slices"
	"time"

	"github.com/cabrank/cabrank/store/leases"
)

// beat renews all leases with one statement. A lease that the database no longer knows is
// lost. If the database does not answer, the leases stay in the list: they may be renewed
// later, unless another replica takes the worlds first.
func (r *Replica) beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, r.options.Lease)
	defer cancel()
	select {
	case r.beating <- struct{}{}:
		defer func() { <-r.beating }()
	case <-ctx.Done():
		return ctx.Err()
	}
	held := r.held()
	if r.leaving.Load() && len(held) == 0 {
		return nil // it is no longer listed
	}
	sent := r.options.Now()
	lost, err := r.options.Table.Beat(ctx, r.me, r.options.Lease, leasesOf(held))
	r.note(err)
	if err != nil {
		if all := r.worlds.Load(); all != nil {
			all.Lapse()
		}
		return err
	}
	r.counts.beat.Observe(r.options.Now().Sub(sent).Seconds())
	for _, c := range held {
		if slices.Contains(lost, c.name) {
			r.lose(c)
			continue
		}
		c.trusted.Store(r.trust(sent))
	}
	return nil
}

// held returns the leases in the list.
func (r *Replica) held() []*claim {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := make([]*claim, 0, len(r.claims))
	for _, c := range r.claims {
		all = append(all, c)
	}
	return all
}

func leasesOf(claims []*claim) []leases.Held {
	all := make([]leases.Held, len(claims))
	for i, c := range claims {
		all[i] = leases.Held{Name: c.name, Epoch: c.epoch}
	}
	return all
}

// note stores the result of a beat, and logs when the database fails and answers again.
func (r *Replica) note(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err != nil && r.failed == nil:
		r.options.Log.Error("the leases cannot be renewed; the worlds answer 503 until they are", "error", err)
	case err == nil && r.failed != nil:
		r.options.Log.Info("the leases are renewed again")
	}
	if err != nil {
		r.counts.failed.Inc()
	}
	r.failed = err
}

// againAfter is how long balance leaves a world alone that could not be opened.
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
	listed, err := r.options.Table.List(ctx)
	if err != nil {
		return // the beat reports a database that fails
	}
	others, err := r.options.Table.Replicas(ctx)
	if err != nil {
		return
	}
	for name, at := range r.unopened {
		if r.options.Now().Sub(at) > againAfter {
			delete(r.unopened, name)
		}
	}
	mine, free := r.tally(listed)
	share := shareOf(len(listed), mine, others, r.me.ID)
	room := len(free) > 0 && all.HasRoom()
	for _, name := range free {
		if mine >= share.most || ctx.Err() != nil || name != "" && !room {
			break
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

// tally counts the worlds that this replica runs, and lists those that nobody runs. It
// remembers where the others are.
func (r *Replica) tally(listed []leases.World) (mine int, free []string) {
	for _, w := range listed {
		switch {
		case w.Left <= 0:
			if _, failed := r.unopened[w.Name]; !failed {
				free = append(free, w.Name)
			}
		case w.Owner == r.me.ID:
			mine++
		default:
			_ = r.learn(w)
		}
	}
	return mine, free[:min(len(free), atOnce)]
}

// share is how many worlds a replica takes at most, and how many it keeps.
type share struct{ most, keep int }

// shareOf returns the share of one of several replicas, itself included. Worlds that cannot
// be divided evenly stay with the replicas that have them, unless one has two fewer.
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

// forgetAfter is how long a replica believes that a world is where it was last seen.
const forgetAfter = time.Second
