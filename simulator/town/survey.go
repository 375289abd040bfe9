package town

import "github.com/cabrank/cabrank/dispatch/taxi"

// Spot is a point of a user's own map that has an address or is a place, or both.
type Spot struct {
	At       taxi.Point
	Name     string
	Kind     PlaceKind // empty if it is no place that taxis go to
	Number   string    // of the house: "14", "14a" or "14-16"
	Street   string
	Postcode string
}

// Weight is what an imported place of a kind is worth beside others: 0 to 30.
func (k PlaceKind) Weight() int { return weights[k] }

var weights = map[PlaceKind]int{
	Station: 30, Airport: 18, Hospital: 16, University: 10, RetailPark: 9, Hotel: 7, TownHall: 6, Stadium: 5, Harbour: 4, Pub: 3, Rank: 0,
}

// IsPlace reports whether a spot can be asked for by a name. A taxi rank without
// one is known by its street.
func (s *Spot) IsPlace() bool { return s.Kind == Rank || s.Kind != "" && s.Name != "" }

// IsHouse reports whether a spot is an address: a number in a street.
func (s *Spot) IsHouse() bool { return s.Number != "" && s.Street != "" }
