package leases

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/cabrank/cabrank/store/postgresdb"
)

// beat renews a replica and its worlds, forgets replicas that are gone, and returns the worlds
// that were lost.
const beat = `WITH me AS (
		INSERT INTO replicas (id, address, until, worlds) VALUES ($1, $2, now() + $3::interval, cardinality($4::text[]))
		ON CONFLICT (id) DO UPDATE SET address = excluded.address, until = excluded.until, worlds = excluded.worlds
	), gone AS (
		DELETE FROM replicas WHERE id <> $1 AND until < now() - interval '1 minute'
	), held AS (
		SELECT * FROM unnest($4::text[], $5::bigint[]) AS held (name, epoch)
	), kept AS (
		UPDATE worlds SET until = now() + $3::interval FROM held
		WHERE worlds.name = held.name AND worlds.epoch = held.epoch AND worlds.owner = $1 RETURNING worlds.name
	)
	SELECT name FROM held WHERE name NOT IN (SELECT name FROM kept) ORDER BY name`

// Beat renews a replica and the leases that it holds, in one statement. It returns the worlds
// that it does not hold any more, which were not renewed.
func (t *Table) Beat(ctx context.Context, by Holder, ttl time.Duration, held []Held) (lost []string, err error) {
	ctx, cancel := within(ctx, t.limits.usual)
	defer cancel()
	if lost, err = t.renew(ctx, by, ttl, held); err != nil {
		return nil, fmt.Errorf("renew the leases of %s: %w", by.ID, err)
	}
	return lost, nil
}

func (t *Table) renew(ctx context.Context, by Holder, ttl time.Duration, held []Held) (lost []string, err error) {
	done, err := t.turn(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	names, epochs := columns(held)
	err = t.db.Urgently(ctx, func() (*pgx.Batch, error) {
		b := &pgx.Batch{}
		b.Queue(beat, by.ID, by.Address, ttl, names, epochs).Query(func(rows pgx.Rows) (err error) {
			lost, err = pgx.CollectRows(rows, pgx.RowTo[string])
			return err
		})
		return b, nil
	})
	return lost, err
}

// columns returns names and epochs, neither of them nil.
func columns(held []Held) (names []string, epochs []int64) {
	names, epochs = []string{}, []int64{}
	for _, h := range held {
		names, epochs = append(names, h.Name), append(epochs, h.Epoch)
	}
	return names, epochs
}

// Give gives worlds back, those that the replica still holds: others may take them at once.
// As no lease is renewed meanwhile, it fails if it takes more than one and a half seconds.
func (t *Table) Give(ctx context.Context, by Holder, held []Held) error {
	ctx, cancel := within(ctx, t.limits.usual)
	defer cancel()
	if err := t.give(ctx, by, held); err != nil {
		return fmt.Errorf("give worlds of %s back: %w", by.ID, err)
	}
	return nil
}

func (t *Table) give(ctx context.Context, by Holder, held []Held) error {
	done, err := t.turn(ctx)
	if err != nil {
		return err
	}
	defer done()
	ctx, cancel := context.WithTimeout(ctx, t.limits.give)
	defer cancel()
	names, epochs := columns(held)
	return t.urgently(ctx, `UPDATE worlds SET until = now(), owner = '', address = ''
		FROM unnest($2::text[], $3::bigint[]) AS held (name, epoch)
		WHERE worlds.name = held.name AND worlds.epoch = held.epoch AND worlds.owner = $1`, by.ID, names, epochs)
}

// Leave removes a replica from the list. Its leases stay.
func (t *Table) Leave(ctx context.Context, by Holder) error {
	ctx, cancel := within(ctx, t.limits.usual)
	defer cancel()
	if err := t.urgently(ctx, "DELETE FROM replicas WHERE id = $1", by.ID); err != nil {
		return fmt.Errorf("remove the replica %s: %w", by.ID, err)
	}
	return nil
}

// urgently runs a statement that may be repeated, and must not wait behind commits.
func (t *Table) urgently(ctx context.Context, statement string, args ...any) error {
	return t.db.Urgently(ctx, func() (*pgx.Batch, error) {
		b := &pgx.Batch{}
		b.Queue(statement, args...)
		return b, nil
	})
}

// Replicas returns the replicas that have renewed their leases in time, ordered by id.
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
