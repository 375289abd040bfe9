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
// booking from a new number makes its user. It returns once the booking is on
// disk.
func (s *Service) Book(ctx context.Context, r taxi.BookRequest) (taxi.Journey, error) {
	b, err := s.book(ctx, r, repeat{}, &faults{})
	return b.journey, err
}

// booked is the outcome of one /book.
type booked struct {
	journey  taxi.Journey
	replayed bool            // the booking had been made by an earlier, equal request
	body     json.RawMessage // the earlier request's answer, when it was kept
}

func (s *Service) book(ctx context.Context, r taxi.BookRequest, again repeat, f *faults) (booked, error) {
	s.booking(&r, f)
	if err := f.err(); err != nil {
		return booked{}, err
	}
	again.allowDuplicate(r.Data)
	b, ticket, err := s.bookTurn(r, again)
	if err != nil {
		return booked{}, fmt.Errorf("book: %w", err)
	}
	return b, ticket.Wait(ctx)
}

// bookTurn is the turn of a /book. The wait for the disk comes after it, so that
// others can book meanwhile and share the commit.
func (s *Service) bookTurn(r taxi.BookRequest, again repeat) (booked, store.Ticket, error) {
	now, leave := s.enter()
	defer leave()
	asked := r // an edit may put another time into r
	b, ticket, err := s.place(now, &r, again)
	s.tellBook(now, asked, again, b, err)
	return b, ticket, err
}

// BookNoWait is [Service.Book] for whoever books many at once: the last ticket
// waits for all of them to be on disk.
func (s *Service) BookNoWait(r taxi.BookRequest) (taxi.Journey, store.Ticket, error) {
	var f faults
	s.booking(&r, &f)
	if err := f.err(); err != nil {
		return taxi.Journey{}, store.Ticket{}, err
	}
	b, ticket, err := s.bookTurn(r, repeat{})
	return b.journey, ticket, err
}

// BookWithin is [Service.Book] within a turn, for people who are part of the world
// that the service is in: no command is told, and the disk is not waited for.
func (s *Service) BookWithin(now time.Time, r taxi.BookRequest) (taxi.Journey, error) {
	var f faults
	s.booking(&r, &f)
	if err := f.err(); err != nil {
		return taxi.Journey{}, err
	}
	b, _, err := s.place(now, &r, repeat{})
	return b.journey, err
}

// place makes or edits a booking whose body is in order, unless it has been made.
func (s *Service) place(now time.Time, r *taxi.BookRequest, again repeat) (b booked, ticket store.Ticket, err error) {
	ticket, err = s.apply(func(tx *txn) (err error) {
		if b, err = s.answered(tx, now, again); err != nil || b.replayed {
			return err
		}
		j, replayed, err := s.bookOnce(tx, now, r, again)
		if err != nil {
			return err
		}
		if err := tx.tell(); err != nil { // an edit may have sent the car elsewhere
			return err
		}
		b = booked{journey: s.live(now, j), replayed: replayed}
		return s.remember(tx, now, again, b)
	})
	return b, ticket, err
}

// bookOnce makes or edits a booking, unless an earlier request was the same.
func (s *Service) bookOnce(tx *txn, now time.Time, r *taxi.BookRequest, again repeat) (j *store.Journey, replayed bool, err error) {
	if r.JourneyID != nil {
		if err := s.open(); err != nil {
			return nil, false, err
		}
		j, err = s.edit(tx, now, r)
		return j, false, err
	}
	user, err := s.booker(tx, now, r)
	if err != nil {
		return nil, false, err
	}
	if again.fingerprint != ([32]byte{}) {
		since := now.Add(-s.policy.DuplicateWindow)
		if j, ok := tx.RecentByFingerprint(user.UserID, again.fingerprint, since); ok && !j.Status.Terminal() {
			return j, true, nil
		}
	}
	if err := s.open(); err != nil { // what was booked before is booked, also after closing time
		return nil, false, err
	}
	at, err := s.pickupTime(now, r.PickupTime)
	if err != nil {
		return nil, false, err
	}
	return s.create(tx, now, at, user.UserID, r, again), false, nil
}

// booker finds who books: the user named, else whoever has the number, else a
// new user. It refuses those who may not.
func (s *Service) booker(tx *txn, now time.Time, r *taxi.BookRequest) (*store.User, error) {
	u, err := s.userOf(tx, r)
	switch {
	case errors.Is(err, store.ErrNotFound) && r.UserID != "":
		return nil, refuse(taxi.CodeUserNotFound, "no user has this userId; leave it out to book by phone number")
	case errors.Is(err, store.ErrNotFound):
		return s.newUser(tx, now, r.PhoneNumber, r.Name), nil
	case err != nil:
		return nil, err
	}
	return u, mayBook(u)
}

// mayBook refuses those whose bookings are not taken. What they have booked
// they may still follow and cancel.
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
func (s *Service) userOf(tx *txn, r *taxi.BookRequest) (*store.User, error) {
	if r.UserID != "" {
		return tx.User(r.UserID)
	}
	return tx.UserByPhone(r.PhoneNumber)
}

// create stores a new journey, to be picked up at a time.
func (s *Service) create(tx *txn, now time.Time, at taxi.Time, user taxi.UserID, r *taxi.BookRequest, again repeat) *store.Journey {
	serial := tx.NextSerial()
	j := &store.Journey{
		Journey: taxi.Journey{
			JourneyID: s.journeyID(serial),
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
		Fingerprint: again.fingerprint,
	}
	j.AskedAt = askedAt(r.PickupTime, at)
	row, _ := next(Unbooked, EventBook, Facts{Now: now, Journey: j, Policy: &s.policy}) // its last row has no guard
	if row.To == taxi.Waiting {
		j.ReleasedAt = now
	}
	j.Price, j.ETA = s.fleet.Quote(now, j)
	assume(j, row.To)
	s.put(tx, now, j, nil, EventBook)
	return j
}

// askedAt is what to remember of the time asked for: nothing if it was given.
func askedAt(asked, given taxi.Time) time.Time {
	if asked.Equal(given.Time) {
		return time.Time{}
	}
	return asked.Time
}
