package store

import (
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// recent finds the journey that a user created a moment ago with the very same
// request. It is bounded twice, by age and by number, and the oldest go first:
// what it forgets costs no more than a duplicate that nobody noticed in time.
type recent struct {
	window time.Duration
	limit  int
	byKey  map[recentKey]recentEntry
	order  []recentEntry // oldest first; order[:gone] is spent
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

// add remembers a creation.
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
		r.forget(oldest)
		r.gone++
	}
	if r.gone > len(r.order)/2 { // half is spent: close up, at a constant cost for each entry
		n := copy(r.order, r.order[r.gone:])
		clear(r.order[n:])
		r.order, r.gone = r.order[:n], 0
	}
}

func (r *recent) forget(e recentEntry) {
	if r.byKey[e.key].journey == e.journey {
		delete(r.byKey, e.key)
	}
}

// find returns the journey created with a request no earlier than notBefore.
func (r *recent) find(user taxi.UserID, fingerprint [32]byte, notBefore time.Time) (taxi.JourneyID, bool) {
	e, ok := r.byKey[recentKey{user, fingerprint}]
	return e.journey, ok && !e.at.Before(notBefore)
}
