package postgresdb

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
)

// migrationLock is the advisory lock that processes take to migrate: "cabR" in ASCII.
const migrationLock = 0x63616252

// migrate runs the scripts that a database has not had, in the order of their names, in one
// transaction. The table cabrank_schema counts them. Processes that start together take turns.
func migrate(ctx context.Context, conn *pgx.Conn, scripts fs.FS) error {
	names, err := fs.Glob(scripts, "migrations/*.sql") // sorted
	if err != nil {
		return err
	}
	if had, err := appliedScripts(ctx, conn); err != nil || had == len(names) {
		return err
	}
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(migrationLock)); err != nil {
			return err
		}
		had, err := appliedScripts(ctx, tx)
		if err != nil {
			return err
		}
		return runScripts(ctx, tx, scripts, names, had)
	})
}

// querier is a connection or a transaction.
type querier interface {
	QueryRow(ctx context.Context, query string, args ...any) pgx.Row
}

// appliedScripts returns how many scripts a database has had.
func appliedScripts(ctx context.Context, q querier) (had int, err error) {
	var there bool
	if err := q.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'cabrank_schema')").Scan(&there); err != nil || !there {
		return 0, err
	}
	return had, q.QueryRow(ctx, "SELECT scripts FROM cabrank_schema").Scan(&had)
}

// runScripts runs the scripts that a database has not had.
func runScripts(ctx context.Context, tx pgx.Tx, scripts fs.FS, names []string, had int) error {
	if had > len(names) {
		return fmt.Errorf("it has schema %d and this program knows up to %d: use the newer program that made it, or another database", had, len(names))
	}
	if had == 0 {
		if _, err := tx.Exec(ctx, "CREATE TABLE cabrank_schema AS SELECT 0 AS scripts"); err != nil {
			return err
		}
	}
	for _, name := range names[had:] {
		script, err := fs.ReadFile(scripts, name)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, string(script)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	_, err := tx.Exec(ctx, "UPDATE cabrank_schema SET scripts = $1", len(names))
	return err
}
