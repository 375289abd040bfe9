package dispatch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// Find returns a journey whoever's it is, for those who run the office; one that does
// not exist or is forgotten is [store.ErrNotFound].
func (s *Service) Find(ctx context.Context, id taxi.JourneyID) (*store.Snapshot, error) {
	snap, err := s.records.Journey(ctx, id)
	if err == nil && !s.Remembers(snap.Journey) {
		err = store.ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("journey %s: %w", id, err)
	}
	return snap, nil
}

// View is a journey as /status answers it. It must be called within a turn.
func (s *Service) View(now time.Time, j *store.Journey) taxi.Journey { return s.withPosition(now, j) }

// FindUser returns the user with an id or a phone number; one who does not exist or is
// forgotten is [store.ErrNotFound].
func (s *Service) FindUser(ctx context.Context, key string) (*store.User, error) {
	u, err := s.known(s.records.User(ctx, taxi.UserID(key)))
	if !errors.Is(err, store.ErrNotFound) {
		return u, err
	}
	digits, err := s.phones.read(taxi.E164(key))
	if err != nil {
		return nil, fmt.Errorf("user: %w", store.ErrNotFound)
	}
	return s.known(s.records.UserByPhone(ctx, digits))
}

// Remembers reports whether a journey that was listed has not been forgotten.
func (s *Service) Remembers(j *store.Journey) bool { return !s.forgetsJourney(j) }

// Knows reports whether a user who was listed has not been forgotten.
func (s *Service) Knows(u *store.User) bool { return !s.forgetsUser(u) }

// UserChange is what whoever runs the office changes about a user. What is left out stays.
type UserChange struct {
	Name   string          `json:"name,omitempty" schema:"maxLength: 200"`
	Status taxi.UserStatus `json:"status,omitempty"`
	Data   *taxi.Settings  `json:"data,omitempty"` // replaces all of it
}

// ErrUserHasJourneys means that a user cannot be forgotten: they have journeys under way
// or booked ahead.
var ErrUserHasJourneys = errors.New("the user has journeys under way or booked ahead; cancel them first")

// PutUser changes the user with an id or a phone number, and makes one for a number that
// nobody has. It must be called within a turn; the ticket waits for the disk. A key that is
// neither the id of a user nor a phone number is [store.ErrNotFound].
func (s *Service) PutUser(now time.Time, key string, c UserChange) (changed taxi.EndUser, created bool, ticket store.Ticket, err error) {
	ticket, err = s.apply(func(tx *txn) error {
		u, err := s.keyed(tx, key)
		if created = errors.Is(err, store.ErrNotFound); created {
			digits, invalid := s.phones.read(taxi.E164(key))
			if invalid != nil {
				return err
			}
			u, err = s.newUser(tx, now, digits, guestName)
		}
		if err != nil {
			return err
		}
		copied := *u // what was put belongs to the store
		c.apply(&copied.EndUser)
		copied.SeenAt = Never // whoever was set up on purpose stays
		tx.PutUser(&copied)
		changed = copied.EndUser
		return nil
	})
	return changed, created, ticket, err
}

func (c UserChange) apply(u *taxi.EndUser) {
	if c.Name != "" {
		u.Name = c.Name
	}
	if c.Status != "" {
		u.Status = c.Status
	}
	if c.Data != nil {
		u.Data = c.Data
	}
}

// ForgetUser forgets the user with an id or a phone number, as if there had never been
// one; the next [Service.Prune] deletes them. It must be called within a turn.
func (s *Service) ForgetUser(key string) (id taxi.UserID, ticket store.Ticket, err error) {
	ticket, err = s.apply(func(tx *txn) error {
		u, err := s.keyed(tx, key)
		if err != nil {
			return err
		}
		if id = u.UserID; tx.CountLive(id) > 0 {
			return ErrUserHasJourneys
		}
		u.SeenAt, u.PhoneNumber = time.Time{}, ""
		tx.PutUser(u)
		return nil
	})
	return id, ticket, err
}

// keyed finds a user by id, else by phone number.
func (s *Service) keyed(tx *txn, key string) (*store.User, error) {
	u, err := s.known(tx.User(taxi.UserID(key)))
	if !errors.Is(err, store.ErrNotFound) {
		return u, err
	}
	digits, invalid := s.phones.read(taxi.E164(key))
	if invalid != nil {
		return nil, err
	}
	return s.known(tx.UserByPhone(digits))
}
