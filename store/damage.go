package store

import "github.com/cabrank/cabrank/store/sqlitedb"

// Damage is a record that cannot be read: lists omit it, and reading it fails with the
// Damage. Its id is not used again.
type Damage = sqlitedb.Damage

// Damaged returns the damaged live journeys that were found when the database was opened. It
// does not include damaged records that are found later.
func (s *Store) Damaged() []*Damage { return s.damaged }

// logDamaged logs records that a list omits.
func (s *Store) logDamaged(damaged []*Damage) {
	for _, d := range damaged {
		s.log.Error("a record is set aside, and its row left as it is", "table", d.Table, "key", d.Key, "error", d.Err)
	}
}
