// Package records stores the data of the voice platform: organisations, users, accounts,
// numbers, settings of accounts, keys, and pending events.
//
// Requests read from memory; every change is committed to the database before it becomes
// visible in memory ([Records.Write]).
package records

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/access"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/store/sqlitedb"
)

//go:embed migrations/*.sql
var migrations embed.FS

// application marks the platform's databases: "cbrv" in ASCII.
const application = 0x63627276

// Errors of a change.
var (
	ErrTaken   = errors.New("it is taken already")
	ErrStorage = errors.New("the change could not be kept")
)

// Records is the data of the platform.
type Records struct {
	db *sqlitedb.DB

	Trunks  *Table[api.Trunk]
	Hooks   *Table[Hook]
	Devices *Table[api.Device]
	Phones  *Table[Phone]
	Taxi    *Table[json.RawMessage] // settings of the taxi plugin, by the account's id

	writing sync.Mutex   // held during a change
	mu      sync.RWMutex // guards all data in memory
	who     directory
	keys    []access.Key

	path       string
	file       fs.FileInfo // of path when it was opened; nil: in memory
	deliveries deliveryStatements
	damaged    []*sqlitedb.Damage
}

// Open opens or creates the database at path, and migrates it to the current schema; an
// empty path keeps everything in memory.
func Open(ctx context.Context, path string) (*Records, error) {
	scripts, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	db, err := sqlitedb.Open(ctx, path, sqlitedb.Options{Migrations: scripts, Application: application})
	if err != nil {
		return nil, err
	}
	r := &Records{db: db, who: newDirectory(), path: path}
	if n := db.Behind(); n > 0 {
		r.skipDamaged("write-ahead log", path+"-wal", fmt.Errorf("%d pages of it are not read, since it is damaged, or its process was killed within a large change", n))
	}
	if path != "" {
		if r.file, err = os.Stat(path); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	r.Trunks = newTable(r, "trunks", plain[api.Trunk]())
	r.Hooks = newTable(r, "hooks", hookCodec())
	r.Devices = newTable(r, "devices", deviceCodec())
	r.Phones = newTable(r, "phones", phoneCodec())
	r.Taxi = newTable(r, "taxi", taxiCodec())
	if err := r.read(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return r, nil
}

func (r *Records) read(ctx context.Context) error {
	for _, read := range []func(context.Context, sqlitedb.Querier) error{
		r.readDirectory, r.readKeys, r.Trunks.read, r.Hooks.read, r.Devices.read, r.Phones.read, r.Taxi.read,
	} {
		if err := read(ctx, r.db.Readers()); err != nil {
			return err
		}
	}
	return r.prepareDeliveries(ctx)
}

// Close closes the database.
func (r *Records) Close() error { return r.db.Close() }

// Tx is a change that is being written: one transaction of the database.
type Tx struct {
	sql   sqlitedb.Querier
	apply []func() // updates of the memory after the commit
}

func (tx *Tx) then(do func()) { tx.apply = append(tx.apply, do) }

// Write runs a change in one transaction. There is only one at a time, so what do has checked stays true until the
// commit. If do fails, nothing is changed.
func (r *Records) Write(ctx context.Context, do func(*Tx) error) error {
	r.writing.Lock()
	defer r.writing.Unlock()
	tx := &Tx{}
	err := r.db.Write(ctx, func(q sqlitedb.Querier) error {
		tx.sql, tx.apply = q, nil
		return do(tx)
	})
	if _, refused := errors.AsType[*api.Problem](err); refused || errors.Is(err, ErrTaken) {
		return err
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrStorage, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, apply := range tx.apply {
		apply()
	}
	return nil
}

// Healthy checks that a change can be stored by storing one: a statement that changes no
// row would succeed even on a full disk.
func (r *Records) Healthy(ctx context.Context, now time.Time) error {
	if r.file != nil {
		if there, err := os.Stat(r.path); err != nil || !os.SameFile(there, r.file) {
			return fmt.Errorf("%w: the database file was moved or replaced: what is kept goes to the one that was there", ErrStorage)
		}
	}
	return r.Write(ctx, func(tx *Tx) error {
		_, err := tx.sql.ExecContext(ctx, "INSERT OR REPLACE INTO health (id, seen) VALUES (1, ?)", now.UnixNano())
		return err
	})
}
