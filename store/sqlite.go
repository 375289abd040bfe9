package store

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/cabrank/cabrank/store/sqlitedb"
)

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
