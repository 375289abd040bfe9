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
	"sync/atomic"
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

	// Open opens the host of a world. Without a Directory, it decides where the records are
	// stored.
	Open func(context.Context, Opening) (*host.Host, error)

	// Opened adds data to a world before anybody can find it; may be nil.
	Opened func(*World)

	// Directory stores which worlds there are, so that they survive a restart; nil: they end
	// with this process.
	Directory Directory

	Most int         // limit of the sandboxes in this process; 0: Most
	Full func() bool // reports whether memory is too short for another sandbox; nil: whether the live heap exceeds 3/4 of GOMEMLIMIT, or 1 GiB without that
	Now  func() time.Time
	Log  *slog.Logger // for errors that no caller receives; nil: they are not logged
}

// Worlds are a main world and named sandboxes, which are removed when they are unused for
// too long, or when memory is short. Its methods may be called from any goroutine.
type Worlds struct {
	options Options
	log     *slog.Logger
	began   time.Time
	main    atomic.Pointer[World] // nil: another process runs it, or nobody does

	mu        sync.Mutex
	byName    map[string]*World   // with the main one
	opening   map[string]*opening // worlds that are being opened, or are ending, by name
	tidy      *time.Timer         // calls TidyUp
	ended     bool
	fetching  sync.WaitGroup     // the worlds of the directory that are being opened
	untilEnd  context.Context    // of them
	end       context.CancelFunc // ends it
	temporary string             // the folder of snapshots; "": not created yet
}

// opening is a world that is being opened, or is ending. Nobody else opens it meanwhile.
type opening struct {
	done chan struct{} // closed when it is open, could not be opened, or has ended
}

// New opens the main world, unless another process runs it.
func New(ctx context.Context, o Options) (*Worlds, error) {
	if o.Open == nil || o.Now == nil {
		return nil, errors.New("worlds: Open and Now must be given")
	}
	s := &Worlds{options: o, log: o.Log, began: o.Now(), byName: make(map[string]*World), opening: make(map[string]*opening)}
	s.untilEnd, s.end = context.WithCancel(context.Background())
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if o.Directory == nil {
		main, err := s.open(ctx, "", o.Config, nil)
		if err != nil {
			return nil, err
		}
		s.insert(main)
	} else if err := s.fetch(ctx, ""); err != nil {
		if _, elsewhere := errors.AsType[*Elsewhere](err); !elsewhere {
			s.stopOpening()
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tidy = time.AfterFunc(tidyEvery, s.TidyUp)
	return s, nil
}

// running reports whether New has succeeded.
func (s *Worlds) running() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tidy != nil
}

// Main returns the main world; nil: it does not run in this process.
func (s *Worlds) Main() *World { return s.main.Load() }

// Close ends all worlds in this process, and returns an error if not all data could be
// stored. Those of a [Directory] continue when they are claimed again.
func (s *Worlds) Close() error {
	ctx := context.Background()
	s.tidy.Stop()
	s.stopOpening() // or a world that is just being opened would stay
	err := s.GiveAll(ctx)
	if s.temporary != "" { // no snapshot can be saved any more
		err = errors.Join(err, os.RemoveAll(s.temporary))
	}
	return err
}

// givers is the number of worlds that are ended at once, at most.
const givers = 16

// stopOpening prevents further worlds from being opened, and waits until those being fetched from
// the directory have ended.
func (s *Worlds) stopOpening() {
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.end()
	s.fetching.Wait()
}

// GiveAll ends all worlds in this process, and gives them back to the [Directory].
func (s *Worlds) GiveAll(ctx context.Context) error {
	all := s.takeAll()
	errs := make([]error, len(all))
	slots := make(chan struct{}, givers)
	var giving sync.WaitGroup
	for i, w := range all {
		slots <- struct{}{}
		giving.Go(func() {
			defer func() { <-slots }()
			errs[i] = w.giveBack(ctx)
			s.drop(w.Name)
		})
	}
	giving.Wait()
	return errors.Join(errs...)
}

// Quit ends event listeners, and cancels current requests.
func (s *Worlds) Quit(why string) {
	for _, w := range s.here() {
		w.Events.end(why)
		w.Gate.Interrupt()
	}
}

// Order describes a new world.
type Order struct {
	Name    string // "": a generated name
	Config  host.Config
	Owner   string
	Labels  map[string]string
	TTL     time.Duration                       // real time without use until it expires; 0: an hour
	Until   time.Time                           // in real time, when it expires even if it is used; zero: never
	Prepare func(context.Context, *World) error // called before anybody can find the world; if it fails, the world is removed; may be nil
}

// Add opens a world with a free name.
func (s *Worlds) Add(ctx context.Context, o Order) (w *World, err error) {
	s.removeExpired(context.WithoutCancel(ctx))
	var name string
	for refused := 0; ; refused++ { // a generated name may be taken in the directory
		if name, err = s.reserve(o.Name, refused); err != nil {
			return nil, err
		}
		if err = s.makeRoom(); err == nil {
			if w, err = s.create(ctx, name, o); err == nil {
				return w, nil
			}
		}
		s.drop(name)
		if !errors.Is(err, ErrExists) {
			return nil, err
		}
		if o.Name != "" {
			return nil, refuse(Taken, "there is a sandbox %s already", name)
		}
	}
}

// create opens a new world whose name is reserved.
func (s *Worlds) create(ctx context.Context, name string, o Order) (w *World, err error) {
	ctx, asking := context.WithoutCancel(ctx), ctx
	now, ttl := s.options.Now(), cmp.Or(o.TTL, defaultTTL)
	var claim Claim
	if s.options.Directory != nil {
		claim, err = s.options.Directory.Create(ctx, name, Facts{
			Config: o.Config, Made: now, Asked: now, TTL: host.Duration(ttl), Owner: o.Owner, Labels: o.Labels, Until: o.Until,
		})
		if err != nil && !errors.Is(err, ErrExists) {
			err = s.refused(name, err)
		}
		if err != nil {
			return nil, err
		}
	}
	w, err = s.open(ctx, name, o.Config, claim)
	if err != nil {
		if claim != nil {
			_ = claim.Remove(ctx) // the first error explains more
		}
		return nil, err
	}
	w.Made, w.ttl = now, ttl
	w.Owner, w.Labels, w.Until = o.Owner, o.Labels, o.Until
	w.touch(now)
	if o.Prepare != nil {
		if err := o.Prepare(asking, w); err != nil {
			_ = w.remove(ctx) // the first error explains more
			return nil, err
		}
	}
	if !s.insert(w) {
		return nil, fmt.Errorf("%w: %w", ErrEnded, w.remove(ctx))
	}
	return w, nil
}

// insert adds an open world to the list, unless all worlds have ended, and reports whether it
// did.
func (s *Worlds) insert(w *World) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened(w.Name)
	if s.ended {
		return false
	}
	s.byName[w.Name] = w
	if w.Name == "" {
		s.main.Store(w)
	}
	if w.claim != nil {
		w.claim.OnLost(func() { s.endLostWorld(w) })
		go s.watch(w) // ends with the world
	}
	return true
}

