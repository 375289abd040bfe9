package store

import (
	"context"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// disk is the database behind the memory: SQLite or PostgreSQL. Reading a single record that does
// not exist returns [ErrNotFound]. Only the committer calls flush; the other methods may be
// called at any time from any goroutine.
type disk interface {
	// load returns the initial contents of memory.
	load(ctx context.Context, window time.Duration, recents int) (*startState, error)

	journey(ctx context.Context, id taxi.JourneyID) (*Snapshot, error)
	user(ctx context.Context, id taxi.UserID) (*User, error)
	userByPhone(ctx context.Context, digits taxi.E164) (*User, error)
	reply(ctx context.Context, key string) (*Reply, error)

	// journeysBelow returns at most n journeys with serials below the given one,
	// the highest first.
	journeysBelow(ctx context.Context, serial uint64, n int) (page[Snapshot], error)
	// usersAfter returns at most n users with ids above the given one, in order.
	usersAfter(ctx context.Context, id taxi.UserID, n int) (page[User], error)

	// entries returns the n entries of the log with the highest ids, the highest first.
	entries(ctx context.Context, n int) (page[Entry], error)

	// flush makes a batch durable, all of it or nothing. A file needs no time limit.
	flush(ctx context.Context, b *batch) error
	// prune deletes at most n old records of each kind, and returns their ids.
	prune(ctx context.Context, before Before, n int) (pruned, error)
	// copyTo writes the committed records to a new place of the same kind.
	copyTo(ctx context.Context, to Place) error

	close() error
}

// startState is read when a database is opened.
type startState struct {
	live    []*Snapshot  // every journey that has not ended
	damaged []*Damage    // live journeys that cannot be read
	recent  []*Journey   // created within the window, oldest first; only the fields for the index
	meta    []*metaEntry // all entries
	serial  uint64       // the highest ever used
	latest  time.Time    // the newest UpdatedAt ever stored
	empty   bool         // no record at all: the database is new
}

// page is one page of a list.
type page[R any] struct {
	rows    []*R
	damaged []*Damage
	read    int // rows, including damaged ones
	last    *R  // the last row; nil: none
}

// batch is the records of one group of changes.
type batch struct {
	journeys []*Snapshot
	users    []*User
	replies  []*Reply
	meta     []*metaEntry
	log      []Entry
	logFrom  int64 // entries with lower ids are deleted
	serial   uint64
	latest   time.Time
}

// metaEntry is one fact about the database as a whole.
type metaEntry struct{ key, value string }

// len returns the number of records to write.
func (b *batch) len() int {
	return len(b.journeys) + len(b.users) + len(b.replies) + len(b.meta) + len(b.log)
}
