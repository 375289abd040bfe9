package dispatch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// Book answers /book: it creates a journey, or edits the one named. A first
// booking from a new number makes its user. It returns when the booking is on
// disk.
func (s *Service) Book(ctx context.Context, r taxi.BookRequest) (taxi.Journey, error) {
	b, err := s.book(ctx, r, idempotency{}, &fieldErrors{})
	return b.journey, err
}

// bookResult is the outcome of one /book.
type bookResult struct {
	journey  taxi.Journey
	stored   int32           // the stored revision that is identical to the answer; 0: none
	replayed bool            // an earlier, equal request made the booking
	body     json.RawMessage // the earlier request's answer, if it was stored
}

func (s *Service) book(ctx context.Context, r taxi.BookRequest, idem idempotency, f *fieldErrors) (bookResult, error) {
	s.validateBooking(&r, f)
	if err := f.err(); err != nil {
		return bookResult{}, err
	}
	idem.allowDuplicate(r.Data)
	b, ticket, err := s.bookTurn(r, idem, s.clientNow)
	if err != nil {
		return bookResult{}, fmt.Errorf("book: %w", err)
	}
	return b, ticket.Wait(ctx)
}

// bookTurn executes a /book within one turn. Waiting for the disk comes after it, so that
// other bookings can run meanwhile and share the commit.
func (s *Service) bookTurn(r taxi.BookRequest, idem idempotency, clock callersClock) (bookResult, store.Ticket, error) {
	now, leave := s.enter()
	defer leave()
	return s.bookOrEdit(now, r, idem, clock)
}

// BookNoWait is [Service.Book] without waiting for the disk, for many bookings at once:
// the last ticket waits for all of them. Its times are on the service's clock.
func (s *Service) BookNoWait(r taxi.BookRequest) (taxi.Journey, store.Ticket, error) {
	var f fieldErrors
	s.validateBooking(&r, &f)
	if err := f.err(); err != nil {
		return taxi.Journey{}, store.Ticket{}, err
	}
	b, ticket, err := s.bookTurn(r, idempotency{}, nil)
	return b.journey, ticket, err
}

// BookWithin is [Service.Book] within a turn, for the people of a simulated town. It does
// not wait for the disk. Its times are on the service's clock.
func (s *Service) BookWithin(now time.Time, r taxi.BookRequest) error {
	var f fieldErrors
	s.validateBooking(&r, &f)
	if err := f.err(); err != nil {
		return err
	}
	tx := s.txn()
	defer tx.release()
	tx.now, tx.booking.request, tx.rule = now, r, (*txn).book
	_, err := s.records.Apply(tx.run)
	return err
}

// booking is the state of a /book. It is part of the pooled txn: a closure over it would
// double the garbage of a booking.
type booking struct {
	request taxi.BookRequest // an edit may change its time
	idem    idempotency
	result  bookResult
}

// book makes or edits a booking for [Service.BookWithin], within a transaction.
func (tx *txn) book() error {
	_, _, err := tx.bookUnlessDone(tx.now, &tx.booking.request, tx.booking.idem)
	return err
}

// bookOrEdit makes or edits a booking whose body is valid, and reports the changes
// to the fleet. An Idempotency-Key that was answered before gets that answer.
func (s *Service) bookOrEdit(now time.Time, r taxi.BookRequest, idem idempotency, clock callersClock) (bookResult, store.Ticket, error) {
	tx := s.txn()
	defer tx.release()
	tx.now, tx.clock, tx.booking, tx.rule = now, clock, booking{request: r, idem: idem}, (*txn).bookOrEdit
	ticket, err := s.records.Apply(tx.run)
	return tx.booking.result, ticket, err
}

// bookOrEdit makes or edits a booking for [Service.bookOrEdit], within a transaction.
func (tx *txn) bookOrEdit() (err error) {
	s, b := tx.service, &tx.booking
	if b.result, err = tx.earlierAnswer(tx.now, b.idem); err != nil || b.result.replayed {
		return err
	}
	j, replayed, err := tx.bookUnlessDone(tx.now, &b.request, b.idem)
	if err != nil {
		return err
	}
	if err := tx.reportChanges(); err != nil { // before withPosition: an edit may have rerouted the car
		return err
	}
	b.result = bookResult{journey: s.withPosition(tx.now, j), replayed: replayed}
	if s.shownAsStored(j) {
		b.result.stored = j.Revision
	}
	return tx.keepAnswer(tx.now, b.idem, b.result)
}

