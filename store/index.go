package store

import "github.com/cabrank/cabrank/dispatch/taxi"

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
