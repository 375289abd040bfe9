package store

import (
	"fmt"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Tx is a change in progress. It sees all earlier changes. Its own changes are invisible to
// others until its function returns nil. It is valid until then, for one goroutine.
//
// Its methods return private copies of records, whose fields may be changed. The targets of
// pointers, slices and maps are shared with readers: replace a *taxi.Price, never modify
// it. Do not modify a record after putting it.
type Tx struct {
	s       *Store
	serial  uint64     // the highest used before this change
	latest  time.Time  // the newest update before this change
	created []*Journey // for the index of recent creations
	err     error      // the first record refused

	found  *journeySlot // the one looked up last
	drafts []*Snapshot  // snapshots of copies returned by the change
	spare  []*Snapshot  // unused snapshots for reuse
}

// Err returns the error of the first refused record, with which the change will fail whatever
// its function returns; nil: there is none.
func (tx *Tx) Err() error { return tx.err }

// CountLive returns how many live journeys a user has.
func (tx *Tx) CountLive(user taxi.UserID) int {
	n := 0
	for slot := tx.s.live[user]; slot != nil; slot = slot.next {
		n++
	}
	return n
}

// RecentByFingerprint returns a copy of the journey that the user created with the same
// request body within the window that ends now. The store finds creations of earlier
// changes for [Options].RecentWindow, by CreatedAt; for a creation that the disk refused,
// the window starts when it becomes durable.
func (tx *Tx) RecentByFingerprint(user taxi.UserID, fingerprint [32]byte, now time.Time, window time.Duration) (*Journey, bool) {
	id, ok := tx.s.recent.find(user, fingerprint, now, window)
	if !ok {
		return nil, false
	}
	j, err := tx.Journey(id)
	return j, err == nil
}

// Reply returns the stored answer for an Idempotency-Key, or [ErrNotFound].
func (tx *Tx) Reply(key string) (Reply, error) {
	slot, err := tx.s.replies.fetch(key)
	if err != nil {
		return Reply{}, fmt.Errorf("reply: %w", err)
	}
	return *slot.now, nil
}

// PutReply stores the answer for an Idempotency-Key. The body must not be
// changed afterwards.
func (tx *Tx) PutReply(r Reply) {
	r.At = stamp(r.At)
	tx.s.replies.put(r.Key, &r)
}

// NextSerial returns a number for a new journey, one more than the highest so far. A number
// from a failed change is used again.
func (tx *Tx) NextSerial() uint64 {
	tx.s.serial++
	return tx.s.serial
}

func (tx *Tx) refuse(err error) {
	if tx.err == nil {
		tx.err = err
	}
}
