package host

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/simulator/vary"
	"github.com/cabrank/cabrank/store"
)

// Deps are the dependencies of a host, none of which affects what happens in its world.
type Deps struct {
	Now  func() time.Time     // the wall clock; required
	Log  *slog.Logger         // nil: silent
	HTTP dispatch.HTTPOptions // credentials, rate limit and version

	Place     store.Place   // where the records are; nil, or a file without a name: memory
	AnySeed   bool          // accept a database that has another seed, and use that seed; false: refuse it
	FreshSeed func() uint64 // returns the seed of a new database; nil: that of the Config

	// Remember stores in the records what a world otherwise has only in memory: the speed
	// of its clock and which clock callers use, the time of a clock that is moved by hand,
	// the /config settings set by [Host.SetSystem], and orders for later. A host that is
	// opened with such records continues with what they have, also if its Config says
	// otherwise.
	Remember bool

	// People are the users of new records; nil: those of the fixtures.
	People []fixtures.Person

	// World changes the world's options in ways that a Config cannot express; may be nil.
	World func(*simulator.Options)

	// Streets returns the town with a name, as [Streets] does; it is called
	// from several goroutines. Hosts may share a town, since towns never change. Nil:
	// [Streets].
	Streets func(name string) (*town.Town, error)
}

// Host is a running dispatch system. It is an [http.Handler] for the five operations; its
// methods may be called from any goroutine.
type Host struct {
	config  Config
	deps    Deps
	options simulator.Options
	close   func() error

	mu      sync.Mutex   // held while a world begins or ends, and for the members below
	records *store.Store // nil: they could not be opened
	resumed bool
	given   *time.Time // the requested start of the clock; nil: none
	began   time.Time  // start of the first world's clock
	follow  []func(*simulator.World)

	live atomic.Pointer[life]
	halt func() // stops the clock; nil: it is not running
}

// life is a world with its records, configuration and handler, until a restart replaces it.
type life struct {
	world   *simulator.World
	handler http.Handler
	records *store.Store
	config  Config
	town    *town.Town
	resumed bool
}

// Open creates a host, or continues one whose records are in the database. Its clock runs
// from now on, unless it is moved by hand. A [ConfigError] is an invalid field of the
// Config.
func Open(ctx context.Context, c Config, d Deps) (_ *Host, err error) {
	if d.Place == store.File("") {
		d.Place = nil
	}
	h := &Host{config: c, deps: d, given: c.Start}
	h.close = sync.OnceValue(h.shut)
	defer func() {
		if err != nil {
			err = errors.Join(err, h.Close())
		}
	}()
	if h.options, err = c.options(); err != nil {
		return nil, err
	}
	if err := h.start(ctx, d.People); err != nil {
		return nil, err
	}
	h.deps.AnySeed, h.deps.FreshSeed = true, nil // the seed has been chosen
	h.began = h.options.Start
	return h, nil
}

// start opens the records, and creates a world from them; new records get the people as
// users.
func (h *Host) start(ctx context.Context, people []fixtures.Person) (err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	streets := h.beginStreets()
	if err := h.openRecords(ctx); err != nil {
		return err
	}
	if h.options.Town, err = streets(); err != nil {
		return err
	}
	h.prepare()
	if err := h.begin(ctx); err != nil {
		return err
	}
	if err := h.rememberTime(h.World().Clock().Read()); err != nil { // settle waits for the disk
		return err
	}
	if err := h.createFirstUsers(ctx, people); err != nil {
		return err
	}
	h.run(ctx)
	return nil
}

