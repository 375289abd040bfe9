package records

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Repeat is what came of an earlier request with an Idempotency-Key.
type Repeat struct {
	Hash string // SHA-256 of its body
	Call string // the id of the call that it made
}

// RepeatsFor is how long an Idempotency-Key is remembered.
const RepeatsFor = 24 * time.Hour

// Repeat returns what came of a key of an account within the last RepeatsFor.
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
