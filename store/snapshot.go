package store

import (
	"cmp"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
)

// Snapshot is one immutable version of a journey, shared between readers. A change of the
// journey makes another snapshot.
type Snapshot struct {
	*Journey

	shared atomic.Bool // code outside the store may hold it
	once   sync.Once
	body   []byte
}

// JSON returns the journey in its wire format. It is encoded at most once for each version,
// for the database and for answers. The bytes are shared and must not be changed.
func (s *Snapshot) JSON() []byte {
	s.once.Do(func() {
		if s.body != nil { // from the database
			return
		}
		var err error
		if s.body, err = json.Marshal(&s.Journey.Journey); err != nil {
			// Only NaN and infinity cannot be encoded, and PutJourney refuses them.
			panic(fmt.Sprintf("store: journey %s: %v", s.JourneyID, err))
		}
	})
	return s.body
}

// live reports whether the journey has not ended.
func (s *Snapshot) live() bool { return s != nil && !s.Status.Terminal() }

// markShared marks a snapshot that is returned from the store, so that it is never reused.
// The lock must be held.
func (s *Snapshot) markShared() *Snapshot {
	if !s.shared.Load() {
		s.shared.Store(true)
	}
	return s
}

// byPickup orders journeys by pickup time.
func byPickup(a, b *Snapshot) int {
	return cmp.Or(a.Date.Compare(b.Date.Time), cmp.Compare(a.Serial, b.Serial))
}