// openRecords opens the database and uses the seed stored in it: ids depend
// on the seed.
func (h *Host) openRecords(ctx context.Context) (err error) {
	if h.records == nil { // a saved world has its own
		if h.records, err = h.deps.openRecords(ctx, h.storeOptions()); err != nil {
			return err
		}
	}
	kept, known := h.records.Meta("seed")
	if !known {
		if h.deps.FreshSeed != nil {
			h.config.Seed = h.deps.FreshSeed()
			h.options.Seed = h.config.Seed
		}
		// createFirstUsers commits later, and waits for the disk.
		_, err := h.records.QueueMeta("seed", strconv.FormatUint(h.config.Seed, 10))
		return err
	}
	seed, err := strconv.ParseUint(kept, 10, 64)
	if err != nil {
		return fmt.Errorf("the database's seed is %q: %w", kept, err)
	}
	if seed != h.config.Seed && !h.deps.AnySeed {
		return refuse("seed", " is %d and %s was begun with %d; leave it out, or begin another database", h.config.Seed, h.deps.Place, seed)
	}
	h.config.Seed, h.options.Seed = seed, seed
	return nil
}

// openRecords opens the records in their place.
func (d *Deps) openRecords(ctx context.Context, o store.Options) (*store.Store, error) {
	if d.Place == nil {
		return store.Open(ctx, "", o)
	}
	return d.Place.Open(ctx, o)
}

// storeOptions returns the options with which the records are opened.
func (h *Host) storeOptions() store.Options {
	return store.Options{
		RecentWindow: h.config.byTheWall(max(time.Duration(h.config.DuplicateWindow), time.Second)),
		Logger:       h.deps.Log,
		Now:          h.deps.Now,
	}
}

// prepare completes the options of the world.
func (h *Host) prepare() {
	o := &h.options
	o.Log = h.deps.Log
	o.Wall, o.Start = h.deps.Now, h.deps.Now()
	if h.config.Start != nil {
		o.Start = *h.config.Start
	}
	h.recallPace()
	o.IDs = h.config.ids()
	if h.deps.World != nil {
		h.deps.World(o)
	}
	_, h.resumed = h.records.Meta("people")
}

// begin creates the world from the records; mu is held.
func (h *Host) begin(ctx context.Context) error {
	h.recallWorld()
	world, err := simulator.New(ctx, h.records, h.options)
	if err != nil {
		return err
	}
	h.live.Store(&life{
		world: world, records: h.records, config: h.config, town: h.options.Town, resumed: h.resumed,
		handler: vary.Handler(world.Service().Handler(h.deps.Now, h.deps.HTTP), h.config.Variation, h.options.Seed),
	})
	for _, fn := range h.follow {
		fn(world)
	}
	return nil
}

// createFirstUsers creates the people as users in a new database; nil: the people of the fixtures.
func (h *Host) createFirstUsers(ctx context.Context, people []fixtures.Person) error {
	if h.resumed {
		return nil
	}
	if people == nil {
		people = fixtures.People()
	}
	if err := h.World().Populate(ctx, people); err != nil {
		return err
	}
	if _, err := h.keepPast(); err != nil {
		return err
	}
	return h.records.SetMeta(ctx, "people", "fixtures")
}

// metaPast is the key in the records for the Serial of the newest journey of the past.
const metaPast = "past"

// Populate creates users with their bookings, which belong to the world's past.
func (h *Host) Populate(ctx context.Context, people []fixtures.Person) error {
	if err := h.World().Populate(ctx, people); err != nil {
		return err
	}
	return h.endPast(ctx)
}

// endPast makes the journeys that there are the world's past, as those of a snapshot are.
func (h *Host) endPast(ctx context.Context) error {
	past, err := h.keepPast()
	if err != nil {
		return err
	}
	return past.Wait(ctx)
}

// keepPast is endPast without waiting for the disk: a later change does.
func (h *Host) keepPast() (store.Ticket, error) {
	return h.Records().QueueMeta(metaPast, strconv.FormatUint(h.Records().Serial(), 10))
}

// Past reports whether a journey was there when the world began. It began with its records,
// not when a server opened them again: a world may wake up in the middle of a test.
func (h *Host) Past(j *store.Snapshot) bool {
	text, _ := h.Records().Meta(metaPast)
	past, _ := strconv.ParseUint(text, 10, 64) // "": no past
	return j.Serial <= past
}