// bookUnlessDone makes or edits a booking. If an equal request of the same user has just made
// it, replayed is true.
func (tx *txn) bookUnlessDone(now time.Time, r *taxi.BookRequest, idem idempotency) (j *store.Journey, replayed bool, err error) {
	s := tx.service
	if r.JourneyID != nil {
		if err := s.refuseIfClosed(); err != nil {
			return nil, false, err
		}
		j, err = tx.edit(now, r)
		return j, false, err
	}
	user, err := tx.bookingUser(now, r)
	if err != nil {
		return nil, false, err
	}
	if idem.fingerprint != ([32]byte{}) {
		if j, ok := tx.RecentByFingerprint(user.UserID, idem.fingerprint, now, s.policy.DuplicateWindow); ok && !j.Status.Terminal() {
			return j, true, nil
		}
	}
	if err := s.refuseIfClosed(); err != nil { // after the duplicate check: an existing booking is returned even after closing time
		return nil, false, err
	}
	if most := s.policy.MaxLive; most > 0 && tx.CountLive(user.UserID) >= most {
		return nil, false, refuse(taxi.CodeTooManyBookings, "%d journeys of this user are under way or booked ahead, which is the most", most)
	}
	at, err := s.pickupTime(now, r.PickupTime, tx.clock)
	if err != nil {
		return nil, false, err
	}
	tx.updateSeenAt(user, now, at.Time)
	return tx.create(now, at, user.UserID, r, idem), false, nil
}

// bookingUser finds the user who books: the one with the id, else the one with the
// number, else a new one. It refuses users who may not book.
func (tx *txn) bookingUser(now time.Time, r *taxi.BookRequest) (*store.User, error) {
	u, err := tx.userOf(r)
	switch {
	case errors.Is(err, store.ErrNotFound) && r.UserID != "":
		return nil, refuse(taxi.CodeUserNotFound, "no user has this userId; leave it out to book by phone number")
	case errors.Is(err, store.ErrNotFound):
		return tx.newUser(now, r.PhoneNumber, r.Name)
	case err != nil:
		return nil, err
	}
	return u, mayBook(u)
}

// mayBook refuses users who may not book. They may still follow and cancel their
// bookings.
func mayBook(u *store.User) error {
	switch u.Status {
	case taxi.Disabled:
		return refuse(taxi.CodeUserDisabled, "this user's bookings are switched off")
	case taxi.Blacklisted:
		return refuse(taxi.CodeUserBlacklisted, "this user may not book")
	default:
		return nil
	}
}

// userOf finds the user of a booking: by id if it gives one, else by number.
func (tx *txn) userOf(r *taxi.BookRequest) (*store.User, error) {
	s := tx.service
	if r.UserID != "" {
		return s.known(tx.User(r.UserID))
	}
	return s.known(tx.UserByPhone(r.PhoneNumber))
}

// create stores a new journey with its pickup time.
func (tx *txn) create(now time.Time, at taxi.Time, user taxi.UserID, r *taxi.BookRequest, idem idempotency) *store.Journey {
	s := tx.service
	serial := tx.NextSerial()
	j := &store.Journey{
		Journey: taxi.Journey{
			JourneyID: s.ids.journey(serial),
			Date:      at,
			Pickup:    r.Pickup,
			Dropoffs:  r.Dropoffs,
			Passenger: &taxi.Passenger{Name: r.Name, PhoneNumber: r.PhoneNumber.International()},
		},
		Serial:      serial,
		UserID:      user,
		Category:    r.VehicleCategory,
		PluginData:  r.Data,
		CreatedAt:   now,
		Fingerprint: idem.fingerprint,
	}
	j.AskedAt = askedAt(r.PickupTime, at)
	row, _ := next(Unbooked, EventBook, facts{Now: now, Journey: j, Policy: &s.policy}) // its last row has no guard
	s.follow(now, j, row)
	tx.put(now, j, nil, EventBook)
	return j
}

// askedAt returns the requested pickup time if the stored one differs, else zero.
func askedAt(asked, given taxi.Time) time.Time {
	if asked.Equal(given.Time) {
		return time.Time{}
	}
	return asked.Time
}
