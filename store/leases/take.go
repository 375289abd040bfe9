package leases

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/cabrank/cabrank/store/postgresdb"
)

// Take takes a world that no replica runs: it was given back, its owner's lease is over, or by
// owns it already. Its epoch is new. If another replica runs the world, Take returns it
// with a [HeldError]. The main world is created if there is none; for others that is
// [ErrNotFound]. Take waits for a commit of the last owner that is under way.
func (t *Table) Take(ctx context.Context, name string, by Holder) (World, error) {
	ctx, cancel := within(ctx, t.limits.long)
	defer cancel()
	for {
		taken, w, err := t.take(ctx, name, by)
		switch {
		case errors.Is(err, pgx.ErrNoRows) && name == "":
			if w, err = t.Create(ctx, name, []byte("{}"), by); !errors.Is(err, ErrExists) {
				return w, err
			}
		case err != nil:
			return World{}, describeError("take", name, err)
		case taken:
			return w, nil
		case w.Left > 0:
			return w, &HeldError{w}
		} // given back, or created, meanwhile
	}
}

func (t *Table) take(ctx context.Context, name string, by Holder) (taken bool, w World, err error) {
	err = t.runEndingBlockers(ctx, func(conn *pgxpool.Conn) error {
		b := &pgx.Batch{}
		b.Queue("SELECT take_world($1, $2, $3, $4)", name, by.ID, by.Address, by.Term).QueryRow(func(row pgx.Row) error { return row.Scan(&taken) })
		queueFind(b, name, &w)
		return conn.SendBatch(ctx, b).Close()
	})
	return taken, w, err
}

// waitFor is how long a request waits for sessions that wait for their clients.
const waitFor = 500 * time.Millisecond

