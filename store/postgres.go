package store

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/cabrank/cabrank/store/postgresdb"
)

const (
	// commitTime is how long a commit may take: a database that hangs must not keep a store
	// from closing.
	commitTime = 10 * time.Second
	// readTime is how long reading may take. Changes wait while a record is read for a rule.
	readTime = 3 * time.Second
)

// sharedDisk stores the records of one world in PostgreSQL.
type sharedDisk struct {
	sharedPlace
	durability Durability
	patience   time.Duration // of commits

	writing sync.Mutex // held during a transaction that writes: one at a time, as with SQLite
}

func newSharedDisk(p sharedPlace, d Durability) *sharedDisk {
	return &sharedDisk{sharedPlace: p, durability: d, patience: commitTime}
}

func (d *sharedDisk) copyTo(ctx context.Context, to Place) error {
	other, err := d.sibling(to)
	if err != nil {
		return err
	}
	d.writing.Lock()
	defer d.writing.Unlock()
	return d.sharedPlace.copyTo(ctx, other)
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
