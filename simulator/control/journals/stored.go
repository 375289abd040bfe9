package journals

import (
	"context"

	"github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/store"
)

// StoreIn implements [control.Journal]. The first records may have the requests of an earlier
// process; those that replace them get all that the journal has.
func (s *served) StoreIn(records *store.Store) {
	before := s.records.Load()
	if !s.all.options.Keep || before == records {
		return
	}
	if before == nil && !s.restore(records) {
		return
	}
	s.records.Store(records)
	records.SetLog(savedLog{s.Saver(before == nil)})
}

// restore adds the stored requests to the journal, and reports whether they could be read: if
// not, they must not be replaced.
func (s *served) restore(records *store.Store) bool {
	log := s.all.options.Log.With("sandbox", s.name)
	stored, err := records.Log(context.Background(), mostCalls)
	if err != nil {
		log.Error("the journal begins anew and is not stored: the requests before cannot be read", "error", err)
		return false
	}
	entries := make([]live.Entry, len(stored))
	for i, e := range stored {
		entries[i] = live.Entry{ID: int(e.ID), Body: e.Body}
	}
	if err := s.Restore(entries); err != nil {
		log.Error("the journal goes on without some requests: they cannot be read", "error", err)
	}
	return true
}

// grew tells the records that the journal has new requests to store.
func (s *served) grew() {
	if records := s.records.Load(); records != nil {
		records.LogGrew()
	}
}

// savedLog presents the journal of a world as a log for its records.
type savedLog struct{ saver *live.Saver }

// Next implements [store.Log].
func (l savedLog) Next() (entries []store.Entry, from int64) {
	saved, first := l.saver.Next()
	for _, e := range saved {
		entries = append(entries, store.Entry{ID: int64(e.ID), Body: e.Body})
	}
	return entries, int64(first)
}

// Stored implements [store.Log].
func (l savedLog) Stored() { l.saver.Stored() }
