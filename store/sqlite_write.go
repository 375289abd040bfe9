package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store/sqlitedb"
)

// puts are the statements of a group's transaction, prepared once.
type puts struct {
	journey, user, reply, meta, progress *put
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
	for _, t := range []struct {
		to            **put
		table, unique string
		columns       string
	}{
		{&p.journey, "journeys", "id", journeyColumns},
		{&p.user, "users", "id", "id, phone, created_at, seen_at, body"},
		{&p.reply, "replies", "key", "key, hash, status, at, body"},
		{&p.meta, "meta", "key", "key, value"},
		{&p.progress, "progress", "one", "one, serial, latest"},
	} {
		if *t.to, err = preparePut(ctx, db, t.table, t.unique, strings.Split(t.columns, ", ")); err != nil {
			return p, err
		}
	}
	return p, nil
}

func preparePut(ctx context.Context, db *sqlitedb.DB, table, unique string, columns []string) (*put, error) {
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
	var set []string
	for _, c := range columns {
		if c != unique {
			set = append(set, c+" = excluded."+c)
		}
	}
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES %s ON CONFLICT (%s) DO UPDATE SET %s",
		table, strings.Join(columns, ", "), row+strings.Repeat(", "+row, rows-1), unique, strings.Join(set, ", "))
}

// add appends a row, and writes once there are enough for the longest statement.
func (p *put) add(ctx context.Context, row ...any) error {
	p.args = append(p.args, row...)
	if len(p.args) < rowsAtOnce[0]*p.width {
		return nil
	}
	return p.rest(ctx)
}

// rest writes the rows that add has not written yet.
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
func (d *sqliteDisk) flush(b *batch) error {
	ctx := context.Background()
	return d.db.Write(ctx, func(sqlitedb.Querier) error {
		all := []*put{d.put.journey, d.put.user, d.put.reply, d.put.meta, d.put.progress}
		for _, p := range all {
			p.reset() // rows left by a failed batch
		}
		if err := d.addRows(ctx, b); err != nil {
			return err
		}
		for _, p := range all {
			if err := p.rest(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

func (d *sqliteDisk) addRows(ctx context.Context, b *batch) error {
	for _, snap := range b.journeys {
		if err := addJourney(ctx, d.put.journey, snap); err != nil {
			return err
		}
	}
	for _, u := range b.users {
		body, err := json.Marshal(&u.EndUser)
		if err != nil {
			return err
		}
		if err := d.put.user.add(ctx, string(u.UserID), string(u.PhoneNumber.Digits()), u.CreatedAt.UnixMilli(), u.SeenAt.UnixMilli(), body); err != nil {
			return err
		}
	}
	for _, r := range b.replies {
		if err := d.put.reply.add(ctx, r.Key, r.Hash[:], r.Status, r.At.UnixMilli(), some(r.Body)); err != nil {
			return err
		}
	}
	for _, m := range b.meta {
		if err := d.put.meta.add(ctx, m.key, m.value); err != nil {
			return err
		}
	}
	return d.put.progress.add(ctx, 1, int64(b.serial), b.latest.UnixMilli())
}

// some converts nil to an empty value for a NOT NULL column.
func some(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
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
	rows, err := q.QueryContext(ctx, query, before.UnixMilli(), n)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(r scanner) (k K, err error) { return k, r.Scan(&k) })
}
