package sqlitedb

import "fmt"

// Damage is a record that is in the database and cannot be decoded. It is set aside: its row
// stays as it is.
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
