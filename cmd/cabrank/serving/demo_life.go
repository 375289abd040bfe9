package serving

import (
	"context"
	"fmt"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/town"
)

// Bookings that exist in the town of a demo before it is shown.
const (
	lifeTrips = 10               // people who are waiting or on board
	lifeApart = 35 * time.Second // between two bookings, by the world's clock
	lifeFrom  = 4_000            // the first of their drivers' numbers, which no other driver of a demo has
)

// liven runs the world for some minutes in which people of the town book, so that the map
// shows moving cars from the start. If the system refuses bookings, for example because
// it is closed, there are none.
func (d *demonstration) liven(ctx context.Context) error {
	h := d.system.host()
	t := h.Town()
	if t == nil {
		return nil
	}
	clock := h.World().Clock()
	defer clock.SetCallers(clock.Read().Callers)
	clock.SetCallers(simulator.CallersByWorld) // these callers name the world's time
	for n := range lifeTrips {
		_, _ = d.inside().Book(ctx, lifeTrip(t, n, clock.Now())) // it may be refused like any other booking
		if err := clock.Advance(ctx, lifeApart); err != nil {
			return err
		}
	}
	return nil
}

// lifeTrip returns the n-th booking. Each has another user, another pickup, and a
// drop-off at a street or a place.
func lifeTrip(t *town.Town, n int, now time.Time) taxi.BookRequest {
	places := placesToGo(t)
	end := func(i int) taxi.Address { return t.Wire(places[i%len(places)].Address) }
	from, to := end(3*n+1), end(3*n+6)
	if n%2 == 1 || len(places) < 3 {
		out := int32(t.Size) * int32(60+20*(n%4)) // mm, from a tenth to a quarter of the town's width
		corner := [...]town.XY{{X: out, Y: -out}, {X: -out, Y: out}, {X: -out, Y: -out}, {X: out, Y: out}}[n/2%4]
		to = t.Wire(t.Nearest(corner))
	}
	return taxi.BookRequest{
		Name: fixtures.DriverAt(lifeFrom + n).Name, PhoneNumber: taxi.E164(fmt.Sprintf("44191498%04d", 500+n)),
		Pickup: &from, Dropoffs: []taxi.Address{to}, PickupTime: taxi.At(now),
	}
}

// placesToGo returns the places of a town except its ranks, or the end of a street if it
// has none.
func placesToGo(t *town.Town) []town.Place {
	var list []town.Place
	for _, p := range t.Places {
		if p.Kind != town.Rank {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		list = []town.Place{{Address: t.Nearest(town.XY{})}}
	}
	return list
}

// newcomers are the people of the fixtures without their sample bookings: in a demo each
// user books for a reason.
func newcomers() []fixtures.Person {
	people := fixtures.People()
	for i := range people {
		people[i].Bookings = 0
	}
	return people
}
