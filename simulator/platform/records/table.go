package records

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"

	"github.com/cabrank/cabrank/store/sqlitedb"
)

// Row is one record of an account, in its stored and its visible form. Rows are never
// changed, only replaced.
type Row[T any] struct {
	ID      string
	Account string
	Value   T
	Shown   []byte // the JSON that callers see
}

// Table holds the records of one kind, in order of creation. All of them are in memory;
// changes are also written to the database.
type Table[T any] struct {
	records *Records
	name    string
	codec   codec[T]
	rows    map[string]*Row[T]
	lists   map[string][]*Row[T] // by account
}

// codec says how a record is stored and shown.
type codec[T any] struct {
	keep func(T) ([]byte, error)
	load func(id string, text []byte) (T, error)
	show func(T) ([]byte, error)
}

// plain stores and shows a record as its JSON.
func plain[T any]() codec[T] {
	encode := func(v T) ([]byte, error) { return json.Marshal(v) }
	return codec[T]{
		keep: encode,
		show: encode,
		load: named(func(b []byte) (v T, err error) {
			err = json.Unmarshal(b, &v)
			return v, err
		}),
	}
}

func newTable[T any](r *Records, name string, c codec[T]) *Table[T] {
	return &Table[T]{records: r, name: name, codec: c, rows: map[string]*Row[T]{}, lists: map[string][]*Row[T]{}}
}

// List returns an account's records.
func (t *Table[T]) List(account string) []*Row[T] {
	t.records.mu.RLock()
	defer t.records.mu.RUnlock()
	return t.lists[account]
}

// Get returns one record of an account.
func (t *Table[T]) Get(account, id string) (*Row[T], bool) {
	t.records.mu.RLock()
	defer t.records.mu.RUnlock()
	row, ok := t.rows[id]
	if !ok || row.Account != account {
		return nil, false
	}
	return row, true
}

// Find returns the records of all accounts that match.
func (t *Table[T]) Find(match func(T) bool) (found []*Row[T]) {
	t.records.mu.RLock()
	defer t.records.mu.RUnlock()
	for _, row := range t.rows {
		if match(row.Value) {
			found = append(found, row)
		}
	}
	return found
}

// Put adds a record or replaces the one with its id.
func (t *Table[T]) Put(ctx context.Context, tx *Tx, account, id string, v T) error {
	row, kept, err := t.row(account, id, v)
	if err != nil {
		return err
	}
	if _, err := tx.sql.ExecContext(ctx, "INSERT INTO "+t.name+" (id, account, body) VALUES (?, ?, ?) "+
		"ON CONFLICT (id) DO UPDATE SET body = excluded.body", id, account, string(sqlitedb.Sealed(kept))); err != nil {
		return err
	}
	tx.then(func() { t.place(row) })
	return nil
}

// Delete removes a record.
func (t *Table[T]) Delete(ctx context.Context, tx *Tx, account, id string) error {
	if _, err := tx.sql.ExecContext(ctx, "DELETE FROM "+t.name+" WHERE id = ?", id); err != nil {
		return err
	}
	tx.then(func() {
		delete(t.rows, id)
		t.lists[account] = slices.DeleteFunc(slices.Clone(t.lists[account]), func(r *Row[T]) bool { return r.ID == id })
	})
	return nil
}

func (t *Table[T]) row(account, id string, v T) (*Row[T], []byte, error) {
	kept, err := t.codec.keep(v)
	if err != nil {
		return nil, nil, err
	}
	shown, err := t.codec.show(v)
	return &Row[T]{ID: id, Account: account, Value: v, Shown: shown}, kept, err
}

// place updates a row in memory. It does not change lists that were returned before.
func (t *Table[T]) place(row *Row[T]) {
	list := slices.Clone(t.lists[row.Account])
	if i := slices.IndexFunc(list, func(r *Row[T]) bool { return r.ID == row.ID }); i >= 0 {
		list[i] = row
	} else {
		list = append(list, row)
	}
	t.rows[row.ID], t.lists[row.Account] = row, list
}

// read fills the table from the database.
func (t *Table[T]) read(ctx context.Context, db sqlitedb.Querier) error {
	return query(ctx, db, "SELECT id, account, body FROM "+t.name+" ORDER BY seq", func(rows *sql.Rows) error {
		var id, account, body string
		if err := rows.Scan(&id, &account, &body); err != nil {
			return err
		}
		var v T
		text, err := sqlitedb.Unsealed([]byte(body))
		if err == nil {
			v, err = t.codec.load(id, text)
		}
		if err != nil {
			t.records.skipDamaged(t.name, id, err)
			return nil
		}
		row, _, err := t.row(account, id, v)
		if err != nil {
			t.records.skipDamaged(t.name, id, err)
			return nil
		}
		t.rows[id] = row
		t.lists[account] = append(t.lists[account], row)
		return nil
	})
}

// query calls each for every row.
func query(ctx context.Context, db sqlitedb.Querier, statement string, each func(*sql.Rows) error, args ...any) (err error) {
	rows, err := db.QueryContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := each(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
