package worlds

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/store"
)

// Errors of a [Directory].
var (
	ErrUnknown = errors.New("there is no such world")
	ErrExists  = errors.New("there is a world of that name")
)

// Directory stores which worlds there are, and says which process runs each of them. A
// world that no process runs can be claimed, with its records, so that it continues. Its
// methods may be called from any goroutine.
type Directory interface {
	// Claim claims a world for this process. The main world, whose name is "", always
	// exists. The error is [ErrUnknown], or an [Elsewhere].
	Claim(ctx context.Context, name string) (Claim, error)

	// Create adds a world, and claims it. The error is [ErrExists].
	Create(ctx context.Context, name string, facts Facts) (Claim, error)

	// Find returns a world, or [ErrUnknown].
	Find(ctx context.Context, name string) (Listed, error)

	// List returns all worlds but the main one, by name.
	List(ctx context.Context) ([]Listed, error)

	// Fresh returns an error if the request of a context has waited for its world so long that its client may have
	// asked another process meanwhile.
	Fresh(ctx context.Context) error

	// Patience is how long a request may wait for its world until it is not [Directory.Fresh].
	Patience() time.Duration
}

// Listed is a world in a [Directory].
type Listed struct {
	Name    string
	Facts   Facts
	Address string // of another process that runs it; "": no other process does
	Owner   string // the id of that process
}

// Claim is the right of this process to run a world.
type Claim interface {
	Facts() Facts                      // as they were when the world was claimed
	Records() store.Place              // of the world
	Snapshot(n int) store.Place        // of the records of a snapshot
	Holds() bool                       // whether no other process can have claimed the world by now
	OnLost(func())                     // calls a function, in a goroutine of its own, once another process may have claimed the world
	Keep(context.Context, Facts) error // [store.ErrFenced]: another process has claimed the world
	Give(context.Context) error        // ends the claim: another process may claim the world
	Remove(context.Context) error      // ends the claim, and removes the world with its records
}

// Facts describe a world in a [Directory].
type Facts struct {
	Config    host.Config             `json:"config"` // with which it was created; that of the main world is not used
	Made      time.Time               `json:"made"`   // in real time, as the times below
	Asked     time.Time               `json:"asked"`  // when it was last used; stored up to a minute late
	TTL       host.Duration           `json:"ttl"`
	Owner     string                  `json:"owner,omitempty"`
	Labels    map[string]string       `json:"labels,omitempty"`
	Until     time.Time               `json:"until,omitzero"`      // it ends then, even if it is in use; zero: no limit
	Snapshots map[string]KeptSnapshot `json:"snapshots,omitempty"` // by name
	Count     int                     `json:"count,omitempty"`     // number of the latest snapshot
}

// KeptSnapshot is a snapshot in the facts of a world.
type KeptSnapshot struct {
	Number int         `json:"number"` // for [Claim].Snapshot
	At     time.Time   `json:"at"`
	Saved  *host.Saved `json:"saved"`
}

// Elsewhere is the error for a world that another process runs.
type Elsewhere struct {
	Name    string
	Address string // of that process
	Owner   string // its id
}

// Error implements error.
func (e *Elsewhere) Error() string {
	return fmt.Sprintf("another process runs the world %q", e.Name)
}

// facts returns the facts of a world, to be stored.
func (w *World) facts() Facts {
	f := Facts{Config: w.config, Made: w.Made, Asked: time.UnixMilli(w.asked.Load()).UTC().Truncate(time.Second), TTL: host.Duration(w.ttl), Owner: w.Owner, Labels: w.Labels, Until: w.Until}
	w.Snapshots.mu.Lock()
	defer w.Snapshots.mu.Unlock()
	f.Count = w.Snapshots.count
	for name, one := range w.Snapshots.byName {
		if f.Snapshots == nil {
			f.Snapshots = make(map[string]KeptSnapshot, len(w.Snapshots.byName))
		}
		f.Snapshots[name] = KeptSnapshot{one.number, one.Taken, one.Saved}
	}
	return f
}

// recall sets the stored facts in a world that was claimed.
func (w *World) recall(f Facts) {
	w.Made, w.ttl = f.Made, time.Duration(f.TTL)
	w.Owner, w.Labels, w.Until = f.Owner, f.Labels, f.Until
	w.Snapshots.count = f.Count
	for name, t := range maps.All(f.Snapshots) {
		t.Saved.At(w.claim.Snapshot(t.Number))
		if w.Snapshots.byName == nil {
			w.Snapshots.byName = make(map[string]*Snapshot, len(f.Snapshots))
		}
		w.Snapshots.byName[name] = &Snapshot{Name: name, Taken: t.At, Saved: t.Saved, number: t.Number}
	}
}

// keep stores the facts of a world, if there is a directory.
func (w *World) keep(ctx context.Context) error {
	if w.claim == nil {
		return nil
	}
	select {
	case w.keeping <- struct{}{}: // so that older facts never replace newer ones
		defer func() { <-w.keeping }()
	case <-ctx.Done():
		return ctx.Err()
	}
	asked := w.asked.Load()
	if err := w.claim.Keep(ctx, w.facts()); err != nil {
		return err
	}
	w.stored.Store(asked)
	return nil
}
