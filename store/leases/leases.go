package leases

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/cabrank/cabrank/store/postgresdb"
)

// ErrExists means that there is a world with that name.
var ErrExists = errors.New("there is a world with that name")

// ErrNotFound means that there is no world with that name.
var ErrNotFound = errors.New("no such world")

// ErrFenced means that the world has another epoch: another replica took it.
var ErrFenced = postgresdb.ErrFenced

// ErrOver means that the lease of a replica has another term: another replica ended it.
var ErrOver = errors.New("the lease of this replica was over, and another replica has ended it")

// Holder is a replica that has a lease, or begins one.
type Holder struct {
	ID      string // of the process; not empty
	Address string // where other replicas reach it
	Term    int64  // of its lease, see [Table.Beat]
}

// Held is a world with the epoch under which a replica has taken it.
type Held struct {
	Name  string
	Epoch int64
}

// World is a world and its owner.
type World struct {
	Name           string // "": the main world
	Epoch          int64
	Owner, Address string        // of the replica that took it last; empty: it was given back
	Left           time.Duration // of the owner's lease; 0 or less: no replica runs it
	Facts          []byte        // JSON
}

// HeldError means that another replica runs a world.
type HeldError struct{ World World }

// Error implements error.
func (e *HeldError) Error() string {
	return fmt.Sprintf("the world %q is run by %s at %s", e.World.Name, e.World.Owner, e.World.Address)
}

// Replica is a process that renews its leases.
type Replica struct {
	ID, Address string
	Worlds      int // that it has
	Left        time.Duration
}

// Table reads and changes the table of worlds and the leases of replicas. Its methods may be called from any goroutine.
type Table struct {
	db     *postgresdb.DB
	limits limits
}

// New returns the table of a database.
func New(db *postgresdb.DB) *Table { return &Table{db: db, limits: usualLimits} }

// selectWorlds selects the columns that scanWorld reads.
const selectWorlds = `SELECT name, epoch, owner, w.address, coalesce((extract(epoch FROM until - now()) * 1000000)::bigint, 0), facts
	FROM worlds w LEFT JOIN replicas ON id = owner `

func scanWorld(row pgx.CollectableRow) (w World, err error) {
	var left int64
	err = row.Scan(&w.Name, &w.Epoch, &w.Owner, &w.Address, &left, &w.Facts)
	w.Left = time.Duration(left) * time.Microsecond
	return w, err
}

// Find returns a world, or [ErrNotFound].
func (t *Table) Find(ctx context.Context, name string) (World, error) {
	ctx, cancel := within(ctx, t.limits.usual)
	defer cancel()
	rows, err := t.db.Pool().Query(ctx, selectWorlds+"WHERE name = $1", name)
	if err == nil {
		var w World
		if w, err = pgx.CollectOneRow(rows, scanWorld); err == nil {
			return w, nil
		}
	}
	return World{}, describeError("find", name, err)
}

// List returns all worlds, ordered by name.
func (t *Table) List(ctx context.Context) ([]World, error) {
	ctx, cancel := within(ctx, t.limits.usual)
	defer cancel()
	rows, err := t.db.Pool().Query(ctx, selectWorlds+"ORDER BY name")
	if err == nil {
		var all []World
		if all, err = pgx.CollectRows(rows, scanWorld); err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("list the worlds: %w", postgresdb.Explain(err))
}

// Create makes a world for a replica, or returns [ErrExists] or [ErrOver]. A name with an @ is
// refused: it is that of a copy of another world's records.
func (t *Table) Create(ctx context.Context, name string, facts []byte, by Holder) (w World, err error) {
	if strings.Contains(name, "@") {
		return World{}, fmt.Errorf("create the world %q: the name of a world has no @", name)
	}
	ctx, cancel := within(ctx, t.limits.usual)
	defer cancel()
	b := &pgx.Batch{}
	b.Queue("SELECT hold($1, $2)", by.ID, by.Term)
	b.Queue("INSERT INTO worlds (name, epoch, owner, address, facts) VALUES ($1, nextval('epochs'), $2, $3, $4) ON CONFLICT DO NOTHING",
		name, by.ID, by.Address, string(facts)).Exec(func(done pgconn.CommandTag) error {
		if done.RowsAffected() == 0 {
			return ErrExists
		}
		return nil
	})
	queueFind(b, name, &w)
	if err := t.db.Send(ctx, b); err != nil {
		return World{}, describeError("create", name, err)
	}
	return w, nil
}

// queueFind adds the query for a world to a batch; its result is stored in w.
func queueFind(b *pgx.Batch, name string, w *World) {
	b.Queue(selectWorlds+"WHERE name = $1", name).Query(func(rows pgx.Rows) (err error) {
		*w, err = pgx.CollectOneRow(rows, scanWorld)
		return err
	})
}

// Remove deletes a world with its records and their copies, or returns [ErrFenced]. It is no
// error if there is no such world.
func (t *Table) Remove(ctx context.Context, name string, epoch int64) error {
	ctx, cancel := within(ctx, t.limits.long)
	defer cancel()
	return describeError("remove", name, t.db.Repeat(ctx, func() (*pgx.Batch, error) {
		b := &pgx.Batch{}
		b.Queue("SELECT remove_world($1, $2)", name, epoch)
		return b, nil
	}))
}

// SetFacts replaces the facts of a world, or returns [ErrFenced].
func (t *Table) SetFacts(ctx context.Context, name string, epoch int64, facts []byte) error {
	ctx, cancel := within(ctx, t.limits.usual)
	defer cancel()
	return describeError("change", name, t.db.Repeat(ctx, func() (*pgx.Batch, error) {
		b := &pgx.Batch{}
		b.Queue("SELECT fence($1, $2)", name, epoch)
		b.Queue("UPDATE worlds SET facts = $2 WHERE name = $1", name, string(facts))
		return b, nil
	}))
}

// describeError adds the failed action and advice for a cure to an error; nil stays nil.
func describeError(what, name string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pgx.ErrNoRows):
		err = ErrNotFound
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code == "ZC003" {
		err = ErrOver
	}
	return fmt.Errorf("%s the world %q: %w", what, name, postgresdb.Explain(err))
}