// endBlockers ends the sessions that block another one and wait for their clients.
const endBlockers = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
	WHERE pid = ANY (pg_blocking_pids($1)) AND wait_event = 'ClientRead'`

// runEndingBlockers runs a request, and ends the database sessions that block it while they wait for
// their clients: a replica that was stopped or cut off within a commit would otherwise keep
// its lock on the world for long.
func (t *Table) runEndingBlockers(ctx context.Context, request func(*pgxpool.Conn) error) error {
	conn, err := t.db.Pool().Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	pid := int32(conn.Conn().PgConn().PID())
	ctx, cancel := context.WithCancel(ctx)
	stopped := make(chan struct{})
	go func() { // ends with the request
		defer close(stopped)
		for again := time.NewTicker(waitFor); ; {
			select {
			case <-ctx.Done():
				again.Stop()
				return
			case <-again.C: // if it fails, the request waits on
				_ = t.urgently(ctx, "end what blocks", func(b *pgx.Batch) { b.Queue(endBlockers, pid) })
			}
		}
	}()
	err = request(conn)
	cancel()
	<-stopped
	return err
}

// Beat renews the lease of a replica, which has so many worlds, or begins one. It returns the
// term of the lease. If that is not the one of the Beat before, the lease was ended: other
// replicas may have taken worlds, see [Table.Lost].
func (t *Table) Beat(ctx context.Context, by Holder, ttl time.Duration, worlds int) (term int64, err error) {
	err = t.urgently(ctx, "renew the lease of "+by.ID, func(b *pgx.Batch) {
		b.Queue("SELECT beat($1, $2, $3, $4)", by.ID, by.Address, ttl, worlds).QueryRow(func(row pgx.Row) error { return row.Scan(&term) })
	})
	return term, err
}

// Lost returns the worlds of held that the replica no longer has.
func (t *Table) Lost(ctx context.Context, by Holder, held []Held) (lost []string, err error) {
	names, epochs := make([]string, len(held)), make([]int64, len(held))
	for i, h := range held {
		names[i], epochs[i] = h.Name, h.Epoch
	}
	err = t.urgently(ctx, "find the worlds of "+by.ID, func(b *pgx.Batch) {
		b.Queue(`SELECT name FROM unnest($2::text[], $3::bigint[]) AS held (name, epoch)
			WHERE NOT EXISTS (SELECT FROM worlds WHERE name = held.name AND epoch = held.epoch AND owner = $1) ORDER BY name`, by.ID, names, epochs).
			Query(func(rows pgx.Rows) (err error) {
				lost, err = pgx.CollectRows(rows, pgx.RowTo[string])
				return err
			})
	})
	return lost, err
}

// Give gives a world back, if the replica still has it: others may take it at once.
func (t *Table) Give(ctx context.Context, by Holder, held Held) error {
	return t.urgently(ctx, fmt.Sprintf("give the world %q back", held.Name), func(b *pgx.Batch) {
		b.Queue("UPDATE worlds SET owner = '', address = '' WHERE name = $2 AND epoch = $3 AND owner = $1", by.ID, held.Name, held.Epoch)
	})
}

// Leave ends the lease of a replica: others may take all its worlds.
func (t *Table) Leave(ctx context.Context, by Holder) error {
	return t.urgently(ctx, "remove the replica "+by.ID, func(b *pgx.Batch) {
		b.Queue("DELETE FROM replicas WHERE id = $1", by.ID)
	})
}

// urgently runs statements that may be repeated and must not wait behind commits; what describes them in errors.
func (t *Table) urgently(ctx context.Context, what string, queue func(*pgx.Batch)) error {
	ctx, cancel := within(ctx, t.limits.usual)
	defer cancel()
	err := t.db.Urgently(ctx, func() (*pgx.Batch, error) {
		b := &pgx.Batch{}
		queue(b)
		return b, nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// Replicas returns the replicas whose leases are not over, ordered by id.
func (t *Table) Replicas(ctx context.Context) ([]Replica, error) {
	ctx, cancel := within(ctx, t.limits.usual)
	defer cancel()
	rows, err := t.db.Pool().Query(ctx, `SELECT id, address, worlds, (extract(epoch FROM until - now()) * 1000000)::bigint
		FROM replicas WHERE until > now() ORDER BY id`)
	if err == nil {
		var all []Replica
		if all, err = pgx.CollectRows(rows, scanReplica); err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("list the replicas: %w", postgresdb.Explain(err))
}

func scanReplica(row pgx.CollectableRow) (r Replica, err error) {
	var left int64
	err = row.Scan(&r.ID, &r.Address, &r.Worlds, &left)
	r.Left = time.Duration(left) * time.Microsecond
	return r, err
}

// freeWorlds selects the names of the worlds whose owner has no unexpired lease, and the number of all such worlds. The
// recursive query finds each distinct owner with one look-up in the index. OFFSET 0 stops PostgreSQL from flattening a
// subquery: it selects the owners without a lease first, and does not read the worlds of the others.
const freeWorlds = `WITH RECURSIVE owners AS (
		SELECT min(owner) AS owner FROM worlds
		UNION ALL SELECT (SELECT min(worlds.owner) FROM worlds WHERE worlds.owner > owners.owner) FROM owners WHERE owner IS NOT NULL
	)
	SELECT name, count(*) OVER ()
	FROM (SELECT owner FROM owners WHERE owner IS NOT NULL AND NOT EXISTS (SELECT FROM replicas WHERE id = owner AND until > now()) OFFSET 0) AS gone
	CROSS JOIN LATERAL (SELECT name FROM worlds WHERE worlds.owner = gone.owner OFFSET 0) AS free
	ORDER BY name LIMIT $1`

// Free returns how many worlds no replica runs, and the names of up to most of them, in order.
func (t *Table) Free(ctx context.Context, most int) (names []string, all int, err error) {
	ctx, cancel := within(ctx, t.limits.usual)
	defer cancel()
	rows, err := t.db.Pool().Query(ctx, freeWorlds, most)
	if err == nil {
		names, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (name string, err error) {
			return name, row.Scan(&name, &all)
		})
	}
	if err != nil {
		return nil, 0, fmt.Errorf("list the worlds that nobody runs: %w", postgresdb.Explain(err))
	}
	return names, all, nil
}
