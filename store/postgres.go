package store

import (
	"context"
	"fmt"
	"time"

	"github.com/cabrank/cabrank/store/postgresdb"
)

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
	done, err := d.turn(ctx)
	if err != nil {
		return err
	}
	defer done()
	return d.sharedPlace.copyTo(ctx, other)
}

// turn waits for the transaction that writes, and keeps others out until done.
func (d *sharedDisk) turn(ctx context.Context) (done func(), err error) {
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
