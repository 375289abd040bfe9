package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// gets are the statements that read single records, prepared once.
type gets struct{ journey, user, userByPhone, reply *sql.Stmt }

func prepareGets(ctx context.Context, db *sql.DB) (g gets, err error) {
	for _, t := range []struct {
		to    **sql.Stmt
		query string
	}{
		{&g.journey, "SELECT " + journeyColumns + " FROM journeys WHERE id = ?"},
		{&g.user, "SELECT " + userColumns + " FROM users WHERE id = ?"},
		{&g.userByPhone, "SELECT " + userColumns + " FROM users WHERE phone = ?"},
		{&g.reply, "SELECT key, hash, status, at, body FROM replies WHERE key = ?"},
	} {
		if *t.to, err = db.PrepareContext(ctx, t.query); err != nil { //nolint:sqlclosecheck // closed with the pool
			return g, err
		}
	}
	return g, nil
}

func (d *sqliteDisk) journey(ctx context.Context, id taxi.JourneyID) (*Snapshot, error) {
	return one(scanJourney(d.get.journey.QueryRowContext(ctx, string(id))))
}

func (d *sqliteDisk) user(ctx context.Context, id taxi.UserID) (*User, error) {
	return one(scanUser(d.get.user.QueryRowContext(ctx, string(id))))
}

func (d *sqliteDisk) userByPhone(ctx context.Context, digits taxi.E164) (*User, error) {
	return one(scanUser(d.get.userByPhone.QueryRowContext(ctx, string(digits))))
}

func (d *sqliteDisk) reply(ctx context.Context, key string) (*Reply, error) {
	return one(scanReply(d.get.reply.QueryRowContext(ctx, key)))
}

// one converts the errors of a lookup to the store's.
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

const userColumns = "id, created_at, seen_at, body"

// scanUser reads a row. For a [Damage] it returns the id.
func scanUser(row scanner) (*User, error) {
	var id taxi.UserID
	var created, seen int64
	var body []byte
	if err := row.Scan(&id, &created, &seen, &body); err != nil {
		return nil, err
	}
	u := &User{CreatedAt: fromMilli(created), SeenAt: fromMilli(seen)}
	err := json.Unmarshal(body, &u.EndUser)
	if err == nil && u.UserID != id {
		err = fmt.Errorf("its body is of user %q", u.UserID)
	}
	if err != nil {
		return &User{EndUser: taxi.EndUser{UserID: id}}, &Damage{Table: "users", Key: string(id), Err: err}
	}
	return u, nil
}

func scanReply(row scanner) (*Reply, error) {
	r := &Reply{}
	var hash []byte
	var at int64
	if err := row.Scan(&r.Key, &hash, &r.Status, &at, &r.Body); err != nil {
		return nil, err
	}
	copy(r.Hash[:], hash)
	r.At = fromMilli(at)
	return r, nil
}

func (d *sqliteDisk) journeysBelow(ctx context.Context, serial uint64, n int) (page[Snapshot], error) {
	return list(ctx, d.db.Readers(), scanJourney,
		"SELECT "+journeyColumns+" FROM journeys WHERE serial < ? ORDER BY serial DESC LIMIT ?", int64(serial), n)
}

func (d *sqliteDisk) usersAfter(ctx context.Context, id taxi.UserID, n int) (page[User], error) {
	return list(ctx, d.db.Readers(), scanUser,
		"SELECT "+userColumns+" FROM users WHERE id > ? ORDER BY id LIMIT ?", string(id), n)
}

