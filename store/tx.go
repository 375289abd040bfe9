package store

import (
	"fmt"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Tx is a change being made: it reads what every change before it left, and what
// it puts is seen by nobody until its function returns nil. It is good until
// then and no longer, for one goroutine.
//
// Records come out as private copies that may be changed freely field by field.
// What their pointers, slices and maps lead to is shared with readers: replace a
// *taxi.Price, never write through it. What goes in belongs to the store.
type Tx struct {
	s       *Store
	serial  uint64     // the highest given before this change
	latest  time.Time  // the newest update before this change
	created []*Journey // for the index of recent creations
	err     error      // the first record refused

	found  *journeySlot // the last that was looked up
	drafts []*Snapshot  // whose journeys were handed out to be changed
	spare  []*Snapshot  // that nobody holds any more, to be used again
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

// RecentByFingerprint returns a copy of the journey that the user created with
// the same request body no earlier than notBefore, if the store still knows:
// it remembers creations for [Options].RecentWindow, by CreatedAt, and those of
// changes already applied.
func (tx *Tx) RecentByFingerprint(user taxi.UserID, fingerprint [32]byte, notBefore time.Time) (*Journey, bool) {
	id, ok := tx.s.recent.find(user, fingerprint, notBefore)
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
