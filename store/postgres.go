package store

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store/postgresdb"
)

func (d *sharedDisk) journey(ctx context.Context, id taxi.JourneyID) (*Snapshot, error) {
	return sharedOne(ctx, d, scanJourney, "SELECT "+journeyColumns+" FROM journeys WHERE world = $1 AND id = $2", []byte(id))
}

func (d *sharedDisk) user(ctx context.Context, id taxi.UserID) (*User, error) {
	return sharedOne(ctx, d, scanUser, "SELECT "+userColumns+" FROM users WHERE world = $1 AND id = $2", []byte(id))
}

func (d *sharedDisk) userByPhone(ctx context.Context, digits taxi.E164) (*User, error) {
	return sharedOne(ctx, d, scanUser, "SELECT "+userColumns+" FROM users WHERE world = $1 AND phone = $2", []byte(digits))
}

func (d *sharedDisk) reply(ctx context.Context, key string) (*Reply, error) {
	return sharedOne(ctx, d, scanReply, "SELECT key, hash, status, at, body FROM replies WHERE world = $1 AND key = $2", []byte(key))
}

// sharedOne reads one record of the world. Changes wait for it one after the other, so that a database that does not
// answer is not asked by each of them.
func sharedOne[R any](ctx context.Context, d *sharedDisk, scan func(scanner) (*R, error), query string, arg any) (*R, error) {
	if d.silent.Load() {
		return nil, fmt.Errorf("%w: the database has just not answered", ErrUnavailable)
	}
	ctx, done := limited(ctx, readTime)
	r, err := scan(d.db.Pool().QueryRow(ctx, query, d.world, arg))
	if err = done(err); errors.Is(err, pgx.ErrNoRows) {
		return nil, ErrNotFound
	}
	if errors.Is(err, ErrUnavailable) && d.silent.CompareAndSwap(false, true) {
		time.AfterFunc(readTime, func() { d.silent.Store(false) })
	}
	if err != nil {
		return nil, sharedError(err)
	}
	return r, nil
}

func (d *sharedDisk) journeysBelow(ctx context.Context, serial uint64, n int) (page[Snapshot], error) {
	ctx, done := limited(ctx, readTime)
	p, err := sharedList(ctx, d, scanJourney,
		"SELECT "+journeyColumns+" FROM journeys WHERE world = $1 AND serial < $2 ORDER BY serial DESC LIMIT $3", int64(serial), n)
	return p, done(err)
}

func (d *sharedDisk) usersAfter(ctx context.Context, id taxi.UserID, n int) (page[User], error) {
	ctx, done := limited(ctx, readTime)
	p, err := sharedList(ctx, d, scanUser,
		"SELECT "+userColumns+" FROM users WHERE world = $1 AND id > $2 ORDER BY id LIMIT $3", []byte(id), n)
	return p, done(err)
}

func (d *sharedDisk) entries(ctx context.Context, n int) (page[Entry], error) {
	ctx, done := limited(ctx, readTime)
	p, err := sharedList(ctx, d, scanEntry, "SELECT id, body FROM log WHERE world = $1 ORDER BY id DESC LIMIT $2", n)
	return p, done(err)
}

// sharedList reads records of the world.
func sharedList[R any](ctx context.Context, d *sharedDisk, scan func(scanner) (*R, error), query string, args ...any) (page[R], error) {
	var p page[R]
	err := d.query(ctx, func(r rows) (err error) {
		p, err = collectPage(r, scan)
		return err
	}, query, args...)
	return p, err
}

// query runs a query whose first argument is the world.
func (d *sharedDisk) query(ctx context.Context, read func(rows) error, query string, args ...any) error {
	found, err := d.db.Pool().Query(ctx, query, append([]any{d.world}, args...)...)
	if err != nil {
		return sharedError(err)
	}
	defer found.Close()
	return sharedError(read(found))
}

func (d *sharedDisk) load(ctx context.Context, window time.Duration, recents int) (*startState, error) {
	if err := d.change(ctx, "read", func(*pgx.Batch) {}); err != nil {
		return nil, err
	}
	b := &startState{}
	if err := d.progress(ctx, b); err != nil || b.empty {
		return b, err
	}
	if err := d.live(ctx, b); err != nil {
		return nil, err
	}
	if err := d.query(ctx, func(r rows) (err error) {
		b.recent, err = collectRecent(r, b.latest.Add(-window))
		return err
	}, "SELECT id, user_id, created_at, fingerprint FROM journeys WHERE world = $1 ORDER BY serial DESC LIMIT $2", recents); err != nil {
		return nil, err
	}
	meta, err := sharedList(ctx, d, scanMeta, "SELECT key, value FROM meta WHERE world = $1")
	b.meta = meta.rows
	return b, err
}

