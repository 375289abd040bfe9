package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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

// InMemory counts what a saved world has in memory; nothing if its records are in a file.
func (s *Saved) InMemory() store.InMemory {
	if s.image == nil {
		return store.InMemory{}
	}
	return s.image.InMemory()
}

// CopyTo writes the records into a new database file at path, which "serve --db" takes.
func (s *Saved) CopyTo(ctx context.Context, path string) error {
	if s.image != nil {
		return s.image.CopyTo(ctx, path)
	}
	return copyFile(s.path, path)
}

// Remove removes the file of a saved world, if it has one that is there.
func (s *Saved) Remove() error {
	if s.path == "" {
		return nil
	}
	if err := os.Remove(s.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// fetch brings the records of a saved world to where those of a host are, beside them.
// The host goes on with them once it has none and put is called.
func (s *Saved) fetch(h *Host) (put func() error, err error) {
	switch {
	case s.image != nil && h.deps.Database == "":
		return func() error {
			h.records = store.FromImage(s.image, h.keeping())
			return nil
		}, nil
	case s.image == nil && h.deps.Database != "":
		path, err := filepath.EvalSymlinks(h.deps.Database)
		if err != nil {
			return nil, err
		}
		fetched := path + ".restore"
		if err := os.Remove(fetched); err != nil && !errors.Is(err, fs.ErrNotExist) { // of a process that was killed
			return nil, err
		}
		if err := copyFile(s.path, fetched); err != nil {
			_ = os.Remove(fetched) // half a database is none; it may not be there
			return nil, err
		}
		return func() error { return os.Rename(fetched, path) }, nil
	}
	return nil, errors.New("the world was saved by a host that keeps its records otherwise")
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
	o.Seed, o.Speed, o.Callers, o.System = c.Seed, s.Clock.Speed, s.Clock.Callers, s.system
	return c
}
