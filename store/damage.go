package store

import "fmt"

// Damage is a record that is in the database and cannot be decoded. It is set aside: its
// row stays as it is, no list has it, and asking for it alone fails with the Damage. Its
// id is not given again.
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

// Damaged returns the journeys under way that were set aside when the database was opened.
// Records that are read later are not among them.
func (s *Store) Damaged() []*Damage { return s.damaged }

// tell logs records that a list leaves out.
func (s *Store) tell(damaged []*Damage) {
	for _, d := range damaged {
		s.log.Error("a record is set aside, and its row left as it is", "table", d.Table, "key", d.Key, "error", d.Err)
	}
}
