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

// User answers /user: the user with a phone number, and their active journeys, soonest
// first. The number is returned as digits.
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
	u := found.user.EndUser
	u.ActiveBookings = make([]taxi.Journey, len(found.live))
	for i, j := range found.live {
		u.ActiveBookings[i] = s.shown(j.Journey)
		u.ActiveBookings[i].Location, u.ActiveBookings[i].ETA = found.cars[i].at, found.cars[i].eta
	}
	return u, ticket.Wait(ctx)
}

// foundUser is the result of a /user turn: the user, the journeys and their cars' positions.
type foundUser struct {
	user *store.User
	live []*store.Snapshot
	cars []track
}

// track contains the position and the ETA of a car; nil: there is no car, or they are not
// known.
type track struct {
	at  *taxi.Point
	eta *taxi.ETA
}

// userTurn looks a user up within one turn. The answer is built after it, and so is the wait
// for the disk, if a user was created.
func (s *Service) userTurn(ctx context.Context, digits taxi.E164) (found foundUser, ticket store.Ticket, err error) {
	now, leave := s.enter()
	defer leave()
	u, err := s.known(s.records.UserByPhone(ctx, digits))
	switch {
	case errors.Is(err, store.ErrNotFound) && s.policy.CreateUnknown:
		u, ticket, err = s.createUnknownUser(now, digits)
	case errors.Is(err, store.ErrNotFound):
		err = refuse(taxi.CodeUserNotFound, "nobody has this number yet; a first booking makes them known")
	}
	if err != nil {
		return found, ticket, err
	}
	found.user, found.live = u, s.records.Live(ctx, u.UserID)
	found.cars = make([]track, len(found.live))
	for i, j := range found.live {
		if found.cars[i] = (track{j.Location, j.ETA}); presence[j.Status].Location {
			found.cars[i].at, found.cars[i].eta = s.fleet.Track(now, j.Journey)
		}
	}
	return found, ticket, nil
}

// createUnknownUser creates a user for an unknown number, if Policy.CreateUnknown is set. Two concurrent
// calls create one user, since the rule looks the number up again.
func (s *Service) createUnknownUser(now time.Time, digits taxi.E164) (u *store.User, ticket store.Ticket, err error) {
	ticket, err = s.apply(func(tx *txn) (err error) {
		if u, err = s.known(tx.UserByPhone(digits)); errors.Is(err, store.ErrNotFound) {
			u, err = tx.newUser(now, digits, guestName)
		}
		return err
	})
	return u, ticket, err
}

// newUser stores a user with a number that nobody has, or that is taken from a forgotten user.
func (tx *txn) newUser(now time.Time, digits taxi.E164, name string) (*store.User, error) {
	s := tx.service
	switch before, err := tx.UserByPhone(digits); {
	case err == nil:
		before.PhoneNumber = ""
		tx.PutUser(before)
	case !errors.Is(err, store.ErrNotFound):
		return nil, err
	}
	u := &store.User{
		EndUser:   taxi.EndUser{UserID: s.ids.user(tx.NextSerial()), PhoneNumber: digits, Name: name, Status: taxi.Enabled},
		CreatedAt: now, SeenAt: now,
	}
	tx.PutUser(u)
	return u, nil
}
