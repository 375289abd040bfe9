package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store/sqlitedb"
)

// recordTable is a table of records. The databases have the same columns; in PostgreSQL the
// world stands before them.
type recordTable struct {
	name    string
	unique  string // the column that identifies a row
	columns string
	kinds   string // a letter for each column: i integer, w word of ours, t text, b bytes

	count func(b *batch) int
	add   func(to []any, b *batch, i int) ([]any, error) // appends the columns of a record
}

// upsertAssignments returns the assignments of an upsert: all columns except those of the key.
func upsertAssignments(unique string, columns []string) string {
	var set []string
	for _, c := range columns {
		if c != unique {
			set = append(set, c+" = excluded."+c)
		}
	}
	return strings.Join(set, ", ")
}

// userColumns are the columns that scanUser reads.
const userColumns = "id, created_at, seen_at, body"

// recordTables are all tables of records.
var recordTables = [...]recordTable{
	{
		name: "journeys", unique: "id", columns: journeyColumns, kinds: "ittwiiiiiiitttbbbb",
		count: func(b *batch) int { return len(b.journeys) },
		add:   func(to []any, b *batch, i int) ([]any, error) { return addJourney(to, b.journeys[i]) },
	},
	{
		name: "users", unique: "id", columns: "id, phone, created_at, seen_at, body", kinds: "ttiib",
		count: func(b *batch) int { return len(b.users) },
		add:   func(to []any, b *batch, i int) ([]any, error) { return addUser(to, b.users[i]) },
	},
	{
		name: "replies", unique: "key", columns: "key, hash, status, at, body", kinds: "tbiib",
		count: func(b *batch) int { return len(b.replies) },
		add:   func(to []any, b *batch, i int) ([]any, error) { return addReply(to, b.replies[i]), nil },
	},
	{
		name: "meta", unique: "key", columns: "key, value", kinds: "wt",
		count: func(b *batch) int { return len(b.meta) },
		add:   func(to []any, b *batch, i int) ([]any, error) { return append(to, b.meta[i].key, b.meta[i].value), nil },
	},
	{
		name: "log", unique: "id", columns: "id, body", kinds: "ib",
		count: func(b *batch) int { return len(b.log) },
		add: func(to []any, b *batch, i int) ([]any, error) {
			return append(to, b.log[i].ID, sqlitedb.Sealed(b.log[i].Body)), nil
		},
	},
}

func addUser(to []any, u *User) ([]any, error) {
	body, err := json.Marshal(&u.EndUser)
	return append(to, string(u.UserID), string(u.PhoneNumber.Digits()), u.CreatedAt.UnixMilli(), u.SeenAt.UnixMilli(), sqlitedb.Sealed(body)), err
}

func addReply(to []any, r *Reply) []any {
	return append(to, r.Key, r.Hash[:], int64(r.Status), r.At.UnixMilli(), sqlitedb.Sealed(r.Body))
}

// scanner is one row of a query's result, rows are all rows.
type (
	scanner interface{ Scan(into ...any) error }
	rows    interface {
		scanner
		Next() bool
		Err() error
	}
)

// scanUser decodes a user's row. If the row is damaged, it returns a [Damage] and the user's id.
func scanUser(row scanner) (*User, error) {
	var id, body []byte
	var created, seen int64
	if err := row.Scan(&id, &created, &seen, &body); err != nil {
		return nil, err
	}
	u := &User{CreatedAt: fromMilli(created), SeenAt: fromMilli(seen)}
	body, err := sqlitedb.Unsealed(body)
	if err == nil {
		err = json.Unmarshal(body, &u.EndUser)
	}
	if err == nil && string(u.UserID) != string(id) {
		err = fmt.Errorf("its body is of user %q", u.UserID)
	}
	if err != nil {
		return &User{EndUser: taxi.EndUser{UserID: taxi.UserID(id)}}, &Damage{Table: "users", Key: string(id), Err: err}
	}
	return u, nil
}

