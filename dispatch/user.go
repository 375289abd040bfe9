package dispatch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// guestName is the name of a user until a booking gives one.
const guestName = "Guest"

// User answers /user: who has this phone number, and which journeys of theirs
// are under way, soonest first. The number comes back as digits.
func (s *Service) User(ctx context.Context, r taxi.UserRequest) (taxi.EndUser, error) {
	var f fieldErrors
	return s.user(ctx, r, &f)
}

func (s *Service) user(ctx context.Context, r taxi.UserRequest, f *fieldErrors) (taxi.EndUser, error) {
	digits := s.phone(r.PhoneNumber, f)
	_ = f.data("/data", r.Data)
	if err := f.err(); err != nil {
		return taxi.EndUser{}, err
	}
	found, ticket, err := s.userTurn(ctx, digits)
	if err != nil {
		return taxi.EndUser{}, fmt.Errorf("user %s: %w", digits.Masked(), err)
	}
	return found, ticket.Wait(ctx)
}

// userTurn is the turn of a /user; the wait for the disk, if a user was made, comes
// after it.
func (s *Service) userTurn(ctx context.Context, digits taxi.E164) (found taxi.EndUser, ticket store.Ticket, err error) {
	now, leave := s.enter()
	defer leave()
	u, err := s.records.UserByPhone(ctx, digits)
	switch {
	case errors.Is(err, store.ErrNotFound) && s.policy.CreateUnknown:
		u, ticket, err = s.admit(now, digits)
	case errors.Is(err, store.ErrNotFound):
		err = refuse(taxi.CodeUserNotFound, "nobody has this number yet; a first booking makes them known")
	}
	if err != nil {
		return found, ticket, err
	}
	found = u.EndUser
	found.ActiveBookings = s.active(ctx, now, u.UserID)
	return found, ticket, nil
}

// active lists a user's journeys under way as they are now.
func (s *Service) active(ctx context.Context, now time.Time, id taxi.UserID) []taxi.Journey {
	live := s.records.Live(ctx, id)
	list := make([]taxi.Journey, len(live))
	for i, j := range live {
		list[i] = s.withPosition(now, j.Journey)
	}
	return list
}

// admit makes a user for an unknown number, for offices with Policy.CreateUnknown.
// Two calls at once make one user, since the rule looks the number up again.
func (s *Service) admit(now time.Time, digits taxi.E164) (u *store.User, ticket store.Ticket, err error) {
	ticket, err = s.apply(func(tx *txn) (err error) {
		if u, err = tx.UserByPhone(digits); errors.Is(err, store.ErrNotFound) {
			u, err = s.newUser(tx, now, digits, guestName), nil
		}
		return err
	})
	if err != nil {
		s.reportCommand(Command{At: now, Op: OpAdmit, Phone: digits}, err)
		return nil, ticket, err
	}
	s.reportCommand(Command{At: now, Op: OpAdmit, Phone: digits, User: u.UserID}, nil)
	return u, ticket, nil
}

// newUser stores a user for a number that nobody has.
func (s *Service) newUser(tx *txn, now time.Time, digits taxi.E164, name string) *store.User {
	u := &store.User{
		EndUser:   taxi.EndUser{UserID: s.userID(tx.NextSerial()), PhoneNumber: digits, Name: name, Status: taxi.Enabled},
		CreatedAt: now,
	}
	tx.PutUser(u)
	return u
}
