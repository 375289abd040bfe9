package sqlitedb

import (
	"context"
	"database/sql"
	"errors"
)

// Querier runs statements. It is the argument of the function that [DB.Write] calls, and the
// pool of [DB.Readers] is one, so that a function that only reads can take either.
type Querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Write runs fn in a transaction, after those that came before. If fn returns an
// error or panics, or ctx ends before fn has, nothing has changed and Write
// returns the error; when Write returns nil the transaction is committed. The
// Querier is good until fn returns.
func (d *DB) Write(ctx context.Context, fn func(Querier) error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := d.conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return explain(err)
	}
	// From here on the transaction has to end, whatever becomes of ctx.
	certain := context.WithoutCancel(ctx)
	done := false
	defer func() {
		if !done { // SQLite may have rolled back by itself and refuse to again, which is as good
			_, _ = d.conn.ExecContext(certain, "ROLLBACK")
		}
	}()
	if err := fn(d.conn); err != nil {
		return explain(err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if _, err := d.conn.ExecContext(certain, "COMMIT"); err != nil {
		return explain(err)
	}
	done = true
	d.committed(certain)
	return nil
}

// Prepare returns a statement of the writer's connection, to be run inside
// [DB.Write] and nowhere else. It is closed with the database. A tenant that
// writes thousands of rows a second needs it, others do not.
func (d *DB) Prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	stmt, err := d.conn.PrepareContext(context.WithoutCancel(ctx), query) //nolint:sqlclosecheck // it lasts longer than ctx, until Close
	if err != nil {
		return nil, err
	}
	d.preparing.Lock()
	defer d.preparing.Unlock()
	d.prepared = append(d.prepared, stmt)
	return stmt, nil
}

// closeStatements closes the prepared statements: SQLite keeps a connection, and its
// file, open for as long as there is one.
func (d *DB) closeStatements() error {
	d.preparing.Lock()
	defer d.preparing.Unlock()
	var errs []error
	for _, stmt := range d.prepared {
		errs = append(errs, stmt.Close())
	}
	return errors.Join(errs...)
}

// Tidy runs a checkpoint now, for a caller that writes much without waiting: otherwise the
// write-ahead log would grow until it is done.
func (d *DB) Tidy(ctx context.Context) {
	if d.tidy != nil {
		d.tidy.tidy(ctx)
	}
}

// committed tells the checkpointer how many rows have been written so far. If they cannot be
// counted now, the next commit counts them.
func (d *DB) committed(ctx context.Context) {
	if d.tidy == nil {
		return
	}
	var rows int
	if err := d.changes.QueryRowContext(ctx).Scan(&rows); err == nil {
		d.tidy.committed(rows)
	}
}
