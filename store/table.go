package store

import (
	"context"

	lru "github.com/hashicorp/golang-lru/v2"
)

// table holds the records of one kind that are in memory. Records that are live or not yet
// durable are held. The others are idle: the least recently used are evicted, and read from
// the disk when needed again. get needs the store's read lock, all other methods its write
// lock.
type table[K comparable, R any] struct {
	held  map[K]*slot[K, R]
	idle  *lru.Cache[K, *slot[K, R]] // nil: there is no disk and no eviction
	queue []*slot[K, R]              // changed records for the committer

	touched  []*slot[K, R] // by the change being applied
	complete bool          // all records are in memory, so a miss needs no disk

	load      func(context.Context, K) (*R, error) // from the disk
	mustHold  func(*R) bool                        // held though durable; nil: none is
	index     func(*slot[K, R], *R)                // called before each change; nil: there is no index
	onEvict   func(*slot[K, R])                    // called when a record is evicted; nil: there is no index
	onRead    func(*R)                             // called when a record is returned from the store; nil: nothing to do
	onReplace func(*R)                             // called with a replaced record; nil: nothing to do
}

// slot holds one record in memory. Records are replaced and never modified, so that readers
// have a consistent version.
type slot[K comparable, R any] struct {
	key     K
	now     *R   // nil only inside the change that creates it
	before  *R   // the record before the change being applied
	touched bool // by the change being applied
	queued  bool // waiting for the committer
	writing bool // in the group being committed
	idle    bool // may leave memory

	next *slot[K, R] // of the same user; for the index of live journeys
}

func newTable[K comparable, R any](index func(*slot[K, R], *R), forget func(*slot[K, R])) table[K, R] {
	return table[K, R]{held: make(map[K]*slot[K, R]), complete: true, index: index, onEvict: forget}
}

// limit limits the idle records to the n most recently used.
func (t *table[K, R]) limit(n int) error {
	var err error
	t.idle, err = lru.NewWithEvict(n, func(_ K, s *slot[K, R]) {
		if !s.idle { // it is being moved to held
			return
		}
		t.complete = false
		if t.onEvict != nil {
			t.onEvict(s)
		}
	})
	return err
}

// get returns the slot of a record in memory, or nil.
func (t *table[K, R]) get(k K) *slot[K, R] {
	if s, ok := t.held[k]; ok {
		return s
	}
	if t.idle != nil {
		if s, ok := t.idle.Get(k); ok {
			return s
		}
	}
	return nil
}

// peek is [table.get] without marking the record as used.
func (t *table[K, R]) peek(k K) *slot[K, R] {
	if s, ok := t.held[k]; ok {
		return s
	}
	if t.idle != nil {
		if s, ok := t.idle.Peek(k); ok {
			return s
		}
	}
	return nil
}

// read returns a slot's record for use outside the store, after telling onRead.
func (t *table[K, R]) read(s *slot[K, R]) *R {
	if t.onRead != nil {
		t.onRead(s.now)
	}
	return s.now
}

// cache adds a record from the disk.
func (t *table[K, R]) cache(k K, r *R) *slot[K, R] {
	s := &slot[K, R]{key: k}
	t.held[k] = s
	t.set(s, r)
	t.release(s)
	return s
}

// fetch returns the slot of a record, reading it from the disk if necessary, or [ErrNotFound].
func (t *table[K, R]) fetch(k K) (*slot[K, R], error) {
	if s := t.get(k); s != nil {
		return s, nil
	}
	if t.complete {
		return nil, ErrNotFound
	}
	r, err := t.load(context.Background(), k)
	if err != nil {
		return nil, err
	}
	return t.cache(k, r), nil
}

// put replaces a record, and saves the old one for a rollback. A record that is only on the
// disk need not be read first: after a rollback it is still there.
func (t *table[K, R]) put(k K, r *R) { t.putAt(t.get(k), k, r) }

// putAt is [table.put] for a known slot; nil: the record has none.
func (t *table[K, R]) putAt(s *slot[K, R], k K, r *R) {
	switch {
	case s == nil:
		s = &slot[K, R]{key: k}
		t.held[k] = s
	case s.idle:
		s.idle = false
		t.idle.Remove(k)
		t.held[k] = s
	}
	if !s.touched {
		s.touched, s.before = true, s.now
		t.touched = append(t.touched, s)
	}
	t.set(s, r)
}

func (t *table[K, R]) set(s *slot[K, R], to *R) {
	if t.index != nil {
		t.index(s, to)
	}
	s.now = to
}

// commit makes the change permanent and, with a disk, queues its records. It returns how
// many records changed.
func (t *table[K, R]) commit(queue bool) int {
	n := len(t.touched)
	for _, s := range t.touched {
		if s.before != nil && t.onReplace != nil {
			t.onReplace(s.before)
		}
		s.touched, s.before = false, nil
		if queue {
			t.enqueue(s)
		}
	}
	t.clearTouched()
	return n
}

// rollback undoes the change.
func (t *table[K, R]) rollback() {
	for _, s := range t.touched {
		t.set(s, s.before)
		s.touched, s.before = false, nil
		t.release(s)
	}
	t.clearTouched()
}

func (t *table[K, R]) clearTouched() {
	clear(t.touched)
	t.touched = t.touched[:0]
}

// enqueue queues a record for the committer, once even if it changes several times.
func (t *table[K, R]) enqueue(s *slot[K, R]) {
	if !s.queued {
		s.queued = true
		t.queue = append(t.queue, s)
	}
}

// takeQueue empties the queue and returns its slots and their present records.
func (t *table[K, R]) takeQueue() (slots []*slot[K, R], records []*R) {
	slots, t.queue = t.queue, nil
	records = make([]*R, len(slots))
	for i, s := range slots {
		s.queued, s.writing = false, true
		records[i] = s.now
	}
	return slots, records
}

// written ends the writing of slots. If ok is false, they are queued again.
func (t *table[K, R]) written(slots []*slot[K, R], ok bool) {
	for _, s := range slots {
		s.writing = false
		if !ok {
			t.enqueue(s)
		}
		t.release(s)
	}
}

// release moves a slot to the idle records if it need not be held any more.
func (t *table[K, R]) release(s *slot[K, R]) {
	switch {
	case s.now == nil: // its creation was undone
		delete(t.held, s.key)
	case t.idle == nil || s.idle || s.queued || s.writing:
	case t.mustHold == nil || !t.mustHold(s.now):
		delete(t.held, s.key)
		s.idle = true
		t.idle.Add(s.key, s)
	}
}

// remove removes a record that was deleted from the disk, unless it is in use.
func (t *table[K, R]) remove(k K) {
	s := t.get(k)
	switch {
	case s == nil:
	case s.idle:
		complete := t.complete
		t.idle.Remove(k)
		t.complete = complete // deleted from memory and disk
	case t.idle == nil:
		delete(t.held, k)
		if t.onEvict != nil {
			t.onEvict(s)
		}
	}
}
