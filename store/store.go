package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store/sqlitedb"
)

// Options configures a store; the zero value suits most uses.
type Options struct {
	Cached       int           // idle records of each kind in memory; 0: 100,000
	Queue        int           // changed records that may wait for the disk before Apply refuses; 0: 65,536
	RecentWindow time.Duration // how long creations are found by fingerprint; 0: 60 s
	RecentLimit  int           // maximum of such creations; 0: 200,000
	Logger       *slog.Logger  // logs when the disk fails and recovers; nil: silent

	Now func() time.Time // real time, to measure commits for [Store.Stats]; nil: not measured
}

func (o Options) withDefaults() Options {
	if o.Cached <= 0 {
		o.Cached = 100_000
	}
	if o.Queue <= 0 {
		o.Queue = 1 << 16
	}
	if o.RecentWindow <= 0 {
		o.RecentWindow = time.Minute
	}
	if o.RecentLimit <= 0 {
		o.RecentLimit = 200_000
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// Store stores the records of dispatch. It is safe for concurrent use.
type Store struct {
	disk      disk // nil: memory only
	log       *slog.Logger
	wall      func() time.Time // nil: commits are not timed
	maxQueued int              // records that may wait for the disk
	damaged   []*Damage        // journeys under way that could not be read

	mu       sync.RWMutex // locked for changes, read-locked for reading
	tx       Tx           // the change being applied
	journeys table[taxi.JourneyID, Snapshot]
	users    table[taxi.UserID, User]
	replies  table[string, Reply]
	meta     table[string, metaEntry]
	live     map[taxi.UserID]*journeySlot // the first of a user's journeys that have not ended
	phones   map[taxi.E164]*userSlot      // users in memory, by digits
	recent   *recent
	serial   uint64    // the highest used
	latest   time.Time // the newest UpdatedAt
	epoch    uint64    // +1 whenever the contents of the disk have changed
	failing  error     // why the last group could not be committed
	closed   bool
	open     *group // group that collects changes; nil: none yet
	last     *group // latest group that is not durable; nil: all are
	writing  int    // records in the group being committed
	entries  Log    // of the log beside the records; nil: there is none
	commits  Commits

	changed chan struct{} // there is something to commit
	wake    chan struct{} // … and somebody waits for it
	fenced  chan struct{} // closed: another process has the world
	closing chan struct{}
	stopped chan struct{}           // the committer has ended
	giveUp  context.CancelCauseFunc // ends the commit under way, and those after it
	close   func() error
}

// Memory returns a store without a disk. A change counts as durable at once, and all records
// are lost with the store. Only [Store.Prune] removes records, and a record is encoded only
// when its JSON is read.
func Memory() *Store { return memory(Options{}) }

func memory(o Options) *Store {
	s := newStore(nil, o.withDefaults())
	s.close = func() error { return nil }
	return s
}

// Open opens or creates the database file at path and loads the live journeys into memory;
// with an empty path it is a [Memory]. It refuses a file that is not a store's, one written
// by a newer version, and one that another process has open.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	if path == "" {
		return memory(o), nil
	}
	d, err := openSQLite(ctx, path, sqlitedb.Full)
	if err != nil {
		return nil, err
	}
	if n := d.db.Behind(); n > 0 && o.Logger != nil {
		o.Logger.ErrorContext(ctx, "the write-ahead log is damaged, or its process was killed within a large change; SQLite does not read the pages behind", "file", path+"-wal", "pages", n)
	}
	s, err := openOn(ctx, d, o)
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, errors.Join(err, d.close()))
	}
	return s, nil
}

// openOn starts a store over a disk.
func openOn(ctx context.Context, d disk, o Options) (*Store, error) {
	o = o.withDefaults()
	s := newStore(d, o)
	from, err := d.load(ctx, o.RecentWindow, o.RecentLimit)
	if err != nil {
		return nil, err
	}
	if err := s.loadStart(from, o.Cached); err != nil {
		return nil, err
	}
	s.close = sync.OnceValue(s.shutDown)
	var untilGivenUp context.Context
	untilGivenUp, s.giveUp = context.WithCancelCause(context.Background())
	go s.commitUntilClosed(untilGivenUp) // ends with Close
	return s, nil
}

