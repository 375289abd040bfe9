package records

import (
	"encoding/json"
	"errors"

	"github.com/cabrank/cabrank/store/sqlitedb"
)

// Damaged returns the damaged records that were skipped when the database was opened. The
// platform works without them.
func (r *Records) Damaged() []*sqlitedb.Damage { return r.damaged }

// skipDamaged skips a damaged record.
func (r *Records) skipDamaged(table, key string, err error) {
	r.damaged = append(r.damaged, &sqlitedb.Damage{Table: table, Key: key, Err: err})
}

// isAside reports whether the row of a table with this key was skipped as damaged.
func (r *Records) isAside(table, key string) bool {
	for _, d := range r.damaged {
		if d.Table == table && d.Key == key {
			return true
		}
	}
	return false
}

var (
	errNoObject = errors.New("it is not a JSON object")
	errOtherID  = errors.New("it is a record of another id")
)

// object decodes a JSON object; null and other JSON values are errors.
func object(text []byte, into any) error {
	if len(text) == 0 || text[0] != '{' {
		return errNoObject
	}
	return json.Unmarshal(text, into)
}

// named decodes a record that contains its own id.
func named[T any](load func([]byte) (T, error)) func(id string, text []byte) (T, error) {
	return func(id string, text []byte) (v T, err error) {
		var own struct{ ID string }
		if err := object(text, &own); err != nil {
			return v, err
		}
		if own.ID != id {
			return v, errOtherID
		}
		return load(text)
	}
}
