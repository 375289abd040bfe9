package worlds

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/simulator/host"
)

// World is a host that may be changed for another, with its events and snapshots.
type World struct {
	Name      string    // "": the main world
	Made      time.Time // by the wall
	Gate      *Gate
	Events    *Broker
	Snapshots Snapshots

	// What its owner has beside it, see [Options.Opened].
	Beside any
	Weighs func() int64 // the memory that it takes, about; nil: none
	Ends   func() error // last of all, since it may hear of what ends before; nil: nothing

	ttl    time.Duration // by the wall; 0: it stays
	asked  atomic.Int64  // when somebody last asked for it, in milliseconds of the wall since the Unix epoch
	inside atomic.Int64  // those who have asked, and not left
	close  func() error  // closing again returns the same
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

// Now reads the clock of the world.
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

// touch notes that somebody asks for the world.
func (w *World) touch(now time.Time) { w.asked.Store(now.UnixMilli()) }

// expired reports whether nobody is inside, or was in too long a time.
func (w *World) expired(now time.Time) bool {
	return w.inside.Load() == 0 && now.After(w.Expires())
}

// Expires is when the world ends unless somebody asks for it.
func (w *World) Expires() time.Time { return time.UnixMilli(w.asked.Load()).Add(w.ttl).UTC() }