// opened ends the opening of a world, and wakes the requests that wait for it; mu is held.
func (s *Worlds) opened(name string) {
	if o := s.opening[name]; o != nil {
		close(o.done)
		delete(s.opening, name)
	}
}

// reserve reserves a name, or generates one that no world has. refused is the number of generated
// names that were taken.
func (s *Worlds) reserve(name string, refused int) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := func(name string) bool { return s.byName[name] != nil || s.opening[name] != nil }
	if name != "" && taken(name) {
		return "", refuse(Taken, "there is a sandbox %s already", name)
	}
	for n := 1 + refused; name == ""; n++ {
		if box := "box-" + strconv.Itoa(n); !taken(box) {
			name = box
		}
	}
	s.opening[name] = &opening{make(chan struct{})}
	return name, nil
}

// drop ends the opening of a world that could not be opened.
func (s *Worlds) drop(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened(name)
}

// takeOut removes worlds from the list, so that they cannot be found any more. Their names
// are reserved until drop is called for each, when it has ended. It returns those that were
// in the list; mu is held.
func (s *Worlds) takeOut(all []*World) (out []*World) {
	for _, w := range all {
		if s.byName[w.Name] == w {
			delete(s.byName, w.Name)
			s.main.CompareAndSwap(w, nil)
			s.opening[w.Name] = &opening{make(chan struct{})}
			out = append(out, w)
		}
	}
	return out
}

// End ends a world, and removes it.
func (s *Worlds) End(ctx context.Context, w *World) error {
	s.mu.Lock()
	out := s.takeOut([]*World{w})
	s.mu.Unlock()
	err := w.remove(context.WithoutCancel(ctx))
	for range out {
		s.drop(w.Name)
	}
	return err
}

// takeAll removes all worlds from the list.
func (s *Worlds) takeAll() []*World {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.takeOut(s.listed())
}

// All returns the open sandboxes, by name.
func (s *Worlds) All() []*World {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.boxes()
}

// here returns the open worlds of this process, including the main one, by name.
func (s *Worlds) here() []*World {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.listed()
}

// listed is [Worlds.here] for callers that hold mu.
func (s *Worlds) listed() []*World {
	all := make([]*World, 0, len(s.byName))
	for _, name := range slices.Sorted(maps.Keys(s.byName)) {
		all = append(all, s.byName[name])
	}
	return all
}

// boxes is [Worlds.All] for callers that hold mu.
func (s *Worlds) boxes() []*World {
	return slices.DeleteFunc(s.listed(), func(w *World) bool { return w.Name == "" })
}

// notFound is the error for a world that does not exist.
func (s *Worlds) notFound(name string) error {
	if s.options.Directory == nil {
		return refuse(NotFound, "there is no sandbox %.40q; it may not have been asked for in a while, have come to its end, or have made room for others, or have ended with an earlier run of the server, which started at %s and does not keep sandboxes",
			name, s.began.UTC().Format(time.RFC3339))
	}
	return refuse(NotFound, "there is no sandbox %.40q; it may not have been asked for in a while, or have come to its end", name)
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
