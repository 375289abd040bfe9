package store

import (
	"fmt"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Tx is a change being made. It sees all changes before it. Nobody sees what it puts
// until its function returns nil. It is valid until then, for one goroutine.
//
// Records come out as private copies, whose fields may be changed. What their pointers,
// slices and maps lead to is shared with readers: replace a *taxi.Price, never write to
// it. Records that are put belong to the store.
type Tx struct {
	s       *Store
	serial  uint64     // the highest given before this change
	latest  time.Time  // the newest update before this change
	created []*Journey // for the index of recent creations
	err     error      // the first record refused

	found  *journeySlot // the one looked up last
	drafts []*Snapshot  // whose journeys were handed out to be changed
	spare  []*Snapshot  // unused, to be used again
}

// Err returns why the change will fail whatever its function returns: the first
// record that was refused, or nil.
func (tx *Tx) Err() error { return tx.err }

// LiveJourneys returns copies of a user's journeys that have not ended, ordered
// by pickup time and then by Serial.
func (tx *Tx) LiveJourneys(user taxi.UserID) []*Journey {
	live := tx.s.liveOf(user)
	journeys := make([]*Journey, len(live))
	for i, snap := range live {
		journeys[i] = snap.copy()
	}
	return journeys
}

// CountLive is how many journeys a user has that have not ended.
func (tx *Tx) CountLive(user taxi.UserID) int {
	n := 0
	for slot := tx.s.live[user]; slot != nil; slot = slot.next {
		n++
	}
	return n
}

// RecentByFingerprint returns a copy of the journey that the user created with the same
// request body within the window that ends now. The store knows the creations of
// earlier changes for [Options].RecentWindow, by CreatedAt, and one that the disk
// refused for as long after it was kept.
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

// NextSerial returns a number for a new journey, one more than the highest given
// before. A number taken by a change that fails is given again.
func (tx *Tx) NextSerial() uint64 {
	tx.s.serial++
	return tx.s.serial
}

func (tx *Tx) refuse(err error) {
	if tx.err == nil {
		tx.err = err
	}
}
