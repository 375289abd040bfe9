package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/cabrank/cabrank/store/postgresdb"
	"github.com/cabrank/cabrank/store/sqlitedb"
)

// Export implements [Place]. It copies rows as they are, also those that cannot be read.
func (p sharedPlace) Export(ctx context.Context, path string) error {
	d, err := openSQLite(ctx, path, sqlitedb.Normal)
	if err != nil {
		return fmt.Errorf("export %s: %w", p, err)
	}
	asOfNow := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	short, done := limited(ctx, exportTime)
	err = pgx.BeginTxFunc(short, p.db.Pool(), asOfNow, func(tx pgx.Tx) error {
		return d.db.Write(short, func(sqlitedb.Querier) error { return p.exportTo(short, tx, d) })
	})
	err = done(err)
	if err = errors.Join(postgresdb.Explain(err), d.close()); err != nil {
		return fmt.Errorf("export %s to %s: %w", p, path, err)
	}
	return nil
}

func (p sharedPlace) exportTo(ctx context.Context, tx pgx.Tx, d *sqliteDisk) error {
	var serial, latest int64
	switch err := tx.QueryRow(ctx, "SELECT serial, latest FROM progress WHERE world = $1", p.world).Scan(&serial, &latest); {
	case errors.Is(err, pgx.ErrNoRows):
		return ErrNotFound
	case err != nil:
		return err
	}
	for i := range recordTables {
		if err := p.exportTable(ctx, tx, &recordTables[i], d.put.records[i]); err != nil {
			return err
		}
	}
	return d.putProgress(ctx, uint64(serial), time.UnixMilli(latest))
}

func (p sharedPlace) exportTable(ctx context.Context, tx pgx.Tx, t *recordTable, to *put) error {
	found, err := tx.Query(ctx, fmt.Sprintf("SELECT %s FROM %s WHERE world = $1", t.columns, t.name), p.world)
	if err != nil {
		return err
	}
	defer found.Close()
	for found.Next() {
		row, err := found.Values()
		if err != nil {
			return err
		}
		for c, value := range row {
			if text, ok := value.([]byte); ok && t.kinds[c] == 't' {
				row[c] = string(text)
			}
		}
		to.args = append(to.args, row...)
		if err := to.added(ctx); err != nil {
			return err
		}
	}
	return errors.Join(found.Err(), to.rest(ctx))
}
