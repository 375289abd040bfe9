package leases

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// takeWorld gives a world to a replica, unless another one has it.
const takeWorld = `UPDATE worlds SET epoch = nextval('epochs'), owner = $2, address = $3, until = now() + $4::interval
	WHERE name = $1 AND (owner IN ('', $2) OR until <= now()) RETURNING ` + worldColumns

// Take takes a world that no replica runs: it was given back, its lease has expired, or its
// owner is by itself. Its epoch is new. If another replica runs the world, Take returns it
// with a [HeldError]. The main world is created if there is none; for others that is
// [ErrNotFound]. Take waits for a commit of the last owner that is under way.
func (t *Table) Take(ctx context.Context, name string, by Holder, ttl time.Duration) (World, error) {
	ctx, cancel := within(ctx, t.limits.long)
	defer cancel()
	for {
		w, err := t.take(ctx, name, by, ttl)
		if !errors.Is(err, pgx.ErrNoRows) {
			return w, about("take", name, err)
		}
		w, err = t.Find(ctx, name)
		switch {
		case err == nil && w.Owner != "" && w.Left > 0:
			return w, &HeldError{w}
		case errors.Is(err, ErrNotFound) && name == "":
			if w, err = t.Create(ctx, name, []byte("{}"), by, ttl); !errors.Is(err, ErrExists) {
				return w, err
			}
		case err != nil:
			return World{}, err
		} // given back, or created, meanwhile
	}
}

func (t *Table) take(ctx context.Context, name string, by Holder, ttl time.Duration) (w World, err error) {
	err = t.unblocked(ctx, func(conn *pgxpool.Conn) error {
		rows, err := conn.Query(ctx, takeWorld, name, by.ID, by.Address, ttl)
		if err != nil {
			return err
		}
		w, err = pgx.CollectOneRow(rows, scanWorld)
		return err
	})
	return w, err
}

// waitFor is how long a request waits for sessions that wait for their clients.
const waitFor = 500 * time.Millisecond

// endBlockers ends the sessions that block another one and wait for their clients.
const endBlockers = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
	WHERE pid = ANY (pg_blocking_pids($1)) AND wait_event = 'ClientRead'`

// unblocked runs a request. A replica that is stopped or cut off in the middle of a commit
// would keep its lock on the world for as long as the system takes it to be connected: such
// sessions are ended.
func (t *Table) unblocked(ctx context.Context, request func(*pgxpool.Conn) error) error {
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
				_ = t.urgently(ctx, endBlockers, pid)
			}
		}
	}()
	err = request(conn)
	cancel()
	<-stopped
	return err
}
