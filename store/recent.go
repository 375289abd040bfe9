package store

import (
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// recent finds the journey that a user created a moment ago with the same request. It is
// limited by age and number, and removes the oldest first. After a removal, a late
// duplicate is not recognised.
//
// A creation that the disk refused is not removed, since its client was told to repeat the
// request. Its age counts from when it became durable.
type recent struct {
	window time.Duration
	limit  int
	byKey  map[recentKey]recentEntry
	order  []recentEntry // oldest first; order[:gone] is removed
	gone   int
	held   map[recentKey]taxi.JourneyID // refused by the disk
	late   bool                         // they are durable now, and their age starts with the next request
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

// add adds a creation.
func (r *recent) add(j *Journey) {
	if j.Fingerprint == ([32]byte{}) {
		return
	}
	e := recentEntry{recentKey{j.UserID, j.Fingerprint}, j.JourneyID, j.CreatedAt}
	r.settle(e.at)
	r.put(e)
	for r.gone < len(r.order) {
		oldest := r.order[r.gone]
		if len(r.order)-r.gone <= r.limit && !oldest.at.Before(e.at.Add(-r.window)) {
			break
		}
		r.remove(oldest)
		r.gone++
	}
	if r.gone > len(r.order)/2 { // compact after half is removed, for a constant cost per entry
		n := copy(r.order, r.order[r.gone:])
		clear(r.order[n:])
		r.order, r.gone = r.order[:n], 0
	}
}

func (r *recent) put(e recentEntry) {
	r.byKey[e.key] = e
	r.order = append(r.order, e)
}

// hold records the creations among the journeys that the disk refused.
func (r *recent) hold(refused []*Snapshot) {
	for _, s := range refused {
		key := recentKey{s.UserID, s.Fingerprint}
		if r.byKey[key].journey == s.JourneyID {
			if r.held == nil {
				r.held = make(map[recentKey]taxi.JourneyID)
			}
			r.held[key] = s.JourneyID
		}
	}
	r.late = false
}

// kept records that the refused creations have become durable.
func (r *recent) kept() { r.late = r.held != nil }

// settle starts the age of creations that became durable late.
func (r *recent) settle(now time.Time) {
	if !r.late {
		return
	}
	for key, journey := range r.held {
		r.put(recentEntry{key, journey, now})
	}
	r.held, r.late = nil, false
}

func (r *recent) remove(e recentEntry) {
	if found := r.byKey[e.key]; found.journey == e.journey && found.at.Equal(e.at) {
		delete(r.byKey, e.key)
	}
}

// find returns the journey that a user created with the same request within the window before now; false: there is none.
func (r *recent) find(user taxi.UserID, fingerprint [32]byte, now time.Time, window time.Duration) (taxi.JourneyID, bool) {
	if window <= 0 {
		return "", false
	}
	r.settle(now)
	key := recentKey{user, fingerprint}
	if journey, held := r.held[key]; held {
		return journey, true
	}
	e, ok := r.byKey[key]
	return e.journey, ok && !e.at.Before(now.Add(-window))
}

// indexJourney updates the index of live journeys by user.
func (s *Store) indexJourney(slot *journeySlot, to *Snapshot) {
	was, is := slot.now.live(), to.live()
	if was && is && slot.now.UserID == to.UserID {
		return
	}
	if was {
		s.unlink(slot)
	}
	if is {
		slot.next = s.live[to.UserID]
		s.live[to.UserID] = slot
	}
}

// unlink removes a journey from the short list of its user's live journeys.
func (s *Store) unlink(slot *journeySlot) {
	user, first := slot.now.UserID, s.live[slot.now.UserID]
	switch {
	case first != slot:
		before := first
		for before.next != slot {
			before = before.next
		}
		before.next = slot.next
	case slot.next != nil:
		s.live[user] = slot.next
	default:
		delete(s.live, user)
	}
	slot.next = nil
}

// indexUser updates the index of users in memory by the digits of their phone number.
func (s *Store) indexUser(slot *userSlot, to *User) {
	s.forgetUser(slot)
	if to == nil {
		return
	}
	if digits := to.PhoneNumber.Digits(); digits != "" {
		s.phones[digits] = slot
	}
}

// forgetUser removes a user's number from the index, unless it now is another user's.
func (s *Store) forgetUser(slot *userSlot) {
	if slot.now == nil {
		return
	}
	if digits := slot.now.PhoneNumber.Digits(); s.phones[digits] == slot {
		delete(s.phones, digits)
	}
}

type (
	journeySlot = slot[taxi.JourneyID, Snapshot]
	userSlot    = slot[taxi.UserID, User]
)
