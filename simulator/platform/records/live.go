package records

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/cabrank/cabrank/store/sqlitedb"
)

// LiveCall is a call that is up, or was up when the platform was killed.
type LiveCall struct {
	ID      string
	Account string
	Body    string // its initial data, as JSON
}

// Begin stores a call before it is placed, with its Idempotency-Key unless that is empty.
// It removes old keys.
func (r *Records) Begin(ctx context.Context, call LiveCall, key string, made Repeat, now time.Time) error {
	return r.Write(ctx, func(tx *Tx) error {
		if err := begin(ctx, tx, call); err != nil || key == "" {
			return err
		}
		if _, err := tx.sql.ExecContext(ctx, "DELETE FROM repeats WHERE made <= ?", now.Add(-RepeatsFor).Unix()); err != nil {
			return err
		}
		_, err := tx.sql.ExecContext(ctx, "INSERT OR REPLACE INTO repeats (account, key, hash, call, made) VALUES (?, ?, ?, ?, ?)",
			call.Account, key, made.Hash, call.ID, now.Unix())
		return err
	})
}

func begin(ctx context.Context, tx *Tx, call LiveCall) error {
	_, err := tx.sql.ExecContext(ctx, "INSERT OR REPLACE INTO live_calls (id, account, body) VALUES (?, ?, ?)", call.ID, call.Account, string(sqlitedb.Sealed([]byte(call.Body))))
	return err
}

// Unbegin removes a call that was not placed after all, and its key.
func (r *Records) Unbegin(ctx context.Context, id string) error {
	return r.Write(ctx, func(tx *Tx) error {
		if err := over(ctx, tx, id); err != nil {
			return err
		}
		return forgetKey(ctx, tx, id)
	})
}

func over(ctx context.Context, tx *Tx, id string) error {
	_, err := tx.sql.ExecContext(ctx, "DELETE FROM live_calls WHERE id = ?", id)
	return err
}

func forgetKey(ctx context.Context, tx *Tx, call string) error {
	_, err := tx.sql.ExecContext(ctx, "DELETE FROM repeats WHERE call = ?", call)
	return err
}

// Lost returns the calls that were up when the records were last open, and removes their
// keys: a repeated request places the call again. The calls stay stored until their end
// is, see [Batch].
func (r *Records) Lost(ctx context.Context) (list []LiveCall, err error) {
	err = query(ctx, r.db.Readers(), "SELECT id, account, body FROM live_calls ORDER BY id", func(rows *sql.Rows) error {
		var call LiveCall
		var body []byte
		if err := rows.Scan(&call.ID, &call.Account, &body); err != nil {
			return err
		}
		if body, err = sqlitedb.Unsealed(body); err != nil {
			r.skipDamaged("live_calls", call.ID, err)
		}
		call.Body = string(body)
		list = append(list, call)
		return nil
	})
	if err != nil || len(list) == 0 {
		return list, err
	}
	return list, r.Write(ctx, func(tx *Tx) error {
		for _, call := range list {
			if err := forgetKey(ctx, tx, call.ID); err != nil {
				return err
			}
		}
		return nil
	})
}

// EventsOfLost returns the stored events of the calls that [Records.Lost] returns, by
// call, in order.
func (r *Records) EventsOfLost(ctx context.Context) (map[string][]Delivery, error) {
	list, err := r.listDeliveries(ctx, "WHERE call IN (SELECT id FROM live_calls) ORDER BY seq")
	byCall := map[string][]Delivery{}
	for _, d := range list {
		byCall[d.Call] = append(byCall[d.Call], d)
	}
	return byCall, err
}

// Repeat is the result of an earlier request with an Idempotency-Key.
type Repeat struct {
	Hash string // SHA-256 of its body
	Call string // the id of the call
}

// RepeatsFor is how long an Idempotency-Key is stored.
const RepeatsFor = 24 * time.Hour

// Repeat returns the result for a key of an account within the last RepeatsFor.
func (r *Records) Repeat(ctx context.Context, account, key string, now time.Time) (Repeat, bool, error) {
	var found Repeat
	row := r.db.Readers().QueryRowContext(ctx, "SELECT hash, call FROM repeats WHERE account = ? AND key = ? AND made > ?",
		account, key, now.Add(-RepeatsFor).Unix())
	switch err := row.Scan(&found.Hash, &found.Call); {
	case errors.Is(err, sql.ErrNoRows):
		return Repeat{}, false, nil
	default:
		return found, err == nil, err
	}
}
