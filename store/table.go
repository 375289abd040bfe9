package store

import (
	"context"

	lru "github.com/hashicorp/golang-lru/v2"
)

// table is the working set of one kind of record. What is live or not durable
// yet is held; the rest is idle and the longest unused of it is forgotten, to be
// read from the disk when it is asked for again. Everything but get is called
// under the store's write lock; get needs the read lock.
type table[K comparable, R any] struct {
	held  map[K]*slot[K, R]
	idle  *lru.Cache[K, *slot[K, R]] // nil: nothing is ever forgotten, for there is no disk
	queue []*slot[K, R]              // changed and not yet taken by the committer

	touched  []*slot[K, R] // by the change being applied
	complete bool          // every record there is, is in memory: a miss needs no disk

	load   func(context.Context, K) (*R, error) // from the disk
	keep   func(*R) bool                        // held though durable; nil: nothing is
	index  func(*slot[K, R], *R)                // told of each change before it is made; nil: there is no index
	forget func(*slot[K, R])                    // told of what leaves memory; nil: there is no index
	lend   func(*R)                             // told of what is shown outside; nil: nobody minds
	spent  func(*R)                             // takes what a change has replaced; nil: it is garbage
}

// slot is the place of one record for as long as it is in memory. A record is
// replaced, never written through, so whoever read one keeps a true picture.
type slot[K comparable, R any] struct {
	key     K
	now     *R   // nil only inside the change that creates it
	before  *R   // what it was before the change being applied
	touched bool // by the change being applied
	queued  bool // waiting for the committer
	writing bool // in the group being committed
	idle    bool // may be forgotten
}

func newTable[K comparable, R any](index func(*slot[K, R], *R), forget func(*slot[K, R])) table[K, R] {
	return table[K, R]{held: make(map[K]*slot[K, R]), complete: true, index: index, forget: forget}
}

// limit lets the table forget all but the n records used last.
func (t *table[K, R]) limit(n int) error {
	var err error
	t.idle, err = lru.NewWithEvict(n, func(_ K, s *slot[K, R]) {
		if !s.idle { // on its way back to work
			return
		}
		t.complete = false
		if t.forget != nil {
			t.forget(s)
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

// peek is get without counting as use.
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

// lent returns a slot's record to be shown outside.
func (t *table[K, R]) lent(s *slot[K, R]) *R {
	if t.lend != nil {
		t.lend(s.now)
	}
	return s.now
}

// cache takes in a record as the disk has it.
func (t *table[K, R]) cache(k K, r *R) *slot[K, R] {
	s := &slot[K, R]{key: k}
	t.held[k] = s
	t.set(s, r)
	t.settle(s)
	return s
}

// fetch returns the slot of a record, from the disk if need be, or [ErrNotFound].
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

// put replaces a record, remembering what it was in case the change fails. One
// that only the disk has need not be read first: undone, it is on the disk still.
func (t *table[K, R]) put(k K, r *R) { t.putAt(t.get(k), k, r) }

// putAt is put for a record whose slot, nil if it has none, is at hand.
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

// commit keeps what the change did and, with a disk behind, queues it. It
// returns how many records changed.
func (t *table[K, R]) commit(queue bool) int {
	n := len(t.touched)
	for _, s := range t.touched {
		if s.before != nil && t.spent != nil {
			t.spent(s.before)
		}
		s.touched, s.before = false, nil
		if queue {
			t.enqueue(s)
		}
	}
	t.clearTouched()
	return n
}

// rollback undoes what the change did.
func (t *table[K, R]) rollback() {
	for _, s := range t.touched {
		t.set(s, s.before)
		s.touched, s.before = false, nil
		t.settle(s)
	}
	t.clearTouched()
}

func (t *table[K, R]) clearTouched() {
	clear(t.touched)
	t.touched = t.touched[:0]
}

// enqueue leaves a record for the committer, once however often it changes.
func (t *table[K, R]) enqueue(s *slot[K, R]) {
	if !s.queued {
		s.queued = true
		t.queue = append(t.queue, s)
	}
}

// take hands the queue over for writing, with the records as they are now.
func (t *table[K, R]) take() (slots []*slot[K, R], records []*R) {
	slots, t.queue = t.queue, nil
	records = make([]*R, len(slots))
	for i, s := range slots {
		s.queued, s.writing = false, true
		records[i] = s.now
	}
	return slots, records
}

// written puts slots back to rest, or back into the queue if they could not be
// written.
func (t *table[K, R]) written(slots []*slot[K, R], ok bool) {
	for _, s := range slots {
		s.writing = false
		if !ok {
			t.enqueue(s)
		}
		t.settle(s)
	}
}

// settle moves a slot to where it belongs once nothing is being done to it.
func (t *table[K, R]) settle(s *slot[K, R]) {
	switch {
	case s.now == nil: // its creation was undone
		delete(t.held, s.key)
	case t.idle == nil || s.idle || s.queued || s.writing:
	case t.keep == nil || !t.keep(s.now):
		delete(t.held, s.key)
		s.idle = true
		t.idle.Add(s.key, s)
	}
}

// drop forgets a record that was deleted from the disk, unless it is in use.
func (t *table[K, R]) drop(k K) {
	s := t.get(k)
	switch {
	case s == nil:
	case s.idle:
		whole := t.complete
		t.idle.Remove(k)
		t.complete = whole // it is gone from both sides
	case t.idle == nil:
		delete(t.held, k)
		if t.forget != nil {
			t.forget(s)
		}
	}
}
