package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// User returns a copy of a user, or [ErrNotFound].
func (tx *Tx) User(id taxi.UserID) (*User, error) {
	slot, err := tx.s.users.fetch(id)
	if err != nil {
		return nil, fmt.Errorf("user %s: %w", id, err)
	}
	u := *slot.now
	return &u, nil
}

// UserByPhone returns a copy of the user with a number, with or without its plus
// sign, or [ErrNotFound].
func (tx *Tx) UserByPhone(number taxi.E164) (*User, error) {
	now, err := tx.userByPhone(number.Digits())
	if err != nil {
		return nil, numberError{number, err}
	}
	u := *now
	return &u, nil
}

// numberError adds the phone number to the error of a lookup. It is formatted only when
// shown, since most bookings of a simulated day come from unknown numbers.
type numberError struct {
	number taxi.E164
	err    error
}

// Error implements error.
func (e numberError) Error() string {
	return "user with number " + e.number.Masked() + ": " + e.err.Error()
}

// Unwrap returns the error of the lookup.
func (e numberError) Unwrap() error { return e.err }

func (tx *Tx) userByPhone(digits taxi.E164) (*User, error) {
	if slot := tx.s.phones[digits]; slot != nil {
		return slot.now, nil
	}
	if tx.s.users.complete {
		return nil, ErrNotFound
	}
	u, err := tx.s.disk.userByPhone(context.Background(), digits)
	if err != nil {
		return nil, err
	}
	return tx.s.currentByPhone(u, digits, true)
}

// PutUser creates or replaces a user. Apply fails if the user has no id, if the
// number is another user's, or if one of Data.Other is not JSON.
func (tx *Tx) PutUser(u *User) {
	if err := tx.checkUser(u); err != nil {
		tx.refuse(fmt.Errorf("user %q: %w", u.UserID, err))
		return
	}
	u.ActiveBookings = nil
	u.CreatedAt, u.SeenAt = stamp(u.CreatedAt), stamp(u.SeenAt)
	tx.s.users.put(u.UserID, u)
}

func (tx *Tx) checkUser(u *User) error {
	if u.UserID == "" {
		return errors.New("it has no id")
	}
	if u.Data != nil {
		for name, raw := range u.Data.Other {
			if !json.Valid(raw) {
				return fmt.Errorf("data field %q is not JSON", name)
			}
		}
	}
	if u.PhoneNumber == "" {
		return nil
	}
	switch other, err := tx.userByPhone(u.PhoneNumber.Digits()); {
	case errors.Is(err, ErrNotFound):
		return nil
	case err != nil:
		return err
	case other.UserID != u.UserID:
		return fmt.Errorf("number %s is user %q's", u.PhoneNumber.Masked(), other.UserID)
	}
	return nil
}