func newStore(d disk, o Options) *Store {
	s := &Store{
		disk:      d,
		log:       o.Logger,
		wall:      o.Now,
		maxQueued: o.Queue,
		live:      make(map[taxi.UserID]*journeySlot),
		phones:    make(map[taxi.E164]*userSlot),
		recent:    &recent{window: o.RecentWindow, limit: o.RecentLimit, byKey: make(map[recentKey]recentEntry)},
		changed:   make(chan struct{}, 1),
		wake:      make(chan struct{}, 1),
		fenced:    make(chan struct{}),
		closing:   make(chan struct{}),
		stopped:   make(chan struct{}),
		commits:   Commits{Took: newHistogram(commitBounds), Records: newHistogram(groupBounds)},
	}
	s.tx.s = s
	s.journeys = newTable[taxi.JourneyID, Snapshot](s.indexJourney, nil)
	s.journeys.mustHold = (*Snapshot).live
	s.journeys.onRead = func(snap *Snapshot) { snap.markShared() }
	if d == nil {
		s.journeys.onReplace = s.tx.recycle
	}
	s.users = newTable[taxi.UserID](s.indexUser, s.forgetUser)
	s.replies = newTable[string, Reply](nil, nil)
	s.meta = newTable[string, metaEntry](nil, nil)
	return s
}

// loadStart loads the initial state from the disk.
func (s *Store) loadStart(from *startState, cached int) error {
	s.serial, s.latest, s.damaged = from.serial, from.latest, from.damaged
	s.logDamaged(from.damaged)
	s.journeys.complete, s.users.complete, s.replies.complete = from.empty, from.empty, from.empty
	if err := errors.Join(s.journeys.limit(cached), s.users.limit(cached), s.replies.limit(cached)); err != nil {
		return err
	}
	s.journeys.load, s.users.load, s.replies.load = s.disk.journey, s.disk.user, s.disk.reply
	s.journeys.held = make(map[taxi.JourneyID]*journeySlot, len(from.live))
	s.live = make(map[taxi.UserID]*journeySlot, len(from.live))
	for _, snap := range from.live {
		s.journeys.cache(snap.JourneyID, snap)
	}
	for _, j := range from.recent {
		s.recent.add(j)
	}
	for _, m := range from.meta {
		s.meta.cache(m.key, m)
	}
	return nil
}

// Healthy returns nil while changes are accepted, and otherwise an error that wraps
// [ErrUnavailable] and gives the reason.
func (s *Store) Healthy() error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.refusal()
}

// refusal returns why changes are refused, or nil. The lock is held.
func (s *Store) refusal() error {
	switch {
	case s.closed:
		return fmt.Errorf("%w: it is closed", ErrUnavailable)
	case s.failing != nil:
		return fmt.Errorf("%w: %w", ErrUnavailable, s.failing)
	case s.queued() >= s.maxQueued:
		return fmt.Errorf("%w: %d changed records wait for the disk", ErrUnavailable, s.queued())
	}
	return nil
}

// Fenced returns a channel that is closed when a commit was refused with [ErrFenced]. From
// then on all changes are refused, and nothing is tried again: the store has to be closed, and
// what was read from it since the last commit may be wrong. The channel of a store that is not
// [Shared] is never closed.
func (s *Store) Fenced() <-chan struct{} { return s.fenced }

// fence returns the [ErrFenced] of a fenced store, or nil.
func (s *Store) fence() error {
	select {
	case <-s.fenced:
		return ErrFenced
	default:
		return nil
	}
}

// Damaged returns the damaged live journeys that were found when the database was opened. It
// does not include damaged records that are found later.
func (s *Store) Damaged() []*Damage { return s.damaged }

// logDamaged logs records that a list omits.
func (s *Store) logDamaged(damaged []*Damage) {
	for _, d := range damaged {
		s.log.Error("a record is set aside, and its row left as it is", "table", d.Table, "key", d.Key, "error", d.Err)
	}
}

// queued counts the changed records that are not yet durable.
func (s *Store) queued() int {
	return s.writing + len(s.journeys.queue) + len(s.users.queue) + len(s.replies.queue) + len(s.meta.queue)
}

// Close refuses further changes, makes all queued ones durable and closes the database.
// The error says what could not be stored. Closing again returns the same. A shared database
// that hangs is given up after ten seconds.
func (s *Store) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	return s.close()
}

func (s *Store) shutDown() error {
	hangs := time.AfterFunc(closeTime, func() { s.giveUp(errHangs) })
	close(s.closing)
	<-s.stopped
	hangs.Stop()
	s.giveUp(nil)
	var lost error
	if n := s.queued(); n > 0 {
		lost = fmt.Errorf("%w: changed records lost: %d: %w", ErrUnavailable, n, s.failing)
	}
	return errors.Join(lost, s.disk.close())
}