func (d *sqliteDisk) load(ctx context.Context, window time.Duration, recents int) (*startState, error) {
	b := &startState{meta: make(map[string]string)}
	var latest int64
	switch err := d.db.Readers().QueryRowContext(ctx,
		// A serial below a journey's would be used again, and its journey overwritten.
		"SELECT max(serial, coalesce((SELECT max(serial) FROM journeys), 0)), latest FROM progress").Scan(&b.serial, &latest); {
	case errors.Is(err, sql.ErrNoRows): // no commit yet
		b.empty = true
		return b, d.nothing(ctx)
	case err != nil:
		return nil, err
	}
	b.latest = fromMilli(latest)
	if err := d.live(ctx, b); err != nil {
		return nil, err
	}
	var err error
	if b.recent, err = d.recent(ctx, b.latest.Add(-window), recents); err != nil {
		return nil, err
	}
	_, err = list(ctx, d.db.Readers(), func(row scanner) (*metaEntry, error) {
		var m metaEntry
		err := row.Scan(&m.key, &m.value)
		b.meta[m.key] = m.value
		return &m, err
	}, "SELECT key, value FROM meta")
	return b, err
}

// underWay is true of a row whose journey has not ended.
const underWay = "status NOT IN ('COMPLETE', 'CANCELLED')"

// live reads the journeys that have not ended, in order, with one reader per processor,
// since decoding takes longer than finding them.
func (d *sqliteDisk) live(ctx context.Context, b *startState) error {
	var first, last int64
	if err := d.db.Readers().QueryRowContext(ctx,
		"SELECT coalesce(min(serial), 0), coalesce(max(serial), -1) FROM journeys WHERE "+underWay).Scan(&first, &last); err != nil {
		return unavailable(err)
	}
	const worth = 4096 // minimum of serials for another reader
	parts := min(int64(runtime.GOMAXPROCS(0)), (last-first)/worth+1)
	step := (last-first)/parts + 1
	pages, errs := make([]page[Snapshot], parts), make([]error, parts)
	var reading sync.WaitGroup
	for i := range parts {
		reading.Go(func() {
			from := first + i*step
			pages[i], errs[i] = list(ctx, d.db.Readers(), scanLive(&words{}),
				"SELECT "+journeyColumns+" FROM journeys WHERE "+underWay+" AND serial BETWEEN ? AND ? ORDER BY serial", from, min(from+step-1, last))
		})
	}
	reading.Wait()
	for _, p := range pages {
		b.live, b.damaged = append(b.live, p.rows...), append(b.damaged, p.damaged...)
	}
	return errors.Join(errs...)
}

// nothing returns an error if there are records without a progress row: serials of deleted
// records, and with them their ids, would be used again.
func (d *sqliteDisk) nothing(ctx context.Context) error {
	var records int
	err := d.db.Readers().QueryRowContext(ctx,
		"SELECT EXISTS (SELECT 1 FROM journeys) + EXISTS (SELECT 1 FROM users)").Scan(&records)
	if err == nil && records > 0 {
		err = &Damage{Table: "progress", Key: "1", Err: errors.New("it is missing, so ids would be used twice: restore a copy of the database")}
	}
	return err
}

// recent returns the creations since a time, oldest first.
func (d *sqliteDisk) recent(ctx context.Context, since time.Time, most int) ([]*Journey, error) {
	rows, err := d.db.Readers().QueryContext(ctx,
		"SELECT id, user_id, created_at, fingerprint FROM journeys ORDER BY serial DESC LIMIT ?", most)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []*Journey
	for rows.Next() {
		j := &Journey{}
		var created int64
		var fingerprint []byte
		if err := rows.Scan(&j.JourneyID, &j.UserID, &created, &fingerprint); err != nil {
			return nil, err
		}
		if j.CreatedAt = fromMilli(created); j.CreatedAt.Before(since) {
			break // as are all earlier ones
		}
		copy(j.Fingerprint[:], fingerprint)
		found = append(found, j)
	}
	slices.Reverse(found)
	return found, rows.Err()
}

// list runs a query and scans every row.
func list[R any](ctx context.Context, db *sql.DB, scan func(scanner) (*R, error), query string, args ...any) (p page[R], err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return p, unavailable(err)
	}
	all, err := collect(rows, func(row scanner) (*R, error) {
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
	return p, unavailable(err)
}

func collect[R any](rows *sql.Rows, scan func(scanner) (R, error)) ([]R, error) {
	defer rows.Close()
	var all []R
	for rows.Next() {
		r, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, rows.Err()
}
