package leases

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/cabrank/cabrank/store/postgresdb"
)

// Setting returns a setting that all replicas share; "" if there is none.
func (t *Table) Setting(ctx context.Context, key string) (value string, err error) {
	ctx, cancel := within(ctx, t.limits.usual)
	defer cancel()
	err = t.db.Pool().QueryRow(ctx, "SELECT value FROM settings WHERE key = $1", key).Scan(&value)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return "", fmt.Errorf("read the setting %s: %w", key, postgresdb.Explain(err))
	}
	return value, nil
}

// ChangeSetting replaces a setting, "" if there is none, by the result of change. Changes of
// one setting take turns. If change fails, nothing changes and its error is returned.
func (t *Table) ChangeSetting(ctx context.Context, key string, change func(old string) (string, error)) error {
	ctx, cancel := within(ctx, t.limits.usual)
	defer cancel()
	err := pgx.BeginFunc(ctx, t.db.Pool(), func(tx pgx.Tx) error {
		var value string
		// The update locks the row, also that of another's insertion.
		row := tx.QueryRow(ctx, "INSERT INTO settings VALUES ($1, '') ON CONFLICT (key) DO UPDATE SET value = settings.value RETURNING value", key)
		err := row.Scan(&value)
		if err == nil {
			value, err = change(value)
		}
		if err == nil {
			_, err = tx.Exec(ctx, "UPDATE settings SET value = $2 WHERE key = $1", key, value)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("change the setting %s: %w", key, postgresdb.Explain(err))
	}
	return nil
}

// limits are the time limits of requests: the database may hang.
type limits struct {
	usual time.Duration // without a limit of the caller
	long  time.Duration // … where many records, or the commits of others, may take their time
}

// usualLimits are the time limits of all tables, except in tests.
var usualLimits = limits{usual: 5 * time.Second, long: 30 * time.Second}

// within limits the time of a request whose caller has set no limit.
func within(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	if _, limited := ctx.Deadline(); limited {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, most)
}
