package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/cabrank/cabrank/store/sqlitedb"
)

// Entry is an entry of a log that is stored beside the records. Only the writer of the log
// reads its body.
type Entry struct {
	ID   int64
	Body []byte // not nil
}

// Log returns what is to be stored of a log. The committer calls its methods, outside the
// store's lock.
type Log interface {
	// Next returns the next entries that are not stored, at most a group's share; none if all
	// are stored. An entry replaces a stored one with its id, and stored ones with ids below
	// from are deleted.
	Next() (entries []Entry, from int64)

	// Stored is called when the entries of the latest Next are durable. If they cannot be
	// written, Next is called again instead.
	Stored()
}

// SetLog stores a log from now on, in the commits of the records, and instead of the one
// before. Nobody waits for it, and a store in memory does not keep it. [Store.LogGrew] has to
// be called when there are new entries.
func (s *Store) SetLog(l Log) {
	s.mu.Lock()
	s.entries = l
	s.mu.Unlock()
	s.LogGrew()
}

// LogGrew makes the next commit include new entries of the log. It does not block.
func (s *Store) LogGrew() {
	if s.disk != nil {
		signal(s.changed)
	}
}

// Log returns at most n stored entries, those with the highest ids, in order.
func (s *Store) Log(ctx context.Context, n int) ([]Entry, error) {
	if s.disk == nil {
		return nil, nil
	}
	p, err := s.disk.entries(ctx, n)
	if err != nil {
		return nil, fmt.Errorf("read the log: %w", err)
	}
	s.logDamaged(p.damaged)
	entries := make([]Entry, 0, len(p.rows))
	for _, e := range slices.Backward(p.rows) {
		entries = append(entries, *e)
	}
	return entries, nil
}

// takeLog adds entries of the log to a batch.
func (s *Store) takeLog(t *commitBatch) {
	if t.source != nil && s.fence() == nil {
		t.log, t.logFrom = t.source.Next()
	}
}

// logStored tells the log that entries are durable. The next commit asks whether there are more.
func (s *Store) logStored(t *commitBatch) {
	if len(t.log) > 0 {
		t.source.Stored()
		signal(s.changed)
	}
}

// mostLast limits the commits of a store that closes: the log may grow meanwhile.
const mostLast = 64

// commitLast commits the remaining records, and all entries of the log.
func (s *Store) commitLast(ctx context.Context) {
	for range mostLast {
		if t, ok := s.commit(ctx); !ok || len(t.log) == 0 {
			return
		}
	}
}

// scanEntry decodes a row of the log. If it is damaged, the error is a [Damage].
func scanEntry(row scanner) (*Entry, error) {
	e := &Entry{}
	err := row.Scan(&e.ID, &e.Body)
	if err != nil {
		return e, err
	}
	if e.Body, err = sqlitedb.Unsealed(e.Body); err != nil {
		return e, &Damage{Table: "log", Key: strconv.FormatInt(e.ID, 10), Err: err}
	}
	return e, nil
}
