package sqlitedb

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver
)

// readerMap is how much of the file a reader may map into memory, in bytes. The
// writer maps nothing and keeps its default cache: a larger one made it slower.
const readerMap = 256 << 20

// busy is how long SQLite waits for a lock: for another program's in a file, for
// a reader's in memory.
const busy = "busy_timeout(5000)"

// logSize is how large the write-ahead log stays on the disk once it has been emptied,
// however long it was: 24 MiB, so that under load it is written over rather than cut and
// made longer again, which costs a sync more.
const logSize = "journal_size_limit(25165824)"

// location contains the names with which SQLite opens a database for writing and for reading.
type location struct{ writer, reader string }

// inFile returns the location of a database file with a write-ahead log, beside which readers
// continue during a commit. The checkpointer empties the log.
func inFile(path string, durability Durability) location {
	synchronous := "synchronous(FULL)"
	if durability == Normal {
		synchronous = "synchronous(NORMAL)"
	}
	name := url.URL{Path: filepath.ToSlash(path)} // whatever characters are in it
	file := "file:" + name.EscapedPath()
	return location{
		writer: dsn(file, nil, busy, "journal_mode(WAL)", "wal_autocheckpoint(0)", logSize, synchronous, "foreign_keys(1)"),
		reader: dsn(file, nil, busy, "query_only(1)", fmt.Sprintf("mmap_size(%d)", readerMap)),
	}
}

// inMemory returns the location of a database in memory that all connections of one DB share,
// and no other DB: its name contains the DB's address, which is unique while it is open.
func inMemory(d *DB) location {
	file, vfs := fmt.Sprintf("file:/%p", d), url.Values{"vfs": {"memdb"}}
	return location{
		writer: dsn(file, vfs, busy, "foreign_keys(1)"),
		reader: dsn(file, vfs, busy, "query_only(1)"),
	}
}

func dsn(file string, more url.Values, pragmas ...string) string {
	q := url.Values{"_pragma": pragmas, "_txlock": {"immediate"}, "_dqs": {"0"}}
	maps.Copy(q, more)
	return file + "?" + q.Encode()
}

// openWriter returns a handle of one connection that may write.
func (l location) openWriter() (*sql.DB, error) {
	db, err := sql.Open("sqlite", l.writer)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// create creates the file if it does not exist, readable by its owner only, since it may
// contain names and numbers. It returns the file's path without symbolic links: two names for
// one file must not be two databases.
func create(path string) (string, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return "", err
	}
	about, err := file.Stat()
	if err := errors.Join(err, file.Close()); err != nil {
		return "", err
	}
	if !about.Mode().IsRegular() {
		return "", errNoFile
	}
	if names(about) > 1 {
		return "", errTwoNames
	}
	return filepath.EvalSymlinks(path)
}
