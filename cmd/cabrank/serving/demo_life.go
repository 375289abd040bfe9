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

// What goes on in the town of a demo before anybody looks at it.
const (
	lifeTrips = 10               // people who are on their way, or wait
	lifeApart = 35 * time.Second // between their bookings, by the world's clock
	lifeFrom  = 4_000            // the first of the drivers' names that they have, which no driver of a demo has
)

// liven has the world live for some minutes in which people of the town book, so that
// whoever opens the page sees cars that drive. A firm that refuses bookings, as one that is closed
// does, has none.
func (d *demonstration) liven(ctx context.Context) error {
	h := d.system.host()
	t := h.Town()
	if t == nil {
		return nil
	}
	clock := h.World().Clock()
	defer clock.SetCallers(clock.Read().Callers)
	clock.SetCallers(simulator.CallersByWorld) // these name the world's time
	for n := range lifeTrips {
		_, _ = d.inside().Book(ctx, lifeTrip(t, n, clock.Now())) // it may be refused, as everybody's is
		if err := clock.Advance(ctx, lifeApart); err != nil {
			return err
		}
	}
	return nil
}

// lifeTrip is the n-th trip: each from another place of the town to a street of it or to another
// place, by somebody else.
func lifeTrip(t *town.Town, n int, now time.Time) taxi.BookRequest {
	places := placesToGo(t)
	end := func(i int) taxi.Address { return t.Wire(places[i%len(places)].Address) }
	from, to := end(3*n+1), end(3*n+6)
	if n%2 == 1 || len(places) < 3 {
		out := int32(t.Size) * int32(60+20*(n%4)) // mm, from a tenth to a quarter of the way across
		corner := [...]town.XY{{X: out, Y: -out}, {X: -out, Y: out}, {X: -out, Y: -out}, {X: out, Y: out}}[n/2%4]
		to = t.Wire(t.Nearest(corner))
	}
	return taxi.BookRequest{
		Name: fixtures.DriverAt(lifeFrom + n).Name, PhoneNumber: taxi.E164(fmt.Sprintf("44191498%04d", 500+n)),
		Pickup: &from, Dropoffs: []taxi.Address{to}, PickupTime: taxi.At(now),
	}
}

// placesToGo are the places of a town but for its ranks, or a street's end where there are none.
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

// newcomers are the people of the fixtures without the bookings that they have for testers: in
// a demo, who books is a person with a plan.
func newcomers() []fixtures.Person {
	people := fixtures.People()
	for i := range people {
		people[i].Bookings = 0
	}
	return people
}
