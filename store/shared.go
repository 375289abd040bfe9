package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/cabrank/cabrank/store/postgresdb"
)

// Shared returns the [Place] of a world in a database that several processes share. The caller
// has taken the world with this epoch; see package leases. Once another process has taken it,
// changes fail with [ErrFenced]. A name such as "ann@before" is that of a copy of the world
// "ann", under the epoch of "ann".
func Shared(db *postgresdb.DB, world string, epoch int64) Place {
	return sharedPlace{db: db, world: world, epoch: epoch}
}

// sharedPlace is a [Place] in PostgreSQL.
type sharedPlace struct {
	db    *postgresdb.DB
	world string
	epoch int64
}

// String implements [Place].
func (p sharedPlace) String() string { return fmt.Sprintf("world %q in %s", p.world, p.db) }

// Open implements [Place].
func (p sharedPlace) Open(ctx context.Context, o Options) (*Store, error) {
	s, err := openOn(ctx, newSharedDisk(p), o)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", p, err)
	}
	return s, nil
}

// Remove implements [Place]. The number of the removal stays, so that an earlier commit that
// arrives late is refused.
func (p sharedPlace) Remove(ctx context.Context) error {
	return p.change(ctx, "remove", func(b *pgx.Batch) {
		number := p.queueRemoval(b)
		if p.world == p.owner() { // not a copy, to which nobody commits
			b.Queue("INSERT INTO progress (world, epoch, number, serial, latest) VALUES ($1, $2, $3, 0, 0)", p.world, p.epoch, number)
		}
	})
}

// queueRemoval removes the records and their progress, as the commit with a number.
func (p sharedPlace) queueRemoval(b *pgx.Batch) (number int64) {
	number = p.db.Number()
	b.Queue("SELECT begin_commit($1, $2, $3, 0, 0)", p.world, p.epoch, number)
	b.Queue("SELECT remove_records($1, $1 || chr(1))", p.world)
	return number
}

// Fetch implements [Place]. The copy is made by put: the other records stay until then.
func (p sharedPlace) Fetch(ctx context.Context, from Place) (put func(context.Context) error, err error) {
	other, err := p.sibling(from)
	if err != nil {
		return nil, err
	}
	ctx, done := limited(ctx, readTime)
	var there bool
	row := p.db.Pool().QueryRow(ctx, "SELECT EXISTS (SELECT FROM progress WHERE world = $1)", other.world)
	if err := done(row.Scan(&there)); err != nil {
		return nil, fmt.Errorf("find %s: %w", other, sharedError(err))
	}
	if !there {
		return nil, fmt.Errorf("find %s: %w", other, ErrNotFound)
	}
	return func(ctx context.Context) error { return other.copyTo(ctx, p) }, nil
}

// sibling returns other as a place under the same lease, or an error if it is not one.
func (p sharedPlace) sibling(other Place) (sharedPlace, error) {
	o, ok := other.(sharedPlace)
	if !ok || o.db != p.db || o.owner() != p.owner() || o.epoch != p.epoch {
		return sharedPlace{}, fmt.Errorf("%s is not a copy of %s", other, p)
	}
	return o, nil
}

// owner returns the world whose lease covers the place.
func (p sharedPlace) owner() string {
	owner, _, _ := strings.Cut(p.world, "@")
	return owner
}

// copyTo replaces the records of a sibling with a copy.
func (p sharedPlace) copyTo(ctx context.Context, to sharedPlace) error {
	return p.change(ctx, "copy", func(b *pgx.Batch) {
		number := to.queueRemoval(b)
		for _, t := range recordTables {
			p.queueCopy(b, to, t.name, t.columns)
		}
		b.Queue(`INSERT INTO progress (world, epoch, number, serial, latest)
			SELECT $2, $3, $4, serial, latest FROM progress WHERE world = $1`, p.world, to.world, to.epoch, number)
	})
}

func (p sharedPlace) queueCopy(b *pgx.Batch, to sharedPlace, table, columns string) {
	b.Queue(fmt.Sprintf("INSERT INTO %[1]s (world, %[2]s) SELECT $2, %[2]s FROM %[1]s WHERE world = $1", table, columns), p.world, to.world)
}

// change runs statements in a transaction that fails if the world has another epoch. If the
// connection is lost, they are run again: repeating them must do no harm.
func (p sharedPlace) change(ctx context.Context, what string, queue func(*pgx.Batch)) error {
	ctx, done := limited(ctx, changeTime)
	err := done(p.db.Repeat(ctx, func() (*pgx.Batch, error) {
		b := &pgx.Batch{}
		b.Queue("SELECT fence($1, $2)", p.world, p.epoch)
		queue(b)
		return b, nil
	}))
	if err != nil {
		return fmt.Errorf("%s %s: %w", what, p, sharedError(err))
	}
	return nil
}

// sharedError converts an error of the database to one of this package, with advice for a cure.
func sharedError(err error) error {
	err = postgresdb.Explain(err)
	if errors.Is(err, postgresdb.ErrFenced) {
		return fmt.Errorf("%w: %w", ErrFenced, err)
	}
	return unavailable(err)
}
