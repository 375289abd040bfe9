package town

// PlaceKind says what a place is.
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

// PlaceOf returns the first place of a kind. Generated towns have every kind,
// imported ones only ranks.
func (t *Town) PlaceOf(kind PlaceKind) (Place, bool) {
	for _, p := range t.Places {
		if p.Kind == kind {
			return p, true
		}
	}
	return Place{}, false
}
