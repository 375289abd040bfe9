package worlds

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/simulator/host"
)

// World is a host that can be replaced, with its events and snapshots.
type World struct {
	Name      string    // "": the main world
	Made      time.Time // in real time
	Gate      *Gate
	Events    *Broker
	Snapshots Snapshots

	// Beside is data of the package's user, see [Options.Opened].
	Beside any
	Weighs func() int64 // returns the approximate memory of Beside; may be nil
	Ends   func() error // called last of all, since it may receive events of what ends before; may be nil

	ttl    time.Duration // in real time; 0: no limit
	asked  atomic.Int64  // when it was last used, in real milliseconds since the Unix epoch
	inside atomic.Int64  // number of current users
	close  func() error  // a second call returns the same
}

// open opens a world.
func (s *Worlds) open(ctx context.Context, name string, c host.Config) (*World, error) {
	h, err := s.options.Open(ctx, name, c)
	if err != nil {
		return nil, err
	}
	w := &World{Name: name, Gate: NewGate(h), Events: newBroker()}
	w.close = sync.OnceValue(w.shut)
	if s.options.Opened != nil {
		s.options.Opened(w)
	}
	return w, nil
}

// Now returns the time of the world.
func (w *World) Now() time.Time { return w.Gate.Latest().World().Clock().Now() }

// shut ends the world.
func (w *World) shut() error {
	w.Events.end("the sandbox has ended")
	err := errors.Join(w.Gate.close(), w.Snapshots.removeAll())
	if w.Ends != nil {
		err = errors.Join(err, w.Ends())
	}
	return err
}

// touch notes that the world is used.
func (w *World) touch(now time.Time) { w.asked.Store(now.UnixMilli()) }

// expired reports whether the world has no current user, and has been unused for too
// long.
func (w *World) expired(now time.Time) bool {
	return w.inside.Load() == 0 && now.After(w.Expires())
}

// Expires returns when the world expires unless it is used before.
func (w *World) Expires() time.Time { return time.UnixMilli(w.asked.Load()).Add(w.ttl).UTC() }
