package serving

import (
	"strings"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/town"
)

// sampleTrip is a journey that somebody in a town may want: from the university to the
// hospital, or between whatever the town has instead. No rank is at the university, so
// that there is a wait for a car to be seen. On an open plane, where there
// is no town, it is in the one of the fixtures. A place without a name has none that
// could be said.
func sampleTrip(t *town.Town) (from, to booking.Place) {
	if t == nil {
		from.Address, _ = calling.ParsePlace("station") // both are there
		to.Address, _ = calling.ParsePlace("hospital")
		return from, to
	}
	out := int32(t.Size) * 150 // mm, three tenths of the way to the edge
	from = placeIn(t, town.XY{X: -out, Y: -out}, town.University, town.Stadium, town.Station, town.Hotel, town.TownHall)
	to = placeIn(t, town.XY{X: out, Y: out}, town.Hospital, town.Airport)
	return from, to
}

// placeIn is a place of the first of some kinds that a town has, or the address
// nearest to a point.
func placeIn(t *town.Town, otherwise town.XY, kinds ...town.PlaceKind) booking.Place {
	for _, kind := range kinds {
		if p, ok := t.PlaceOf(kind); ok {
			return booking.Place{Address: t.Wire(p.Address), Name: p.Name}
		}
	}
	return booking.Place{Address: t.Wire(t.Nearest(otherwise))}
}

// callersPlaces are where the callers of a town may want to go: first those of the
// sample trip, then the others and the streets, which have house numbers.
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

// whereIn names the address nearest to a point of a town; nil on an open plane, which has
// none.
func whereIn(t *town.Town) func(taxi.Point) string {
	if t == nil {
		return nil
	}
	return func(p taxi.Point) string {
		address, _, _ := strings.Cut(t.Wire(t.Nearest(t.XY(p))).Address, ",")
		return "near " + address
	}
}
