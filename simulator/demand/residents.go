package demand

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/chance"
	"github.com/cabrank/cabrank/simulator/road"
	"github.com/cabrank/cabrank/simulator/town"
)

// Residents are the simulated people of the town who book taxis, and their destinations.
type Residents struct {
	demand Demand
	zone   *time.Location

	stops  []stop  // places, then homes
	places int     // number of stops that are places
	upTo   []int64 // running total of the places' weights
	people [mostResidents]*resident
}

// stop is a location at which people get in and out.
type stop struct {
	taxi.Address
	spot  road.Spot
	lists []taxi.Address // a list of only this address, shared by bookings
}

// resident is a person with a phone and a home.
type resident struct {
	name  string
	phone taxi.E164
	home  int // index of a stop
}

// numberPrefixes are prefixes of a thousand numbers each that Ofcom reserves for drama,
// so that nobody has them. The fixtures use others.
var numberPrefixes = [...]string{"441632960", "441414960", "441614960", "441914980", "442890180", "442920180"}

const (
	mostResidents = len(numberPrefixes) * 1000
	homes         = 3000
)

// Area describes where the residents live.
type Area struct {
	Seed   uint64
	Roads  road.Roads
	Town   *town.Town       // nil: an open plane
	Places []fixtures.Place // that they visit
	Zone   *time.Location   // of their clocks
}

// New gives people homes behind some of the doors of an area. It returns an error for a
// demand of less than one booking an hour or more than a million.
func New(d Demand, a Area) (*Residents, error) {
	if d.PerHour < 1 || d.PerHour > 1_000_000 {
		return nil, fmt.Errorf("%d bookings an hour are no demand", d.PerHour)
	}
	r := &Residents{demand: d, zone: a.Zone}
	total := int64(0)
	for i := range a.Places {
		weight := a.weight(i)
		if p := a.Places[i].Address; weight > 0 && a.Roads.Covers(road.SpotOf(*p.Location)) {
			total += weight
			r.add(p)
			r.upTo = append(r.upTo, total)
		}
	}
	r.places = len(r.stops)
	for i := range uint64(homes) {
		r.add(a.home(i))
	}
	return r, nil
}

func (r *Residents) add(a taxi.Address) {
	r.stops = append(r.stops, stop{Address: a, spot: road.SpotOf(*a.Location), lists: []taxi.Address{a}})
}

// weight returns the share of a place in the journeys that begin or end at places.
func (a *Area) weight(i int) int64 {
	const plain = 5 // the default
	switch {
	case a.Town != nil && len(a.Places) == len(a.Town.Places):
		return int64(a.Town.Places[i].Weight)
	case a.Places[i].Kind == string(town.Rank):
		return 0
	default:
		return plain
	}
}

// home returns the address of the n-th home.
func (a *Area) home(n uint64) taxi.Address {
	draw := chance.New(a.Seed, chance.Home, n, 0)
	if a.Town != nil && a.Town.Doors() > 0 {
		return a.Town.Wire(a.Town.RandomAddress(&draw))
	}
	at := a.Roads.Door(draw.Uint64()).Point()
	return taxi.Address{Address: fmt.Sprintf("House %d", n+1), Location: &at}
}

// resident returns the n-th resident.
func (r *Residents) resident(n int) *resident {
	if r.people[n] == nil {
		draw := chance.From(uint64(n))
		r.people[n] = &resident{
			name:  fixtures.NameAt(5_000 + n),
			phone: taxi.E164(numberPrefixes[n/1000] + strconv.Itoa(n%1000 + 1000)[1:]),
			home:  r.home(&draw),
		}
	}
	return r.people[n]
}

// home draws the index of a home.
func (r *Residents) home(draw *chance.Stream) int {
	return r.places + int(draw.Below(int64(len(r.stops)-r.places)))
}

// place draws a place by weight, or a home if there are no places.
func (r *Residents) place(draw *chance.Stream) int {
	if r.places == 0 {
		return r.home(draw)
	}
	n := draw.Below(r.upTo[r.places-1])
	i, _ := slices.BinarySearchFunc(r.upTo, n, func(upTo, n int64) int { return cmp.Compare(upTo, n+1) })
	return i
}

// origin draws the pickup of a resident. Decision: home in half of the cases, some place
// in two of five.
func (r *Residents) origin(draw *chance.Stream, home int) int {
	switch n := draw.Below(100); {
	case n < 50:
		return home
	case n < 90:
		return r.place(draw)
	default:
		return r.home(draw)
	}
}

// destination draws the destination of a resident. Larger or nearer stops are more
// likely.
func (r *Residents) destination(draw *chance.Stream, from int) []taxi.Address {
	const choices = 4
	var picked [choices]int
	var upTo [choices]int64
	total := int64(0)
	for i := range picked {
		picked[i] = r.home(draw)
		if i%2 == 0 {
			picked[i] = r.place(draw)
		}
		total += r.attraction(from, picked[i])
		upTo[i] = total
	}
	n := draw.Below(max(total, 1))
	for i, limit := range upTo {
		if n < limit {
			return r.stops[picked[i]].lists
		}
	}
	return r.stops[r.home(draw)].lists // all stops drawn are within walking distance
}

// attraction returns how attractive one stop is from another: less with distance, and 0
// within walking distance. The weight of a place is used when it is drawn.
func (r *Residents) attraction(from, to int) int64 {
	const walk, scale = 400_000, 1_500_000 // mm
	d := road.Distance(r.stops[from].spot, r.stops[to].spot)
	if d < walk {
		return 0
	}
	return scale * 1000 / (d + scale)
}
