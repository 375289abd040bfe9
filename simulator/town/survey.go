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

// placeTags are the OpenStreetMap tags that make a place.
var placeTags = map[string]map[string]PlaceKind{
	"railway": {"station": Station, "halt": Station},
	"aeroway": {"aerodrome": Airport, "terminal": Airport},
	"amenity": {
		"hospital": Hospital, "university": University, "college": University, "pub": Pub, "taxi": Rank,
		"townhall": TownHall, "ferry_terminal": Harbour,
	},
	"tourism": {"hotel": Hotel},
	"leisure": {"stadium": Stadium, "marina": Harbour},
	"shop":    {"mall": RetailPark},
	"landuse": {"retail": RetailPark, "harbour": Harbour},
}

// weights are what an imported place of a kind is worth beside others; what is
// two things is the weightier.
var weights = map[PlaceKind]int{
	Station: 30, Airport: 18, Hospital: 16, University: 10, RetailPark: 9, Hotel: 7, TownHall: 6, Stadium: 5, Harbour: 4, Pub: 3, Rank: 0,
}

// entry is a thing on a map, by its tags: a road, a spot or neither.
type entry struct {
	road Road
	spot Spot
}

// mostText is how long the value of a tag may be, in bytes: OpenStreetMap has up to 255
// characters. What is longer is left out.
const mostText = 1024

// tag takes in one tag, in any order. Only values that are kept are copied.
func (e *entry) tag(key, value []byte) {
	if len(value) > mostText {
		return
	}
	var to *string
	switch string(key) {
	case "name":
		e.road.Name = string(value)
		e.spot.Name = e.road.Name
	case "ref":
		to = &e.road.Ref
	case "highway":
		to = &e.road.Highway
	case "oneway":
		to = &e.road.OneWay
	case "maxspeed":
		to = &e.road.MaxSpeed
	case "junction":
		to = &e.road.Junction
	case "addr:housenumber":
		to = &e.spot.Number
	case "addr:street":
		to = &e.spot.Street
	case "addr:postcode":
		to = &e.spot.Postcode
	default:
		if kind, ok := placeTags[string(key)][string(value)]; ok && (e.spot.Kind == "" || weights[kind] > weights[e.spot.Kind]) {
			e.spot.Kind = kind
		}
	}
	if to != nil {
		*to = string(value)
	}
}

// isPlace reports whether a spot can be asked for by a name. A taxi rank without
// one is known by its street.
func (s *Spot) isPlace() bool { return s.Kind == Rank || s.Kind != "" && s.Name != "" }

func (s *Spot) isHouse() bool { return s.Number != "" && s.Street != "" }

// How many houses and places of a map are kept; more would not be missed.
const (
	mostHouses = 1_000_000
	mostSights = 200_000
)

// spotList gathers the spots of a map.
type spotList struct {
	spots          []Spot
	houses, places int
}

// add keeps a thing that is a spot, as long as there is room for its kind, and
// reports whether it did.
func (l *spotList) add(e *entry) bool {
	if e.spot.isPlace() {
		if l.places == mostSights {
			return false
		}
		l.places++
	} else {
		if !e.spot.isHouse() || l.houses == mostHouses {
			return false
		}
		l.houses++
	}
	l.spots = append(l.spots, e.spot)
	return true
}

// middle returns a point in the midst of others.
func middle(points []taxi.Point) taxi.Point {
	var sum taxi.Point
	for _, p := range points {
		sum.Longitude += p.Longitude
		sum.Latitude += p.Latitude
	}
	n := float64(len(points))
	return taxi.Point{Longitude: sum.Longitude / n, Latitude: sum.Latitude / n}
}
