package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	_ "modernc.org/sqlite" // the driver
)

//go:embed migrations/*.sql
var migrations embed.FS

// errInUse means that somebody has the database open.
var errInUse = errors.New("another process has this database open: end it first, or use another file")

// readerMap is how much of the file a reader may map into memory, in bytes. The
// writer maps nothing and keeps its default cache: a larger one made it slower.
const readerMap = 256 << 20

// sqliteDisk keeps the records in one SQLite file: one connection writes, as
// SQLite allows only one at a time anyhow, and a pool of them reads beside it,
// which WAL mode lets go on during a commit.
type sqliteDisk struct {
	lock    *fileLock
	writer  *sql.DB
	readers *sql.DB
	mu      sync.Mutex // one transaction at a time on conn
	conn    *sql.Conn  // the writer's only connection
	tidy    *checkpointer
	put     puts
	get     gets
}

// openSQLite opens or makes a database file, brought to the newest schema, and
// keeps other processes from writing to it.
func openSQLite(ctx context.Context, path string, durability Durability) (*sqliteDisk, error) {
	path, err := create(path)
	if err != nil {
		return nil, err
	}
	lock, err := lockFile(path + ".lock")
	if err != nil {
		return nil, err
	}
	d := &sqliteDisk{lock: lock}
	if err := d.open(ctx, path, durability); err != nil {
		return nil, errors.Join(explain(err), d.close())
	}
	return d, nil
}

// create makes the file if it is not there, for its owner's eyes only: it holds
// names and numbers. It returns the file's own name: two names for one file must
// not be two databases.
func create(path string) (string, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return "", err
	}
	if err := file.Close(); err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

func (d *sqliteDisk) open(ctx context.Context, path string, durability Durability) (err error) {
	synchronous := "FULL"
	if durability == Normal {
		synchronous = "NORMAL"
	}
	if d.writer, err = openWriter(path, synchronous); err != nil {
		return err
	}
	if d.conn, err = d.writer.Conn(ctx); err != nil {
		return err
	}
	scripts, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	if err := migrate(ctx, d.conn, scripts); err != nil {
		return err
	}
	if d.put, err = preparePuts(ctx, d.conn); err != nil {
		return err
	}
	if d.readers, err = sql.Open("sqlite", dsn(path,
		"busy_timeout(5000)", "query_only(1)", fmt.Sprintf("mmap_size(%d)", readerMap))); err != nil {
		return err
	}
	pool := runtime.GOMAXPROCS(0)
	d.readers.SetMaxOpenConns(pool)
	d.readers.SetMaxIdleConns(pool)
	if d.get, err = prepareGets(ctx, d.readers); err != nil {
		return err
	}
	checkpoints, err := openWriter(path, synchronous)
	if err != nil {
		return err
	}
	d.tidy = newCheckpointer(checkpoints, &d.mu)
	return nil
}

// openWriter returns a handle of one connection that may write. It leaves
// checkpoints to the checkpointer.
func openWriter(path, synchronous string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", dsn(path, "busy_timeout(5000)", "journal_mode(WAL)", "wal_autocheckpoint(0)",
		"synchronous("+synchronous+")", "foreign_keys(1)"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// dsn names a file to SQLite, whatever characters are in its path.
func dsn(path string, pragmas ...string) string {
	q := url.Values{"_pragma": pragmas, "_txlock": {"immediate"}, "_dqs": {"0"}}
	u := url.URL{Path: filepath.ToSlash(path)}
	return "file:" + u.EscapedPath() + "?" + q.Encode()
}

func (d *sqliteDisk) close() error {
	var errs []error
	if d.tidy != nil {
		errs = append(errs, d.tidy.close())
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.readers != nil {
		errs = append(errs, d.readers.Close())
	}
	if d.conn != nil {
		// Nothing is left in the log, so that the file can be copied by itself.
		_, err := d.conn.ExecContext(context.Background(), "PRAGMA wal_checkpoint(TRUNCATE)")
		errs = append(errs, err, d.conn.Close())
	}
	if d.writer != nil {
		errs = append(errs, d.writer.Close())
	}
	return errors.Join(append(errs, d.lock.release())...)
}

// write runs fn in a transaction on the writer's connection.
func (d *sqliteDisk) write(ctx context.Context, fn func() error) (err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	defer func() {
		if err != nil { // SQLite may have rolled back by itself and refuse to again, which is as good
			_, _ = d.conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		}
	}()
	if _, err := d.conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if err := fn(); err != nil {
		return err
	}
	_, err = d.conn.ExecContext(ctx, "COMMIT")
	return err
}
