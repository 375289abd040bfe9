package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store/sqlitedb"
)

// gets are the prepared statements that read single records.
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

func (d *sqliteDisk) journeysBelow(ctx context.Context, serial uint64, n int) (page[Snapshot], error) {
	return list(ctx, d.db.Readers(), scanJourney,
		"SELECT "+journeyColumns+" FROM journeys WHERE serial < ? ORDER BY serial DESC LIMIT ?", int64(serial), n)
}

func (d *sqliteDisk) usersAfter(ctx context.Context, id taxi.UserID, n int) (page[User], error) {
	return list(ctx, d.db.Readers(), scanUser,
		"SELECT "+userColumns+" FROM users WHERE id > ? ORDER BY id LIMIT ?", string(id), n)
}

func (d *sqliteDisk) entries(ctx context.Context, n int) (page[Entry], error) {
	return list(ctx, d.db.Readers(), scanEntry, "SELECT id, body FROM log ORDER BY id DESC LIMIT ?", n)
}

func (d *sqliteDisk) load(ctx context.Context, window time.Duration, recents int) (*startState, error) {
	b := &startState{}
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
	meta, err := list(ctx, d.db.Readers(), scanMeta, "SELECT key, value FROM meta")
	b.meta = meta.rows
	return b, err
}

// underWay is true of a row whose journey has not ended.
const underWay = "status NOT IN ('COMPLETE', 'CANCELLED')"

// live reads the journeys that have not ended, in order.
func (d *sqliteDisk) live(ctx context.Context, b *startState) error {
	var first, last int64
	if err := d.db.Readers().QueryRowContext(ctx,
		"SELECT coalesce(min(serial), 0), coalesce(max(serial), -1) FROM journeys WHERE "+underWay).Scan(&first, &last); err != nil {
		return unavailable(err)
	}
	all, err := readConcurrently(first, last, func(from, to int64) (page[Snapshot], error) {
		return list(ctx, d.db.Readers(), scanLive[sql.RawBytes],
			"SELECT "+journeyColumns+" FROM journeys WHERE "+underWay+" AND serial BETWEEN ? AND ? ORDER BY serial", from, to)
	})
	b.live, b.damaged = all.rows, all.damaged
	return err
}

// nothing returns an error if there are records without a progress row.
func (d *sqliteDisk) nothing(ctx context.Context) error {
	var records int
	err := d.db.Readers().QueryRowContext(ctx,
		"SELECT EXISTS (SELECT 1 FROM journeys) + EXISTS (SELECT 1 FROM users)").Scan(&records)
	if err == nil && records > 0 {
		err = noProgress()
	}
	return err
}

// recent returns the creations since a time, oldest first.
func (d *sqliteDisk) recent(ctx context.Context, since time.Time, most int) ([]*Journey, error) {
	rows, err := d.db.Readers().QueryContext(ctx, //nolint:rowserrcheck // collectRecent checks it
		"SELECT id, user_id, created_at, fingerprint FROM journeys ORDER BY serial DESC LIMIT ?", most)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return collectRecent(rows, since)
}

// list runs a query and scans every row.
func list[R any](ctx context.Context, db *sql.DB, scan func(scanner) (*R, error), query string, args ...any) (page[R], error) {
	rows, err := db.QueryContext(ctx, query, args...) //nolint:rowserrcheck // collectPage checks it
	if err != nil {
		return page[R]{}, unavailable(err)
	}
	defer rows.Close()
	p, err := collectPage(rows, scan)
	return p, unavailable(err)
}

//go:embed migrations/*.sql
var migrations embed.FS

// application marks a database file as a store's: "cabR" in ASCII.
const application = 0x63616252

// sqliteDisk stores the records in one SQLite file.
type sqliteDisk struct {
	db  *sqlitedb.DB
	put puts
	get gets
}

// openSQLite opens or creates a database file, migrates it to the newest schema, and
// prevents other processes from writing to it.
func openSQLite(ctx context.Context, path string, durability sqlitedb.Durability) (*sqliteDisk, error) {
	scripts, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	db, err := sqlitedb.Open(ctx, path, sqlitedb.Options{Migrations: scripts, Application: application, Durability: durability})
	if err != nil {
		return nil, err
	}
	d := &sqliteDisk{db: db}
	if err := d.prepare(ctx); err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, errors.Join(err, db.Close()))
	}
	return d, nil
}

func (d *sqliteDisk) prepare(ctx context.Context) (err error) {
	if d.put, err = preparePuts(ctx, d.db); err != nil {
		return err
	}
	d.get, err = prepareGets(ctx, d.db.Readers())
	return err
}

func (d *sqliteDisk) copyTo(ctx context.Context, to Place) error {
	file, ok := to.(File)
	if !ok {
		return fmt.Errorf("%s is not a database file", to)
	}
	if err := file.Remove(ctx); err != nil { // of a killed process
		return err
	}
	return d.db.CopyTo(ctx, string(file))
}

func (d *sqliteDisk) close() error { return d.db.Close() }
