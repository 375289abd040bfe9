package worlds

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/host"
)

// Limits of sandboxes.
const (
	Most       = 200
	defaultTTL = time.Hour
	tidyEvery  = time.Minute
)

// Options configures [Worlds]. Open and Now are required.
type Options struct {
	// Config configures the main world.
	Config host.Config

	// Open opens the host of a world; "" is the main one. It decides where the records
	// are stored.
	Open func(ctx context.Context, name string, c host.Config) (*host.Host, error)

	// Opened adds data to a world before anybody can find it; may be nil.
	Opened func(*World)

	MostBytes int64 // limit of the approximate memory of all sandboxes; 0: MostBytes
	Now       func() time.Time
	Log       *slog.Logger // for errors that no caller receives; nil: they are not logged
}

// Worlds are a main world and named sandboxes, which are removed when they are unused for
// too long or use too much memory. Its methods may be called from any goroutine.
type Worlds struct {
	Main *World

	options Options
	log     *slog.Logger

	mu        sync.Mutex
	byName    map[string]*World      // nil: it is being opened
	orders    map[string]host.Config // of the sandboxes that are being opened, by name
	tidy      *time.Timer            // calls TidyUp
	ended     bool
	temporary string // the folder of snapshots; "": not created yet
}

// New opens the main world.
func New(ctx context.Context, o Options) (*Worlds, error) {
	if o.Open == nil || o.Now == nil {
		return nil, errors.New("worlds: Open and Now must be given")
	}
	s := &Worlds{options: o, log: o.Log, byName: make(map[string]*World), orders: make(map[string]host.Config)}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	main, err := s.open(ctx, "", o.Config)
	if err != nil {
		return nil, err
	}
	s.Main = main
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tidy = time.AfterFunc(tidyEvery, s.TidyUp)
	return s, nil
}

// Close ends all worlds, and returns an error if not all data could be stored.
func (s *Worlds) Close() error {
	others := s.takeAll()
	s.tidy.Stop()
	errs := []error{s.Main.close()}
	for _, w := range others {
		errs = append(errs, w.close())
	}
	if s.temporary != "" { // no snapshot can be saved any more
		errs = append(errs, os.RemoveAll(s.temporary))
	}
	return errors.Join(errs...)
}

// Quit ends event listeners, and cancels current requests.
func (s *Worlds) Quit(why string) {
	for _, w := range append(s.All(), s.Main) {
		w.Events.end(why)
		w.Gate.Interrupt()
	}
}

// Order describes a new world.
type Order struct {
	Name    string // "": a generated name
	Config  host.Config
	TTL     time.Duration                       // real time without use until it expires; 0: an hour
	Prepare func(context.Context, *World) error // called before anybody can find the world; if it fails, the world is removed; may be nil
}

// Add opens a world with a free name.
func (s *Worlds) Add(ctx context.Context, o Order) (*World, error) {
	s.TidyUp()
	name, err := s.reserve(o.Name, o.Config)
	if err != nil {
		return nil, err
	}
	w, err := s.open(context.WithoutCancel(ctx), name, o.Config)
	if err == nil && o.Prepare != nil {
		if err = o.Prepare(ctx, w); err != nil {
			_ = w.close() // the first error explains more
		}
	}
	if err != nil {
		s.drop(name)
		return nil, err
	}
	w.Made, w.ttl = s.options.Now(), cmp.Or(o.TTL, defaultTTL)
	w.touch(w.Made)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.orders, name)
	if s.ended {
		return nil, fmt.Errorf("%w: %w", ErrEnded, w.close())
	}
	s.byName[name] = w
	return w, nil
}

// reserve reserves a name, or generates one, and the memory of the new world.
func (s *Worlds) reserve(name string, c host.Config) (string, error) {
	weights := s.weigh()
	s.mu.Lock()
	name, err := s.free(name)
	var ends []*World
	if err == nil {
		ends, err = s.makeRoom(c, weights)
	}
	if err == nil {
		s.byName[name], s.orders[name] = nil, c
	}
	s.mu.Unlock()
	s.endSurplus(ends)
	return name, err
}

// free returns a generated name that no world has; mu is held.
func (s *Worlds) free(name string) (string, error) {
	if len(s.byName) >= Most {
		return "", refuse(TooMany, "there are %d sandboxes already; end one, or wait until one has not been asked for in a while", Most)
	}
	if _, taken := s.byName[name]; taken {
		return "", refuse(Taken, "there is a sandbox %s already", name)
	}
	for n := 1; name == ""; n++ {
		if _, taken := s.byName["box-"+strconv.Itoa(n)]; !taken {
			name = "box-" + strconv.Itoa(n)
		}
	}
	return name, nil
}

func (s *Worlds) drop(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byName, name)
	delete(s.orders, name)
}

// End ends a world.
func (s *Worlds) End(w *World) error {
	s.mu.Lock()
	if s.byName[w.Name] == w {
		delete(s.byName, w.Name)
	}
	s.mu.Unlock()
	return w.close()
}

// takeAll removes all sandboxes from the list permanently.
func (s *Worlds) takeAll() []*World {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.opened()
	s.ended, s.byName = true, make(map[string]*World)
	return all
}

// All returns the open sandboxes, by name.
func (s *Worlds) All() []*World {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opened()
}

// opened is All; mu is held.
func (s *Worlds) opened() []*World {
	all := make([]*World, 0, len(s.byName))
	for _, name := range slices.Sorted(maps.Keys(s.byName)) {
		if w := s.byName[name]; w != nil {
			all = append(all, w)
		}
	}
	return all
}

// Find returns a world, unless it has expired. It does not count as use of the world.
func (s *Worlds) Find(name string) (*World, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unexpired(name)
}

// unexpired is Find; mu is held.
func (s *Worlds) unexpired(name string) (*World, error) {
	w := s.byName[name]
	if w == nil || w.expired(s.options.Now()) {
		return nil, refuse(NotFound, "there is no sandbox %.40q; it may not have been asked for in a while, or have made room for others", name)
	}
	return w, nil
}

// Ask returns a world that does not expire until leave is called.
func (s *Worlds) Ask(name string) (w *World, leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if w, err = s.unexpired(name); err != nil {
		return nil, nil, err
	}
	w.touch(s.options.Now())
	w.inside.Add(1)
	return w, func() {
		w.touch(s.options.Now())
		w.inside.Add(-1)
	}, nil
}

// TidyUp removes expired worlds, and further ones if all use too much memory. It runs
// every minute.
func (s *Worlds) TidyUp() {
	for _, w := range s.takeExpired() {
		s.end(w)
	}
	s.shrink()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended {
		s.tidy.Reset(tidyEvery)
	}
}

// end ends a world that was taken out.
func (s *Worlds) end(w *World) {
	if err := w.close(); err != nil {
		s.log.Warn("a sandbox that nobody asked for could not be ended", "sandbox", w.Name, "error", err)
	}
}

// takeExpired takes expired worlds out of the list.
func (s *Worlds) takeExpired() (expired []*World) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.options.Now()
	for _, w := range s.opened() {
		if w.expired(now) {
			expired = append(expired, w)
			delete(s.byName, w.Name)
		}
	}
	return expired
}

// Folder returns the folder of snapshots, which only the owner can read. It is removed
// with the worlds.
func (s *Worlds) Folder() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return "", ErrEnded
	}
	if s.temporary == "" {
		var err error
		if s.temporary, err = os.MkdirTemp("", "cabrank-snapshots-"); err != nil {
			return "", fmt.Errorf("a folder for snapshots: %w", err)
		}
	}
	return s.temporary, nil
}
