package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store/sqlitedb"
)

// puts are the prepared statements of the transaction that writes a group of changes.
type puts struct {
	records  [len(recordTables)]*put
	progress *put
}

// put inserts or replaces rows of one table, several with one statement if possible, since a
// statement costs more than a row.
type put struct {
	stmts   [len(rowsAtOnce)]*sql.Stmt // nil until first needed
	prepare func(rows int) (*sql.Stmt, error)
	width   int   // columns
	args    []any // reused
}

// rowsAtOnce are the numbers of rows of the statements, the longest first.
var rowsAtOnce = [...]int{32, 8, 2, 1}

func preparePuts(ctx context.Context, db *sqlitedb.DB) (p puts, err error) {
	for i, t := range recordTables {
		if p.records[i], err = preparePut(ctx, db, t.name, t.unique, t.columns); err != nil {
			return p, err
		}
	}
	p.progress, err = preparePut(ctx, db, "progress", "one", "one, serial, latest")
	return p, err
}

func preparePut(ctx context.Context, db *sqlitedb.DB, table, unique, names string) (*put, error) {
	columns := strings.Split(names, ", ")
	p := &put{width: len(columns), prepare: func(rows int) (*sql.Stmt, error) {
		return db.Prepare(ctx, upsert(table, unique, columns, rows))
	}}
	_, err := p.stmt(len(rowsAtOnce) - 1) //nolint:sqlclosecheck // closed with the database
	return p, err
}

// stmt returns the statement for rowsAtOnce[i], prepared when it is first needed.
func (p *put) stmt(i int) (_ *sql.Stmt, err error) {
	if p.stmts[i] == nil {
		p.stmts[i], err = p.prepare(rowsAtOnce[i]) //nolint:sqlclosecheck // closed with the database
	}
	return p.stmts[i], err
}

func upsert(table, unique string, columns []string, rows int) string {
	row := "(?" + strings.Repeat(", ?", len(columns)-1) + ")"
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES %s ON CONFLICT (%s) DO UPDATE SET %s",
		table, strings.Join(columns, ", "), row+strings.Repeat(", "+row, rows-1), unique, upsertAssignments(unique, columns))
}

// all writes the records of a batch.
func (p *put) all(ctx context.Context, t *recordTable, b *batch) (err error) {
	p.reset() // rows left by a failed batch
	for i := range t.count(b) {
		if p.args, err = t.add(p.args, b, i); err != nil {
			return err
		}
		if err := p.writeFullGroup(ctx); err != nil {
			return err
		}
	}
	return p.rest(ctx)
}

// writeFullGroup writes the collected rows once there are enough for the longest statement.
func (p *put) writeFullGroup(ctx context.Context) error {
	if len(p.args) < rowsAtOnce[0]*p.width {
		return nil
	}
	return p.rest(ctx)
}

// rest writes all collected rows.
func (p *put) rest(ctx context.Context) error {
	defer p.reset()
	rows := p.args
	for i, n := range rowsAtOnce {
		for size := n * p.width; len(rows) >= size && len(rows) > 0; rows = rows[size:] {
			stmt, err := p.stmt(i) //nolint:sqlclosecheck // closed with the database
			if err != nil {
				return err
			}
			if _, err := stmt.ExecContext(ctx, rows[:size]...); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *put) reset() {
	clear(p.args)
	p.args = p.args[:0]
}

// flush writes a batch in one transaction. It is never cancelled, since a group is committed
// even if nobody waits for it any more.
func (d *sqliteDisk) flush(_ context.Context, b *batch) error {
	ctx := context.Background()
	return d.db.Write(ctx, func(q sqlitedb.Querier) error {
		if b.logFrom > 0 {
			if _, err := q.ExecContext(ctx, "DELETE FROM log WHERE id < ?", b.logFrom); err != nil {
				return err
			}
		}
		for i := range recordTables {
			if err := d.put.records[i].all(ctx, &recordTables[i], b); err != nil {
				return err
			}
		}
		return d.putProgress(ctx, b.serial, b.latest)
	})
}

func (d *sqliteDisk) putProgress(ctx context.Context, serial uint64, latest time.Time) error {
	p := d.put.progress
	p.args = append(p.args[:0], 1, int64(serial), latest.UnixMilli())
	return p.rest(ctx)
}

const (
	pruneJourneys = `DELETE FROM journeys WHERE serial IN (
		SELECT serial FROM journeys WHERE status IN ('COMPLETE', 'CANCELLED') AND updated_at < ? LIMIT ?) RETURNING id`
	pruneReplies = `DELETE FROM replies WHERE key IN (SELECT key FROM replies WHERE at < ? LIMIT ?) RETURNING key`
	pruneUsers   = `DELETE FROM users WHERE id IN (SELECT id FROM users WHERE seen_at < ? LIMIT ?) RETURNING id`
)

func (d *sqliteDisk) prune(ctx context.Context, before Before, n int) (gone pruned, err error) {
	err = d.db.Write(ctx, func(q sqlitedb.Querier) (err error) {
		if gone.journeys, err = deleted[taxi.JourneyID](ctx, q, pruneJourneys, before.Journeys, n); err != nil {
			return err
		}
		if gone.users, err = deleted[taxi.UserID](ctx, q, pruneUsers, before.Users, n); err != nil {
			return err
		}
		gone.replies, err = deleted[string](ctx, q, pruneReplies, before.Replies, n)
		return err
	})
	if err != nil {
		return pruned{}, unavailable(err)
	}
	d.db.Tidy(ctx)
	return gone, nil
}

// deleted runs a DELETE of at most n rows older than a time and returns the keys of the
// deleted rows.
func deleted[K ~string](ctx context.Context, q sqlitedb.Querier, query string, before time.Time, n int) ([]K, error) {
	rows, err := q.QueryContext(ctx, query, before.UnixMilli(), n) //nolint:rowserrcheck // collect checks it
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return collect(rows, scanKey[K])
}
