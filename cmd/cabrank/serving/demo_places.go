package serving

import (
	"strings"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/town"
)

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
