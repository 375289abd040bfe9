package simulator

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/chance"
	"github.com/cabrank/cabrank/simulator/demand"
	"github.com/cabrank/cabrank/store"
)

// Populate creates users with their bookings. People who are meant to be unknown are left
// out. It must be called before serving: it opens a closed office meanwhile, and the
// clock stands still. They are durable before any later change.
func (w *World) Populate(ctx context.Context, people []fixtures.Person) error {
	if clock := w.Clock(); clock.runs() {
		clock.Pause()
		defer clock.Resume()
	}
	defer w.service.SetSystem(w.service.System())
	w.service.SetSystem(taxi.ConfigResponse{Status: taxi.SystemOK})
	var known []taxi.EndUser
	for _, p := range people {
		if p.Kind != fixtures.PersonUnknown {
			known = append(known, p.EndUser)
		}
	}
	if err := w.addUsers(known); err != nil {
		return fmt.Errorf("populate: %w", err)
	}
	now := w.Clock().Now()
	for _, p := range people {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("populate: %w", err)
		}
		for _, j := range p.Journeys(now) {
			if err := w.bookFor(p, j); err != nil {
				return fmt.Errorf("populate: %s: %w", p.UserID, err)
			}
		}
	}
	return nil
}

// addUsers creates users, in one turn.
func (w *World) addUsers(people []taxi.EndUser) error {
	now, leave := w.Enter()
	defer leave()
	_, err := w.records.Apply(func(tx *store.Tx) error {
		for _, p := range people {
			tx.PutUser(&store.User{EndUser: p, CreatedAt: now, SeenAt: dispatch.Never})
		}
		return nil
	})
	return err
}

func (w *World) bookFor(p fixtures.Person, j taxi.Journey) error {
	_, _, err := w.service.BookNoWait(taxi.BookRequest{
		UserID:      p.UserID,
		Name:        j.Passenger.Name,
		PhoneNumber: j.Passenger.PhoneNumber,
		Pickup:      w.localAddress(j.Pickup),
		Dropoffs:    []taxi.Address{*w.localAddress(&j.Dropoffs[0])},
		PickupTime:  j.Date,
	})
	return err
}

// PutUser changes the user with an id or a phone number, or creates one for a number that
// nobody has.
func (w *World) PutUser(ctx context.Context, user string, c dispatch.UserChange) (after taxi.EndUser, created bool, err error) {
	if s := c.Status; s != "" && !s.Known() {
		return after, false, refuse(RefusedInvalid, "/status", "%q is none of ENABLED, DISABLED and BLACKLISTED", s)
	}
	err = w.executeOrder(ctx, func(context.Context, *operator) (ticket store.Ticket, err error) {
		after, created, ticket, err = w.service.PutUser(w.now.time(), user, c)
		return ticket, refusedUser(err)
	}, nil)
	return after, created, err
}

// ForgetUser deletes the user with an id or a phone number, as if there had never been
// one. A user with journeys that are active or booked ahead is not deleted.
func (w *World) ForgetUser(ctx context.Context, user string) error {
	return w.executeOrder(ctx, func(context.Context, *operator) (store.Ticket, error) {
		_, ticket, err := w.service.ForgetUser(user)
		return ticket, refusedUser(err)
	}, nil)
}

// refusedUser converts an error about a user to a [Refusal] if an order can cause it, and
// returns others unchanged. The refusal does not repeat the phone number.
func refusedUser(err error) error {
	switch {
	case errors.Is(err, store.ErrNotFound):
		return unknown(OfUser, "", "nobody has this id or number")
	case errors.Is(err, dispatch.ErrUserHasJourneys):
		return refuse(RefusedConflict, "", "%s", dispatch.ErrUserHasJourneys)
	default:
		return err
	}
}

// planDemand plans the first booking of the residents, if the options have a demand.
func (w *core) planDemand(o *Options) error {
	if o.Demand.PerHour == 0 {
		return nil
	}
	residents, err := demand.New(o.Demand, demand.Area{
		Seed: o.Seed, Roads: o.Roads, Town: o.Town, Places: o.Places, Zone: w.fares.Location,
	})
	if err != nil {
		return err
	}
	w.residents = residents
	w.planNextBooking()
	return nil
}

// planNextBooking plans the next booking of a resident.
func (w *core) planNextBooking() {
	draw := chance.New(w.seed, chance.Demand, uint64(w.now), 0)
	w.plan(event{at: momentOf(w.residents.Next(&draw, w.now.time())), kind: evDemand})
}

// bookForResident makes the booking that is due, and plans the next.
func (w *core) bookForResident() {
	w.planNextBooking()
	draw := chance.New(w.seed, chance.Person, uint64(w.now), 0)
	r := w.residents.Request(&draw, w.now.time())
	w.residentBooks = true
	if err := w.service.BookWithin(w.now.time(), r); err != nil {
		w.log.Debug("the office did not take a booking", slog.Any("reason", err))
	}
	w.residentBooks = false
}
