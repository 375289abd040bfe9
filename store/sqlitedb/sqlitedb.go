package sqlitedb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync"
)

// Options configures a database. The zero value is a database without tables that survives a
// loss of power.
type Options struct {
	// Migrations holds the schema: *.sql files, each run once, in the order of
	// their names. They are never edited or removed once a database has been
	// written with them: the file counts how many it has had.
	Migrations fs.FS

	// Application marks the file as this program's, in SQLite's application_id.
	// A file with another mark is refused, one without a mark is not. 0: no mark.
	Application int32

	// Durability selects which failures a commit survives; it has no effect on a database in memory.
	Durability Durability
}

// Durability is the kind of failure that a commit survives.
type Durability int

// The durabilities.
const (
	Full   Durability = iota // loss of power: every commit is synced to the disk
	Normal                   // the end of the process, however sudden; a loss of power may cost the last commits
)

// DB is an open database. Its methods may be called from any goroutine.
type DB struct {
	lock    *fileLock // nil: it is in memory
	writer  *sql.DB
	readers *sql.DB
	tidy    *checkpointer // nil: it is in memory
	behind  int

	mu      sync.Mutex // one transaction at a time on conn
	conn    *sql.Conn  // the writer's only connection
	changes *sql.Stmt  // how many rows conn has written

	preparing sync.Mutex
	prepared  []*sql.Stmt // statements of conn, which database/sql leaves to us

	close func() error
}

// Open opens the database file at path, or makes it, and brings it to the newest
// schema. An empty path is a database in memory, which is gone when it is
// closed. Open refuses a file that is no SQLite database, that another program or
// a newer version made, and that another process has open; the error names the
// file and the cure.
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	d := &DB{}
	d.close = sync.OnceValue(d.shut)
	err := d.open(ctx, path, o)
	if err == nil {
		return d, nil
	}
	if path == "" {
		path = "in memory"
	}
	return nil, fmt.Errorf("open database %s: %w", path, errors.Join(explain(err), d.Close()))
}

// Behind returns how many frames of the write-ahead log were behind a damaged one when the database was opened:
// SQLite reads none of them, so that the changes in them are lost.
func (d *DB) Behind() int { return d.behind }

func (d *DB) open(ctx context.Context, path string, o Options) (err error) {
	at := inMemory(d)
	if path != "" {
		if path, err = create(path); err != nil {
			return err
		}
		if d.lock, err = lockFile(path + ".lock"); err != nil {
			return err
		}
		at = inFile(path, o.Durability)
		d.behind = framesBehind(path)
	}
	if err := d.connect(ctx, at); err != nil {
		return err
	}
	if err := migrate(ctx, d.conn, o); err != nil {
		return err
	}
	if d.lock != nil {
		return d.keepLogShort(ctx, at)
	}
	return nil
}

// connect opens the writer and the readers.
func (d *DB) connect(ctx context.Context, at location) (err error) {
	if d.writer, err = at.openWriter(); err != nil {
		return err
	}
	if d.conn, err = d.writer.Conn(ctx); err != nil {
		return err
	}
	if d.readers, err = sql.Open("sqlite", at.reader); err != nil {
		return err
	}
	pool := runtime.GOMAXPROCS(0)
	d.readers.SetMaxOpenConns(pool)
	d.readers.SetMaxIdleConns(pool)
	return nil
}

// keepLogShort starts the checkpoints.
func (d *DB) keepLogShort(ctx context.Context, at location) (err error) {
	if d.changes, err = d.Prepare(ctx, "SELECT total_changes()"); err != nil {
		return err
	}
	checkpoints, err := at.openWriter()
	if err != nil {
		return err
	}
	d.tidy = newCheckpointer(checkpoints, &d.mu)
	return nil
}

// Readers returns the pool of connections that can only read. A reader sees what
// has been committed before its query began.
func (d *DB) Readers() *sql.DB { return d.readers }

// Close waits for the transaction under way, moves the write-ahead log into the file, so that
// the file can be copied by itself, and releases the lock. A second call returns the same
// result.
func (d *DB) Close() error { return d.close() }

func (d *DB) shut() error {
	var errs []error
	if d.tidy != nil {
		errs = append(errs, d.tidy.close())
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.readers != nil {
		errs = append(errs, d.readers.Close())
	}
	if d.tidy != nil {
		_, err := d.conn.ExecContext(context.Background(), "PRAGMA wal_checkpoint(TRUNCATE)")
		errs = append(errs, err)
	}
	errs = append(errs, d.closeStatements())
	if d.conn != nil {
		errs = append(errs, d.conn.Close())
	}
	if d.writer != nil {
		errs = append(errs, d.writer.Close())
	}
	if d.lock != nil {
		errs = append(errs, d.lock.release())
	}
	return errors.Join(errs...)
}
