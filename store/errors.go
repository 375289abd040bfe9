package store

import (
	"errors"
	"fmt"

	"github.com/cabrank/cabrank/store/sqlitedb"
)

// ErrNotFound means that there is no such record.
var ErrNotFound = errors.New("not found")

// ErrUnavailable means that the database cannot store changes at present: the disk is full
// or broken, the queue to it is full, another process has the world, or the store is closed.
// If [Store.Apply] returns it, nothing was changed.
var ErrUnavailable = errors.New("store unavailable")

// ErrUnknown means that a change was made but may be lost: the disk refused it or did not
// answer in time, and it may become durable later.
var ErrUnknown = errors.New("not known whether it was kept")

// ErrFenced means that another process has taken the world over, or removed it, so that this
// store can write nothing any more. It wraps [ErrUnavailable].
var ErrFenced = fmt.Errorf("%w: another process has the world", ErrUnavailable)

// Damage is a record that cannot be read: lists omit it, and reading it fails with the
// Damage. Its id is not used again.
type Damage = sqlitedb.Damage
