package sqlitedb

import (
	"context"
	"errors"
	"fmt"
	"os"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// errInUse means that another process has the database open.
var errInUse = errors.New("another process has this database open: end it first, or use another file")

// errTwoNames means that the file has a second name, a hard link: under each name it would
// have a lock and a write-ahead log of its own.
var errTwoNames = errors.New("the file has another name too (a hard link), under which a second process could open it: remove the other name, or copy the file")

// errNoFile means that the name is that of a device or a pipe, beside which SQLite would
// leave files of its own.
var errNoFile = errors.New("it is a device or a pipe and no file: use a file")

// explain adds advice for a cure to errors of SQLite that people may meet.
func explain(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("it is not a SQLite database: use another file, or move this one away: %w", err)
	case sqlite3.SQLITE_CANTOPEN:
		return fmt.Errorf("it cannot be opened: see that its folder exists and may be written to: %w", err)
	case sqlite3.SQLITE_BUSY:
		return fmt.Errorf("another program is writing to it, or a reader holds it up: end that first: %w", err)
	case sqlite3.SQLITE_READONLY:
		return fmt.Errorf("it may not be written to: change its permissions, or use another file: %w", err)
	case sqlite3.SQLITE_CORRUPT:
		return fmt.Errorf("the file is damaged: restore a copy of it, or make a new one of what can be read (sqlite3 FILE .recover): %w", err)
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("the disk is full: make room on it: %w", err)
	}
	return err
}

// CopyTo writes what is committed into a new file at path, for its owner's eyes only. The
// copy is a whole database without a write-ahead log. Writing waits meanwhile. A file
// that is there already is refused, unless it is empty.
func (d *DB) CopyTo(ctx context.Context, path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := d.conn.ExecContext(ctx, "VACUUM INTO ?", path); err != nil {
		return fmt.Errorf("copy the database to %s: %w", path, explain(err))
	}
	return nil
}

// Damage is the error of a record in the database that cannot be decoded. Its row stays as it
// is.
type Damage struct {
	Table string // of the database
	Key   string // the id by which the row is found there
	Err   error
}

// Error implements error.
func (d *Damage) Error() string {
	return fmt.Sprintf("the row %q of the table %s cannot be read: %v", d.Key, d.Table, d.Err)
}

// Unwrap returns the reason why the row cannot be decoded.
func (d *Damage) Unwrap() error { return d.Err }
