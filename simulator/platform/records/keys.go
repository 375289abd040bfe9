package records

import (
	"context"
	"crypto/rsa"
	"crypto/x509"
	"database/sql"
	"fmt"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/access"
	"github.com/cabrank/cabrank/store/sqlitedb"
)

// Keys returns the keys that sign and verify tokens.
func (r *Records) Keys() []access.Key {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.keys
}

// AddKey stores a key.
func (r *Records) AddKey(ctx context.Context, tx *Tx, k access.Key) error {
	der, err := x509.MarshalPKCS8PrivateKey(k.Private)
	if err != nil {
		return err
	}
	_, err = tx.sql.ExecContext(ctx, "INSERT INTO keys (id, made, der) VALUES (?, ?, ?)", k.ID, k.Made.UnixNano(), der)
	tx.then(func() { r.keys = append(r.keys[:len(r.keys):len(r.keys)], k) })
	return err
}

func (r *Records) readKeys(ctx context.Context, db sqlitedb.Querier) error {
	return query(ctx, db, "SELECT id, made, der FROM keys ORDER BY made", func(rows *sql.Rows) error {
		var id string
		var made int64
		var der []byte
		if err := rows.Scan(&id, &made, &der); err != nil {
			return err
		}
		private, err := x509.ParsePKCS8PrivateKey(der)
		rsaKey, ok := private.(*rsa.PrivateKey)
		if err == nil && !ok {
			err = fmt.Errorf("%T is not a kind that this program signs with", private)
		}
		if err != nil { // tokens that it has signed become invalid
			r.skipDamaged("keys", id, err)
			return nil
		}
		r.keys = append(r.keys, access.Key{ID: id, Made: time.Unix(0, made), Private: rsaKey})
		return nil
	})
}
