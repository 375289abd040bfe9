package records

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Damage is a record that is in the database and cannot be decoded. It is set aside: its row
// stays as it is, and the platform goes on without it.
type Damage struct {
	Table string // of the database
	Key   string // the id by which the row is found there
	Err   error
}

// Error implements error.
func (d *Damage) Error() string {
	return fmt.Sprintf("the row %q of the table %s cannot be read: %v", d.Key, d.Table, d.Err)
}

// Unwrap returns what is wrong with the row.
func (d *Damage) Unwrap() error { return d.Err }

// Damaged returns the records that were set aside when the database was opened.
func (r *Records) Damaged() []*Damage { return r.damaged }

// aside sets a record aside.
func (r *Records) aside(table, key string, err error) {
	r.damaged = append(r.damaged, &Damage{table, key, err})
}

// isAside reports whether a row of a table was set aside.
func (r *Records) isAside(table, key string) bool {
	for _, d := range r.damaged {
		if d.Table == table && d.Key == key {
			return true
		}
	}
	return false
}

var (
	errNoObject = errors.New("it is no JSON object")
	errOtherID  = errors.New("it is a record of another id")
)

// object decodes a JSON object; null and the like are none.
func object(text []byte, into any) error {
	if len(text) == 0 || text[0] != '{' {
		return errNoObject
	}
	return json.Unmarshal(text, into)
}

// named decodes a record that says its own id.
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
