package store

import "github.com/cabrank/cabrank/store/sqlitedb"

// Damage is a record that is set aside: no list has it, and asking for it alone fails with
// the Damage. Its id is not given again.
type Damage = sqlitedb.Damage

// Damaged returns the journeys under way that were set aside when the database was opened.
// Records that are read later are not among them.
func (s *Store) Damaged() []*Damage { return s.damaged }

// tell logs records that a list leaves out.
func (s *Store) tell(damaged []*Damage) {
	for _, d := range damaged {
		s.log.Error("a record is set aside, and its row left as it is", "table", d.Table, "key", d.Key, "error", d.Err)
	}
}