// Follow calls fn with the world, and later with each world that replaces it, before
// anything happens in it.
func (h *Host) Follow(fn func(*simulator.World)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.follow = append(h.follow, fn)
	fn(h.World())
}

// SetSpeed sets how many times faster than real time the clock runs, up to
// [simulator.MaxSpeed]; at 0 it stands still and is moved by hand.
func (h *Host) SetSpeed(ctx context.Context, speed int) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.World().Clock().SetSpeed(speed); err != nil {
		return err
	}
	h.options.Speed = speed
	h.run(ctx)
	return h.rememberPace(ctx)
}

// run runs the clock of a world that runs by itself, if it is not running, and logs its
// journeys; mu is held.
func (h *Host) run(ctx context.Context) {
	if h.options.Speed == 0 || h.halt != nil {
		return
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx)) // until the host is closed
	world := h.World()
	var running sync.WaitGroup
	silent := logJourneys(ctx, world, h.deps.Log, &running)
	running.Go(func() { world.Run(ctx) })
	h.halt = func() {
		stop()
		silent()
		running.Wait()
	}
}

// stopClock stops the clock; mu is held.
func (h *Host) stopClock() {
	if h.halt != nil {
		h.halt()
		h.halt = nil
	}
}

// ServeHTTP implements [http.Handler]: the five operations and the pages beside
// them.
func (h *Host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.live.Load().handler.ServeHTTP(w, r)
}

// World returns the town with its clock and cars. [Host.Restart] replaces it.
func (h *Host) World() *simulator.World { return h.live.Load().world }

// Records returns the store of the dispatch system.
func (h *Host) Records() *store.Store { return h.live.Load().records }

// Town returns the streets; nil on an open plane.
func (h *Host) Town() *town.Town { return h.live.Load().town }

// Config returns the world's configuration: the one given, with the seed of the database.
func (h *Host) Config() Config { return h.live.Load().config }

// Resumed reports whether the database was not empty.
func (h *Host) Resumed() bool { return h.live.Load().resumed }

// Restart ends the world and creates another with the same records at the same time of
// its clock, as if the process had been restarted: bookings continue, cars and drivers
// are assigned again, and orders for later end unless they are remembered. The old world completes its current requests.
// If Restart fails, the old world continues.
func (h *Host) Restart(ctx context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stopClock()
	defer h.run(ctx)
	clock := h.World().Clock().Read()
	h.options.Start = clock.Now
	h.options.Speed, h.options.Callers = clock.Speed, clock.Callers
	return h.begin(ctx)
}

// Close stops the clock and makes all bookings durable. The HTTP server must be stopped
// first, so that current requests complete. A second call returns the same result.
func (h *Host) Close() error { return h.close() }

func (h *Host) shut() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stopClock()
	if h.records == nil {
		return nil
	}
	return errors.Join(h.keepClock(), h.records.Close())
}

// metaClock is the key in the records for the time at which the world last ended, in
// milliseconds since the Unix epoch.
const metaClock = "clock"

// keepClock stores the time at which the world ends, for the next one. A store that fails
// here has lost more important data, and reports that itself.
func (h *Host) keepClock() error {
	if h.live.Load() == nil || h.records.Healthy() != nil {
		return nil
	}
	now := h.World().Clock().Now()
	return h.records.SetMeta(context.Background(), metaClock, milliseconds(now))
}

// stoppedAt returns when the world of a database ended; zero: the database is new, the
// process was killed, or the value cannot be read.
func (h *Host) stoppedAt() time.Time {
	text, kept := h.records.Meta(metaClock)
	if !kept {
		return time.Time{}
	}
	ms, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		if h.deps.Log != nil {
			h.deps.Log.Error("the world goes on at its last change: the database's clock cannot be read", "error", err)
		}
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