// progress reads the world's counters, which outlive its journeys. It returns an error if
// there are records but no counters.
func (d *sharedDisk) progress(ctx context.Context, b *startState) error {
	var latest int64
	// A serial below a journey's would be used again, and its journey overwritten.
	row := d.db.Pool().QueryRow(ctx, "SELECT greatest(serial, (SELECT max(serial) FROM journeys WHERE world = $1)), latest FROM progress WHERE world = $1", d.world)
	err := row.Scan(&b.serial, &latest)
	removed := err == nil && b.serial == 0 && latest == 0
	switch {
	case removed, errors.Is(err, pgx.ErrNoRows): // no commit yet
		b.empty = true
		return d.nothing(ctx)
	case err != nil:
		return sharedError(err)
	}
	b.latest = fromMilli(latest)
	return nil
}

// live reads the journeys that have not ended, in order.
func (d *sharedDisk) live(ctx context.Context, b *startState) error {
	var first, last int64
	row := d.db.Pool().QueryRow(ctx,
		"SELECT coalesce(min(serial), 0), coalesce(max(serial), -1) FROM journeys WHERE world = $1 AND "+underWay, d.world)
	if err := row.Scan(&first, &last); err != nil {
		return sharedError(err)
	}
	all, err := readConcurrently(first, last, func(from, to int64) (page[Snapshot], error) {
		return sharedList(ctx, d, scanLive[pgtype.DriverBytes],
			"SELECT "+journeyColumns+" FROM journeys WHERE world = $1 AND "+underWay+" AND serial BETWEEN $2 AND $3 ORDER BY serial", from, to)
	})
	b.live, b.damaged = all.rows, all.damaged
	return err
}

// nothing returns an error if there are records without a progress row.
func (d *sharedDisk) nothing(ctx context.Context) error {
	var records bool
	row := d.db.Pool().QueryRow(ctx,
		"SELECT EXISTS (SELECT FROM journeys WHERE world = $1) OR EXISTS (SELECT FROM users WHERE world = $1)", d.world)
	if err := row.Scan(&records); err != nil {
		return sharedError(err)
	}
	if records {
		return noProgress()
	}
	return nil
}

const (
	// commitTime is how long a commit may take. Close waits no longer than closeTime for all.
	commitTime = 10 * time.Second
	// readTime is how long reading may take. Changes wait while a record is read for a rule.
	readTime = 3 * time.Second
	// changeTime is how long removing and copying records may take: as long as the server
	// lets a statement run.
	changeTime = time.Minute
	// exportTime is how long an export may take: changeTime for each of its statements.
	exportTime = 5 * changeTime
)

// sharedDisk stores the records of one world in PostgreSQL.
type sharedDisk struct {
	sharedPlace
	patience time.Duration // of commits
	silent   atomic.Bool   // a record was not read in time a moment ago

	writing chan struct{} // full during a transaction that writes: one at a time, as with SQLite
}

func newSharedDisk(p sharedPlace) *sharedDisk {
	return &sharedDisk{sharedPlace: p, patience: commitTime, writing: make(chan struct{}, 1)}
}

func (d *sharedDisk) copyTo(ctx context.Context, to Place) error {
	other, err := d.sibling(to)
	if err != nil {
		return err
	}
	done, err := d.lockWriter(ctx)
	if err != nil {
		return err
	}
	defer done()
	return d.sharedPlace.copyTo(ctx, other)
}

// lockWriter waits until nobody else in this process writes; done lets the next one write.
func (d *sharedDisk) lockWriter(ctx context.Context) (done func(), err error) {
	select {
	case d.writing <- struct{}{}:
		return func() { <-d.writing }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("write to %s: %w", d, context.Cause(ctx))
	}
}

// close does nothing: the connections are those of all worlds.
func (d *sharedDisk) close() error { return nil }

// limited limits the time of a request. done ends it and converts its error: the time limit is
// that of a database that does not answer, which a caller must not take for its own.
func limited(ctx context.Context, most time.Duration) (_ context.Context, done func(error) error) {
	short, cancel := context.WithTimeout(ctx, most)
	return short, func(err error) error {
		late := short.Err() != nil && ctx.Err() == nil
		cancel()
		if err != nil && late {
			return fmt.Errorf("%w: the database does not answer: %s", ErrUnavailable, postgresdb.Explain(err).Error())
		}
		return err
	}
}
