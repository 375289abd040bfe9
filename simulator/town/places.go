package town

import "github.com/cabrank/cabrank/dispatch/taxi"

// PlaceKind is the kind of a place.
type PlaceKind string

// The kinds of place.
const (
	Station    PlaceKind = "station"
	Airport    PlaceKind = "airport"
	Hospital   PlaceKind = "hospital"
	University PlaceKind = "university"
	Stadium    PlaceKind = "stadium"
	RetailPark PlaceKind = "retail park"
	Hotel      PlaceKind = "hotel"
	Pub        PlaceKind = "pub"
	Rank       PlaceKind = "taxi rank"
	TownHall   PlaceKind = "town hall"
	Harbour    PlaceKind = "harbour"
)

// Place is somewhere many people go to.
type Place struct {
	Address
	Kind   PlaceKind
	Name   string
	Weight int // share of the journeys that begin or end at places; 0 for ranks
}

// Kerb is a place at the side of a street where a car can stop: so many
// millimetres along a link, counted from its From node.
type Kerb struct{ Link, Offset int32 }

// Address is somewhere that a taxi can be sent to: a door, a place or a street.
type Address struct {
	Text string // "14 Mill Lane, Otterbridge, ZT1 4BD"
	At   XY     // the door
	Kerb Kerb   // where the car stops for it
}

// Spot is a point of a user's own map that has an address or is a place, or both.
type Spot struct {
	At       taxi.Point
	Name     string
	Kind     PlaceKind // empty if it is no place that taxis go to
	Number   string    // of the house: "14", "14a" or "14-16"
	Street   string
	Postcode string
}

// Weight returns how often journeys go to an imported place of a kind, relative to others: 0 to 30.
func (k PlaceKind) Weight() int { return weights[k] }

var weights = map[PlaceKind]int{
	Station: 30, Airport: 18, Hospital: 16, University: 10, RetailPark: 9, Hotel: 7, TownHall: 6, Stadium: 5, Harbour: 4, Pub: 3, Rank: 0,
}

// IsPlace reports whether a spot can be asked for by a name. A taxi rank without
// one is known by its street.
func (s *Spot) IsPlace() bool { return s.Kind == Rank || s.Kind != "" && s.Name != "" }

// IsHouse reports whether a spot is an address: a number in a street.
func (s *Spot) IsHouse() bool { return s.Number != "" && s.Street != "" }
