package dispatch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// Find returns a journey of any user, for the operator. It returns [store.ErrNotFound] if
// the journey does not exist or is forgotten.
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

// View returns a journey as in an answer of /status. It must be called within a turn.
func (s *Service) View(now time.Time, j *store.Journey) taxi.Journey { return s.withPosition(now, j) }

// FindUser returns the user with an id or a phone number. It returns [store.ErrNotFound] if
// the user does not exist or is forgotten.
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

// Remembers reports whether the service still knows a listed journey, which it forgets some time after its end.
func (s *Service) Remembers(j *store.Journey) bool { return !s.forgetsJourney(j) }

// Knows reports whether a listed user has not been forgotten.
func (s *Service) Knows(u *store.User) bool { return !s.forgetsUser(u) }

// UserChange is a change of a user by the operator. Omitted fields do not change.
type UserChange struct {
	Name   string          `json:"name,omitempty" schema:"maxLength: 200"`
	Status taxi.UserStatus `json:"status,omitempty"`
	Data   *taxi.Settings  `json:"data,omitempty"` // replaces all of it
}

// ErrUserHasJourneys means that a user cannot be forgotten: they have journeys under way
// or booked ahead.
var ErrUserHasJourneys = errors.New("the user has journeys under way or booked ahead; cancel them first")

// PutUser changes the user with an id or a phone number, and creates one for an unknown
// number. It must be called within a turn; the ticket waits for the disk. It returns
// [store.ErrNotFound] for a key that is neither a user's id nor a phone number.
func (s *Service) PutUser(now time.Time, key string, c UserChange) (changed taxi.EndUser, created bool, ticket store.Ticket, err error) {
	ticket, err = s.apply(func(tx *txn) error {
		u, err := tx.userByKey(key)
		if created = errors.Is(err, store.ErrNotFound); created {
			digits, invalid := s.phones.read(taxi.E164(key))
			if invalid != nil {
				return err
			}
			u, err = tx.newUser(now, digits, guestName)
		}
		if err != nil {
			return err
		}
		copied := *u // a stored record must not be changed
		c.apply(&copied.EndUser)
		copied.SeenAt = Never // users created by the operator are never forgotten
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

// ForgetUser marks the user with an id or a phone number as deleted; the next
// [Service.Prune] deletes the record. It must be called within a turn.
func (s *Service) ForgetUser(key string) (id taxi.UserID, ticket store.Ticket, err error) {
	ticket, err = s.apply(func(tx *txn) error {
		u, err := tx.userByKey(key)
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

// userByKey returns the user with an id, or else the one with a phone number; [store.ErrNotFound] if there is neither.
func (tx *txn) userByKey(key string) (*store.User, error) {
	s := tx.service
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
