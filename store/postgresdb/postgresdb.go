package postgresdb

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Options configures the connections to a database; the zero value suits most uses.
type Options struct {
	// Connections is the maximum number of connections of this process, without the two of
	// [DB.Urgently]; 0: 16. The parameter pool_max_conns of the URL overrides it.
	Connections int
}

// DB is an open database. Its methods may be called from any goroutine.
type DB struct {
	pool   *pgxpool.Pool
	urgent *pgxpool.Pool // for what must not wait behind commits
	name   string
	number atomic.Int64
}

// oldest is the oldest supported server, as in server_version_num.
const oldest = 13_00_00

// Open connects to the database of a URL such as postgres://user:password@host/name, and
// brings it to the newest schema. The parameter search_path of the URL, or schema, names the
// schema; the default is that of the server, usually public. Open refuses servers before
// PostgreSQL 13, a database that a newer version made, and one whose tables are another
// program's. The error names the database and the cure, never the password.
func Open(ctx context.Context, url string, o Options) (*DB, error) {
	config, err := configOf(url, o)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	d := &DB{name: nameOf(config.ConnConfig)}
	if d.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, fmt.Errorf("open database %s: %w", d, err)
	}
	if d.urgent, err = pgxpool.NewWithConfig(ctx, urgentOf(config)); err != nil {
		d.pool.Close()
		return nil, fmt.Errorf("open database %s: %w", d, err)
	}
	if err := d.prepare(ctx); err != nil {
		d.Close()
		return nil, fmt.Errorf("open database %s: %w", d, Explain(err))
	}
	return d, nil
}

// prepare checks the server and migrates the database.
func (d *DB) prepare(ctx context.Context) error {
	conn, err := d.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	var version int
	var standby bool
	row := conn.QueryRow(ctx, "SELECT current_setting('server_version_num')::int, pg_is_in_recovery()")
	if err := row.Scan(&version, &standby); err != nil {
		return err
	}
	if err := refusal(version, standby); err != nil {
		return err
	}
	return migrate(ctx, conn.Conn(), migrations)
}

// refusal returns an error if a server cannot be used, since it is too old or a standby.
func refusal(version int, standby bool) error {
	switch {
	case version < oldest:
		return fmt.Errorf("the server is PostgreSQL %d: use 13 or newer", version/10_000)
	case standby:
		return errors.New("the server is a standby, which only reads: use the address of the primary server")
	}
	return nil
}

// String returns the URL of the database, without the password.
func (d *DB) String() string { return d.name }

// Pool returns the pool of connections. [Explain] adds advice for a cure to their errors.
func (d *DB) Pool() *pgxpool.Pool { return d.pool }

// Number returns 1, 2, 3, …: numbers for the commits of this process, see begin_commit in the
// schema.
func (d *DB) Number() int64 { return d.number.Add(1) }

// Send runs the statements of a batch as one transaction, in one round trip, and returns the
// first error.
func (d *DB) Send(ctx context.Context, b *pgx.Batch) error { return send(ctx, d.pool, b) }

func send(ctx context.Context, pool *pgxpool.Pool, b *pgx.Batch) error {
	return Explain(pool.SendBatch(ctx, b).Close())
}

// Repeat is [DB.Send] for statements that may be run twice: if the connection is lost, they
// are sent again. Each connection of a server that has ended costs a try.
func (d *DB) Repeat(ctx context.Context, batch func() (*pgx.Batch, error)) error {
	return repeat(ctx, d.pool, batch)
}

// Urgently is [DB.Repeat] on one of two separate connections, so that the statements do not
// wait behind the commits of many worlds. It is for short statements.
func (d *DB) Urgently(ctx context.Context, batch func() (*pgx.Batch, error)) error {
	return repeat(ctx, d.urgent, batch)
}

func repeat(ctx context.Context, pool *pgxpool.Pool, batch func() (*pgx.Batch, error)) error {
	for stale := pool.Stat().TotalConns(); ; stale-- {
		b, err := batch()
		if err != nil {
			return err
		}
		if err = send(ctx, pool, b); !Lost(err) || stale <= 0 {
			return err
		}
	}
}

// Close waits until no connection is in use, and closes all.
func (d *DB) Close() {
	d.pool.Close()
	d.urgent.Close()
}
