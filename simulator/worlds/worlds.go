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

// Limits of worlds beside the main one.
const (
	Most       = 200
	defaultTTL = time.Hour
	tidyEvery  = time.Minute
)

// Options is what [Worlds] are made from. Open and Now must be given.
type Options struct {
	// Config is what the main world is made from.
	Config host.Config

	// Open opens the host of a world; "" is the main one. It says where records are kept.
	Open func(ctx context.Context, name string, c host.Config) (*host.Host, error)

	// Opened adds to a world what its owner has beside it, before anybody finds it. Nil: nothing.
	Opened func(*World)

	MostBytes int64 // that worlds may take of memory together, about; 0: MostBytes
	Now       func() time.Time
	Log       *slog.Logger // errors that no caller receives; nil: they are not logged
}

// Worlds are a main world and others under names, which end when nobody has asked for them in a while
// or when they take too much memory. Its methods may be called from any goroutine.
type Worlds struct {
	Main *World

	options Options
	log     *slog.Logger

	mu        sync.Mutex
	byName    map[string]*World      // nil: it is being opened
	orders    map[string]host.Config // of those that are being opened, by name
	tidy      *time.Timer            // looks for those that nobody asks any more
	ended     bool
	temporary string // the folder of snapshots; "": there is none yet
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

// Close ends every world, and returns what could not be kept.
func (s *Worlds) Close() error {
	others := s.takeAll()
	s.tidy.Stop()
	errs := []error{s.Main.close()}
	for _, w := range others {
		errs = append(errs, w.close())
	}
	if s.temporary != "" { // nobody makes one any more
		errs = append(errs, os.RemoveAll(s.temporary))
	}
	return errors.Join(errs...)
}

// Quit ends those who listen to a world, and tells those inside that they are to leave.
func (s *Worlds) Quit(why string) {
	for _, w := range append(s.All(), s.Main) {
		w.Events.end(why)
		w.Gate.Interrupt()
	}
}

// Order asks for a world.
type Order struct {
	Name    string // "": one is made up
	Config  host.Config
	TTL     time.Duration                       // how long it stays after somebody has last asked for it, by the wall; 0: an hour
	Prepare func(context.Context, *World) error // before anybody finds it; a world that it refuses is none. Nil: nothing
}

// Add opens a world under a name that is free.
func (s *Worlds) Add(ctx context.Context, o Order) (*World, error) {
	s.TidyUp()
	name, err := s.reserve(o.Name, o.Config)
	if err != nil {
		return nil, err
	}
	w, err := s.open(context.WithoutCancel(ctx), name, o.Config)
	if err == nil && o.Prepare != nil {
		if err = o.Prepare(ctx, w); err != nil {
			_ = w.close() // the failure says more
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

// reserve takes a name, or makes one up, and the memory that the order is for.
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

// free is a name that no world has; mu is held.
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

// takeAll takes all worlds out but the main one, for good.
func (s *Worlds) takeAll() []*World {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.opened()
	s.ended, s.byName = true, make(map[string]*World)
	return all
}

// All returns the worlds that are open, by name, without the main one.
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

// Find finds a world, unless nobody has asked for it in too long a time. To find it is not to ask for it.
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

// Ask finds a world that does not expire until leave is called.
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

// TidyUp ends the worlds that nobody has asked for in too long a time, and some more if all take too
// much memory. It happens each minute.
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

// takeExpired takes out the worlds that nobody has asked for in too long a time.
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

// Folder is where snapshots are, which nobody else can read. It ends with the worlds.
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
