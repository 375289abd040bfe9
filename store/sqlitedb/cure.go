package sqlitedb

import (
	"errors"
	"fmt"

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

// explain adds the cure to the errors of SQLite that people meet.
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
