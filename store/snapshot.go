package store

import (
	"cmp"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
)

// Snapshot is one version of a journey. It is shared between readers and never
// changes: a later change of the journey is another snapshot.
type Snapshot struct {
	*Journey

	lent atomic.Bool // somebody outside may hold it
	once sync.Once
	body []byte
}

// JSON returns the journey as the wire shows it. The bytes are made at most once
// for each version, whether for the database or for an answer, and are shared:
// they must not be changed.
func (s *Snapshot) JSON() []byte {
	s.once.Do(func() {
		if s.body != nil { // as the database had it
			return
		}
		var err error
		if s.body, err = json.Marshal(&s.Journey.Journey); err != nil {
			// Only a number that is none cannot be encoded, and PutJourney refuses those.
			panic(fmt.Sprintf("store: journey %s: %v", s.JourneyID, err))
		}
	})
	return s.body
}

// live reports whether anything may still happen to the journey.
func (s *Snapshot) live() bool { return s != nil && !s.Status.Terminal() }

// lend marks a snapshot that leaves the store. The lock must be held, so that
// nobody recycles it meanwhile.
func (s *Snapshot) lend() *Snapshot {
	if !s.lent.Load() {
		s.lent.Store(true)
	}
	return s
}

// copy returns a journey that its caller may change.
func (s *Snapshot) copy() *Journey {
	j := *s.Journey
	return &j
}

// byPickup orders journeys as their passenger thinks of them.
func byPickup(a, b *Snapshot) int {
	return cmp.Or(a.Date.Compare(b.Date.Time), cmp.Compare(a.Serial, b.Serial))
}
