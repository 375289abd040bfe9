package booking

import (
	"math"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Place is a destination of callers, or a street with house numbers.
type Place struct {
	taxi.Address

	Name   string `json:"name"`             // the usual name
	Kind   string `json:"kind,omitempty"`   // "station", "pub"; "": as its name implies
	Street bool   `json:"street,omitempty"` // needs a house number
}

// At returns the address of a house of a street.
func (p Place) At(house string) taxi.Address {
	a := p.Address
	if p.Street && house != "" {
		a.Address = strings.TrimSpace(house + " " + a.Address)
	}
	return a
}

// placeNameAt returns the name of the known place at an address; without a name, the text of the address.
func placeNameAt(a taxi.Address, known []Place) string {
	for _, p := range known {
		if p.Address.Address == a.Address && p.Name != "" {
			return p.Name
		}
	}
	return a.Address
}

// found returns an address with a location, from the known places if the third party left
// the location out: /book needs one.
func found(a taxi.Address, known []Place) (taxi.Address, bool) {
	if a.Location != nil {
		return a, true
	}
	for _, p := range known {
		if strings.EqualFold(p.Address.Address, a.Address) || strings.EqualFold(p.Name, a.Address) {
			return p.Address, p.Location != nil
		}
	}
	return a, false
}

// samePlace reports whether two addresses are the same place: they have the same text, or
// are within a few steps.
func samePlace(a, b taxi.Address) bool {
	if strings.EqualFold(strings.TrimSpace(a.Address), strings.TrimSpace(b.Address)) {
		return true
	}
	const near = 30 // metres
	return a.Location != nil && b.Location != nil && metres(*a.Location, *b.Location) < near
}

// sameDoor reports whether two addresses that a caller named are the same place. Unlike samePlace, it distinguishes a
// house from the hospital next to it.
func sameDoor(a, b taxi.Address) bool {
	n, _ := houseOf(a)
	m, _ := houseOf(b)
	return n == m && samePlace(a, b)
}

const earth = 6_371_000 // metres

// metres returns the distance of two points, accurate enough for a town.
func metres(a, b taxi.Point) float64 {
	const degree = math.Pi / 180
	north := (b.Latitude - a.Latitude) * degree
	east := (b.Longitude - a.Longitude) * degree * math.Cos((a.Latitude+b.Latitude)/2*degree)
	return earth * math.Hypot(north, east)
}
