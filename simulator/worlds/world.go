package worlds

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/store"
)

// World is a host that can be replaced, with its events and snapshots.
type World struct {
	Name      string    // "": the main world
	Made      time.Time // in real time
	Gate      *Gate
	Events    *Broker
	Snapshots Snapshots

	Owner  string // "": nobody
	Labels map[string]string
	Until  time.Time // in real time, when it expires even if it is used; zero: never

	// Beside is data that the package's user attaches to a world, see [Options.Opened].
	Beside any
	Ends   func() // called last of all, since it may receive events of what ends before; may be nil

	log    *slog.Logger
	config host.Config   // with which it was created
	claim  Claim         // nil: it exists in this process only
	ttl    time.Duration // in real time; 0: no limit
	asked  atomic.Int64  // when it was last used, in real milliseconds since the Unix epoch
	stored atomic.Int64  // the value of asked in the directory
	inside atomic.Int64  // number of current users

	keeping chan struct{} // of length one: held while the facts are stored
	closing atomic.Bool   // somebody has begun to close it
	closed  chan struct{} // closed when err is set
	err     error         // the result of closing it
}

// Opening describes a host to open.
type Opening struct {
	Name   string // of the world; "": the main one
	Config host.Config
	Place  store.Place // of its records; nil: there is no [Directory], which would say
}

// open opens the host of a world, and adds the world's other parts.
func (s *Worlds) open(ctx context.Context, name string, c host.Config, claim Claim) (*World, error) {
	o := Opening{Name: name, Config: c}
	if claim != nil {
		o.Place = claim.Records()
	}
	h, err := s.options.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	w := &World{Name: name, Gate: NewGate(h), Events: newBroker(), log: s.log.With("world", name), config: c, claim: claim, closed: make(chan struct{}), keeping: make(chan struct{}, 1)}
	if s.options.Opened != nil {
		s.options.Opened(w)
	}
	return w, nil
}

// Now returns the time of the world.
func (w *World) Now() time.Time { return w.Gate.Latest().World().Clock().Now() }

// close ends the host of the world. A second call waits for the first, and returns the same.
func (w *World) close() error {
	if w.closing.CompareAndSwap(false, true) {
		w.err = w.shut()
		close(w.closed)
	}
	<-w.closed
	return w.err
}

// shut closes the host for the first caller of [World.close].
func (w *World) shut() error {
	why, ended := "the sandbox has ended", ErrEnded
	if w.claim != nil { // a request that has come to the gate is not executed, and finds the world elsewhere
		why = "the world ends in this process; ask again"
		ended = fmt.Errorf("%w: %w", ErrEnded, refuse(Moving, "%s", why))
	}
	w.Events.end(why)
	err := w.Gate.close(ended)
	if errors.Is(err, store.ErrFenced) { // no failure: who runs the world continues with what was acknowledged
		w.log.Info("another process runs this world now; changes that were not acknowledged are lost", "error", err)
		err = nil
	}
	if w.claim == nil {
		err = errors.Join(err, w.Snapshots.removeAll())
	}
	if w.Ends != nil {
		w.Ends()
	}
	return err
}

// remove ends the world, and deletes it with its records from the directory.
func (w *World) remove(ctx context.Context) error {
	err := w.close()
	if w.claim != nil {
		err = errors.Join(err, w.claim.Remove(ctx))
	}
	return err
}

// giveBack ends the world in this process. It continues when somebody claims it again. If another
// process has claimed it already, there is nothing left to store.
func (w *World) giveBack(ctx context.Context) error {
	var err error
	if w.Holds() {
		err = w.keep(ctx)
	}
	if errors.Is(err, store.ErrFenced) {
		err = nil
	}
	err = errors.Join(err, w.close())
	if w.claim != nil {
		err = errors.Join(err, w.claim.Give(ctx))
	}
	return err
}

// Holds reports whether no other process can have claimed the world.
func (w *World) Holds() bool { return w.claim == nil || w.claim.Holds() }

// touch records that the world is being used.
func (w *World) touch(now time.Time) { w.asked.Store(now.UnixMilli()) }

// expired reports whether the world has reached its end, or has no current user and has
// been unused for too long.
func (w *World) expired(now time.Time) bool {
	ended := !w.Until.IsZero() && !now.Before(w.Until)
	return ended || w.ttl > 0 && w.inside.Load() == 0 && now.After(w.Expires().Add(w.grace()))
}

// grace is how long a world of the [Directory] outlives its time without use, since the time
// of the last use is stored late.
func (w *World) grace() time.Duration {
	if w.claim == nil {
		return 0
	}
	return tidyEvery
}

// Expires returns when the world expires unless it is used before.
func (w *World) Expires() time.Time {
	unused := time.UnixMilli(w.asked.Load()).Add(w.ttl).UTC()
	if !w.Until.IsZero() && w.Until.Before(unused) {
		return w.Until
	}
	return unused
}
