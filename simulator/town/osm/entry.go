package osm

import (
	"slices"
	"strings"
	"unicode"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/town"
)

// placeTags maps the OpenStreetMap tags of places, by key and value, to kinds of places.
var placeTags = map[string]map[string]town.PlaceKind{
	"railway": {"station": town.Station, "halt": town.Station},
	"aeroway": {"aerodrome": town.Airport, "terminal": town.Airport},
	"amenity": {
		"hospital": town.Hospital, "university": town.University, "college": town.University, "pub": town.Pub, "taxi": town.Rank,
		"townhall": town.TownHall, "ferry_terminal": town.Harbour,
	},
	"tourism": {"hotel": town.Hotel},
	"leisure": {"stadium": town.Stadium, "marina": town.Harbour},
	"shop":    {"mall": town.RetailPark},
	"landuse": {"retail": town.RetailPark, "harbour": town.Harbour},
}

// entry is an object of a map, classified by its tags: a road, a spot or neither.
type entry struct {
	road   town.Road
	spot   town.Spot
	access [len(accessTags)]string // the values of accessTags

	barrier  string
	relation string // the type of a relation
}

// accessTags are the keys of tags that say who may use a road, the more specific ones later. Taxis are public service
// vehicles.
var accessTags = [...]string{"access", "vehicle", "motor_vehicle", "motorcar", "psv", "taxi"}

// closedTo are the values of access tags that do not allow a taxi with passengers.
var closedTo = []string{"no", "private", "agricultural", "forestry", "emergency", "military", "permit", "bus"}

// isClosed reports whether taxis may not use a road.
func (e *entry) isClosed() bool {
	for _, value := range slices.Backward(e.access[:]) {
		if value != "" {
			return slices.Contains(closedTo, value)
		}
	}
	return false
}

// impassable are the barriers through which no car can drive unless access tags say otherwise.
var impassable = []string{
	"block", "bollard", "bus_trap", "chain", "cycle_barrier", "debris", "fence", "hedge", "horse_stile", "jersey_barrier", "kissing_gate", "log",
	"motorcycle_barrier", "planter", "stile", "sump_buster", "turnstile", "wall",
}

// isBarrier reports whether taxis cannot pass a point of a road.
func (e *entry) isBarrier() bool {
	if e.barrier == "" || e.access == [len(accessTags)]string{} {
		return slices.Contains(impassable, e.barrier)
	}
	return e.isClosed()
}

// clean returns a text of a map without what a terminal or a reader would take for commands:
// control characters, and those that change the direction of writing.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' {
			return -1
		}
		return r
	}, text)
}

// mostText limits the length of a tag's value, in bytes: OpenStreetMap has up to 255
// characters. Longer values are ignored.
const mostText = 1024

// tag stores one tag of an object, in any order. If an object has two kinds, the more
// important one is used. Only values that are stored are copied.
func (e *entry) tag(key, value []byte) {
	if len(value) > mostText {
		return
	}
	var to *string
	switch string(key) {
	case "name":
		e.road.Name = clean(string(value))
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
	case "barrier":
		to = &e.barrier
	case "type":
		to = &e.relation
	case "addr:housenumber":
		to = &e.spot.Number
	case "addr:street":
		to = &e.spot.Street
	case "addr:postcode":
		to = &e.spot.Postcode
	case "access", "vehicle", "motor_vehicle", "motorcar", "psv", "taxi":
		to = &e.access[slices.Index(accessTags[:], string(key))]
	default:
		if kind, ok := placeTags[string(key)][string(value)]; ok && (e.spot.Kind == "" || kind.Weight() > e.spot.Kind.Weight()) {
			e.spot.Kind = kind
		}
	}
	if to != nil {
		*to = clean(string(value))
	}
}

// Limits on the stored houses and places of a map, more than enough for a simulation.
const (
	mostHouses = 1_000_000
	mostSights = 200_000
)

// spotList collects the spots of a map.
type spotList struct {
	spots          []town.Spot
	houses, places int
}

// add stores a spot, and reports whether it did: it is a place or a house, and there is room for its kind.
func (l *spotList) add(e *entry) bool {
	if e.spot.IsPlace() {
		if l.places == mostSights {
			return false
		}
		l.places++
	} else {
		if !e.spot.IsHouse() || l.houses == mostHouses {
			return false
		}
		l.houses++
	}
	l.spots = append(l.spots, e.spot)
	return true
}

// middle returns the mean of points.
func middle(points []taxi.Point) taxi.Point {
	var sum taxi.Point
	for _, p := range points {
		sum.Longitude += p.Longitude
		sum.Latitude += p.Latitude
	}
	n := float64(len(points))
	return taxi.Point{Longitude: sum.Longitude / n, Latitude: sum.Latitude / n}
}
