package serving

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/town"
)

// Bookings that exist in the town of a demo before it is shown.
const (
	lifeTrips = 10               // people who are waiting or on board
	lifeApart = 35 * time.Second // between two bookings, by the world's clock
	lifeFrom  = 4_000            // the first of their drivers' numbers, which no other driver of a demo has
)

// liven advances the world's clock by some minutes and lets people of the town book meanwhile, so that the map shows
// moving cars from the start. If the system refuses bookings, for example because it is closed, there are none.
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

// lifeTrip returns the n-th booking of the people who make the town lively. Each has another user, another pickup, and
// a drop-off at a street or a place.
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

// newcomers returns the people of the fixtures without their sample bookings: in a demo each user books for a reason.
func newcomers() []fixtures.Person {
	people := fixtures.People()
	for i := range people {
		people[i].Bookings = 0
	}
	return people
}

// pace runs the world's clock at the speed of speech while a call is up, so that the taxi
// does not arrive before the caller has hung up. If somebody else sets another speed
// meanwhile, pace leaves it.
type pace struct {
	talking int // the speed during calls
	speed   func() int
	set     func(int) error

	mu    sync.Mutex
	up    int
	news  chan struct{} // of length one: the number of calls has changed
	usual int           // the speed before the calls; 0: no call is up, or the clock was slow already
}

func newPace(talking int, speed func() int, set func(int) error) *pace {
	return &pace{talking: talking, speed: speed, set: set, news: make(chan struct{}, 1)}
}

// live sets the number of calls that are up. It does not block.
func (p *pace) live(calls int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.up = calls
	select {
	case p.news <- struct{}{}:
	default: // the last change has not been read yet
	}
}

// keep adjusts the speed until ctx ends.
func (p *pace) keep(ctx context.Context) {
	for ctx.Err() == nil {
		p.adjust()
		select {
		case <-p.news:
		case <-ctx.Done():
		}
	}
}

// adjust sets the speed for the current number of calls.
func (p *pace) adjust() {
	p.mu.Lock()
	up := p.up
	p.mu.Unlock()
	now := p.speed()
	switch {
	case up > 0 && p.usual == 0 && now > p.talking:
		if p.set(p.talking) == nil {
			p.usual = now
		}
	case up == 0 && p.usual > 0:
		if now == p.talking {
			_ = p.set(p.usual) // a speed that was set before, so it is valid
		}
		p.usual = 0
	}
}

// sampleTrip returns a plausible journey in a town: from the university to the hospital,
// or between other places that the town has. The university has no rank, so the car needs
// a while to arrive. On an open plane, which has no town, the places are those of the
// fixtures. A place whose name cannot be spoken has no name.
func sampleTrip(t *town.Town) (from, to booking.Place) {
	if t == nil {
		from.Address, _ = calling.ParsePlace("station") // both are in the fixtures
		to.Address, _ = calling.ParsePlace("hospital")
		return from, to
	}
	out := int32(t.Size) * 150 // mm, three tenths of the way to the edge
	from = placeIn(t, town.XY{X: -out, Y: -out}, town.University, town.Stadium, town.Station, town.Hotel, town.TownHall)
	to = placeIn(t, town.XY{X: out, Y: out}, town.Hospital, town.Airport)
	return from, to
}

// placeIn returns a place of the first of some kinds that the town has, or the address
// nearest to a point.
func placeIn(t *town.Town, otherwise town.XY, kinds ...town.PlaceKind) booking.Place {
	for _, kind := range kinds {
		if p, ok := t.PlaceOf(kind); ok {
			return booking.Place{Address: t.Wire(p.Address), Name: p.Name}
		}
	}
	return booking.Place{Address: t.Wire(t.Nearest(otherwise))}
}

// callersPlaces lists the destinations for callers in a town: first those of the sample
// trip, then other places, then streets with house numbers.
func callersPlaces(t *town.Town, from, to booking.Place) []booking.Place {
	places := []booking.Place{from, to}
	if t == nil {
		return places
	}
	for _, p := range t.Places {
		if p.Name != from.Name && p.Name != to.Name {
			places = append(places, booking.Place{Address: t.Wire(p.Address), Name: p.Name, Kind: string(p.Kind)})
		}
	}
	for i := range t.Streets {
		if len(places) >= booking.MostPlaces {
			break
		}
		name := t.Streets[i].Name
		if at, err := t.Lookup(name); err == nil {
			address := taxi.Address{Address: name, Location: t.Wire(at).Location}
			places = append(places, booking.Place{Address: address, Name: name, Street: true})
		}
	}
	return places
}

// whereIn returns a function that names the address nearest to a point; nil on an open
// plane, which has no addresses.
func whereIn(t *town.Town) func(taxi.Point) string {
	if t == nil {
		return nil
	}
	return func(p taxi.Point) string {
		address, _, _ := strings.Cut(t.Wire(t.Nearest(t.XY(p))).Address, ",")
		return "near " + address
	}
}
