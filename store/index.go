package store

import (
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// indexJourney keeps the index of live journeys by user.
func (s *Store) indexJourney(slot *journeySlot, to *Snapshot) {
	was, is := slot.now.live(), to.live()
	if was && is && slot.now.UserID == to.UserID {
		return
	}
	if was {
		user := slot.now.UserID
		rest := slices.DeleteFunc(s.live[user], func(other *journeySlot) bool { return other == slot })
		if s.live[user] = rest; len(rest) == 0 {
			delete(s.live, user)
		}
	}
	if is {
		s.live[to.UserID] = append(s.live[to.UserID], slot)
	}
}

// indexUser keeps the index of users in memory by their phone number's digits.
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
