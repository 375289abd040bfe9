package simulator

import (
	"context"
	"fmt"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/store"
)

// Populate makes people users of the world, with the bookings that they have.
// Those who are meant to be unknown are left out. It comes before serving: a
// closed office is opened for as long as it takes.
func (w *World) Populate(ctx context.Context, people []fixtures.Person) error {
	defer w.service.SetSystem(w.service.System())
	w.service.SetSystem(taxi.ConfigResponse{Status: taxi.SystemOK})
	now, leave := w.Enter()
	ticket, err := w.records.Apply(func(tx *store.Tx) error {
		for _, p := range people {
			if p.Kind != fixtures.PersonUnknown {
				tx.PutUser(&store.User{EndUser: p.EndUser, CreatedAt: now})
			}
		}
		return nil
	})
	leave()
	if err != nil {
		return fmt.Errorf("populate: %w", err)
	}
	for _, p := range people {
		for _, j := range p.Journeys(now) {
			if err := w.bookFor(ctx, p, j); err != nil {
				return fmt.Errorf("populate: %s: %w", p.UserID, err)
			}
		}
	}
	return ticket.Wait(ctx)
}

func (w *World) bookFor(ctx context.Context, p fixtures.Person, j taxi.Journey) error {
	_, err := w.service.Book(ctx, taxi.BookRequest{
		UserID:      p.UserID,
		Name:        j.Passenger.Name,
		PhoneNumber: j.Passenger.PhoneNumber,
		Pickup:      j.Pickup,
		Dropoffs:    j.Dropoffs,
		PickupTime:  j.Date,
	})
	return err
}

// FixtureCrews returns the cars and drivers of the fixtures.
func FixtureCrews() []Crew {
	crews := make([]Crew, fixtures.FleetSize)
	for i := range crews {
		v, d := fixtures.VehicleAt(i), fixtures.DriverAt(i)
		crews[i] = Crew{
			VehicleID: fmt.Sprintf("car-%d", i+1),
			DriverID:  d.BadgeNumber,
			Category:  string(v.Category),
			Vehicle:   v.Vehicle,
			Driver:    d,
		}
	}
	return crews
}
