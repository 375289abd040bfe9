package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

// Saved is a world as it was at one moment: its records, its clock and what /config
// answers. Cars without a job are not kept: they are at their ranks again in a world that
// goes on from it, as after a restart.
type Saved struct {
	Config Config
	Clock  simulator.Reading
	Live   int // journeys that had not ended

	system taxi.ConfigResponse
	image  *store.Image // of records in memory; nil: they are in a file
	path   string       // … which is here
}

// Save saves the world as it is now. Records that are in a database are copied to path,
// a file that is not there yet; those in memory stay there, and path is left alone.
// Everybody else waits meanwhile.
func (h *Host) Save(ctx context.Context, path string) (*Saved, error) {
	l := h.live.Load()
	s := &Saved{Config: l.config, Clock: l.world.Clock().Read(), system: l.world.Service().System()}
	now, leave := l.world.Enter()
	defer leave()
	s.Clock.Now, s.Live = now, len(l.records.AllLive())
	if _, err := l.records.KeepMeta(metaClock, strconv.FormatInt(now.UnixMilli(), 10)); err != nil {
		return nil, fmt.Errorf("save the world: %w", err)
	}
	if s.image = l.records.Image(); s.image != nil {
		return s, nil
	}
	s.path = path
	if err := l.records.CopyTo(ctx, path); err != nil {
		return nil, fmt.Errorf("save the world: %w", errors.Join(err, s.Remove()))
	}
	return s, nil
}

// CopyTo writes the records into a new database file at path, which "serve --db" takes.
func (s *Saved) CopyTo(ctx context.Context, path string) error {
	if s.image != nil {
		return s.image.CopyTo(ctx, path)
	}
	return copyFile(s.path, path)
}

// Remove removes the file of a saved world, if it has one.
func (s *Saved) Remove() error {
	if s.path == "" {
		return nil
	}
	return os.Remove(s.path)
}

// put makes the records of a saved world those of a host that has none.
func (s *Saved) put(h *Host) error {
	switch {
	case s.image != nil && h.deps.Database == "":
		h.records = store.FromImage(s.image, h.keeping())
		return nil
	case s.image == nil && h.deps.Database != "":
		return copyFile(s.path, h.deps.Database)
	}
	return errors.New("the world was saved by a host that keeps its records otherwise")
}

// copyFile copies a file to a place where there is none, for its owner's eyes only.
func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// reached makes what a world is made from such that it goes on from here.
func (s *Saved) reached(c Config, o *simulator.Options) Config {
	c.Seed, c.TownSeed, c.Town = s.Config.Seed, s.Config.TownSeed, s.Config.Town
	at := s.Clock.Now.Truncate(time.Millisecond)
	c.Start = &at
	o.Seed, o.Speed, o.CallersByWorld, o.System = c.Seed, s.Clock.Speed, s.Clock.CallersByWorld, s.system
	return c
}