func scanReply(row scanner) (*Reply, error) {
	r := &Reply{}
	var key, hash []byte
	var at int64
	if err := row.Scan(&key, &hash, &r.Status, &at, &r.Body); err != nil {
		return nil, err
	}
	copy(r.Hash[:], hash)
	r.Key, r.At = string(key), fromMilli(at)
	var err error
	if r.Body, err = sqlitedb.Unsealed(r.Body); err != nil {
		return r, &Damage{Table: "replies", Key: r.Key, Err: err}
	}
	return r, nil
}

func scanMeta(row scanner) (*metaEntry, error) {
	var key, value []byte
	err := row.Scan(&key, &value)
	return &metaEntry{string(key), string(value)}, err
}

// scanKey reads the only column of a row.
func scanKey[K ~string](row scanner) (K, error) {
	var key []byte
	err := row.Scan(&key)
	return K(key), err
}

// collect returns the scanned rows of a result.
func collect[R any](r rows, scan func(scanner) (R, error)) ([]R, error) {
	var all []R
	for r.Next() {
		one, err := scan(r)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, r.Err()
}

// collectPage scans every row; the errors of damaged ones are listed in the page.
func collectPage[R any](r rows, scan func(scanner) (*R, error)) (p page[R], err error) {
	all, err := collect(r, func(row scanner) (*R, error) {
		r, err := scan(row)
		if r != nil {
			p.last = r
		}
		damage, damaged := errors.AsType[*Damage](err)
		if damaged {
			p.damaged = append(p.damaged, damage)
			return nil, nil
		}
		return r, err
	})
	p.read, p.rows = len(all), slices.DeleteFunc(all, func(r *R) bool { return r == nil })
	return p, err
}

// collectRecent scans the columns id, user_id, created_at and fingerprint of journeys, the
// newest first, up to a time. It returns the oldest first.
func collectRecent(r rows, since time.Time) ([]*Journey, error) {
	var found []*Journey
	for r.Next() {
		j := &Journey{}
		var id, user, fingerprint []byte
		var created int64
		if err := r.Scan(&id, &user, &created, &fingerprint); err != nil {
			return nil, err
		}
		if j.CreatedAt = fromMilli(created); j.CreatedAt.Before(since) {
			break // as are all earlier ones
		}
		j.JourneyID, j.UserID = taxi.JourneyID(id), taxi.UserID(user)
		copy(j.Fingerprint[:], fingerprint)
		found = append(found, j)
	}
	slices.Reverse(found)
	return found, r.Err()
}

// readConcurrently reads the journeys with serials from first to last with one reader per processor,
// since decoding takes longer than finding them.
func readConcurrently(first, last int64, read func(from, to int64) (page[Snapshot], error)) (all page[Snapshot], err error) {
	const worth = 4096 // minimum of serials for another reader
	parts := min(int64(runtime.GOMAXPROCS(0)), (last-first)/worth+1)
	step := (last-first)/parts + 1
	pages, errs := make([]page[Snapshot], parts), make([]error, parts)
	var reading sync.WaitGroup
	for i := range parts {
		reading.Go(func() {
			from := first + i*step
			pages[i], errs[i] = read(from, min(from+step-1, last))
		})
	}
	reading.Wait()
	for _, p := range pages {
		all.rows, all.damaged = append(all.rows, p.rows...), append(all.damaged, p.damaged...)
	}
	return all, errors.Join(errs...)
}

// one converts the error of a lookup to [ErrNotFound] or [ErrUnavailable].
func one[R any](r *R, err error) (*R, error) {
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, ErrNotFound
	case err != nil:
		return nil, unavailable(err)
	}
	return r, nil
}

// unavailable wraps an error of the database in [ErrUnavailable], except those that the
// context caused, and a [Damage], which is still there later.
func unavailable(err error) error {
	if _, damaged := errors.AsType[*Damage](err); damaged ||
		err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnavailable, err)
}

// noProgress is the damage of records without a progress row: serials of deleted records, and
// with them their ids, would be used again.
func noProgress() error {
	return &Damage{Table: "progress", Key: "1", Err: errors.New("it is missing, so ids would be used twice: restore a copy of the database")}
}
