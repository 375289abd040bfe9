package store

import (
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// recent finds the journey that a user created a moment ago with the same request. It
// is limited by age and by number, and removes the oldest first. A removed entry only
// means that a late duplicate is not recognised.
type recent struct {
	window time.Duration
	limit  int
	byKey  map[recentKey]recentEntry
	order  []recentEntry // oldest first; order[:gone] is removed
	gone   int
}

type recentKey struct {
	user        taxi.UserID
	fingerprint [32]byte
}

type recentEntry struct {
	key     recentKey
	journey taxi.JourneyID
	at      time.Time
}

func newRecent(window time.Duration, limit int) *recent {
	return &recent{window: window, limit: limit, byKey: make(map[recentKey]recentEntry)}
}

// add adds a creation.
func (r *recent) add(j *Journey) {
	if j.Fingerprint == ([32]byte{}) {
		return
	}
	e := recentEntry{recentKey{j.UserID, j.Fingerprint}, j.JourneyID, j.CreatedAt}
	r.byKey[e.key] = e
	r.order = append(r.order, e)
	for r.gone < len(r.order) {
		oldest := r.order[r.gone]
		if len(r.order)-r.gone <= r.limit && !oldest.at.Before(e.at.Add(-r.window)) {
			break
		}
		r.remove(oldest)
		r.gone++
	}
	if r.gone > len(r.order)/2 { // half is removed: compact, at a constant cost for each entry
		n := copy(r.order, r.order[r.gone:])
		clear(r.order[n:])
		r.order, r.gone = r.order[:n], 0
	}
}

func (r *recent) remove(e recentEntry) {
	if r.byKey[e.key].journey == e.journey {
		delete(r.byKey, e.key)
	}
}

// find returns the journey created with a request no earlier than notBefore.
func (r *recent) find(user taxi.UserID, fingerprint [32]byte, notBefore time.Time) (taxi.JourneyID, bool) {
	e, ok := r.byKey[recentKey{user, fingerprint}]
	return e.journey, ok && !e.at.Before(notBefore)
}
