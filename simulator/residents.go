package simulator

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

// residents are the simulated people of the town who book taxis, and their destinations.
type residents struct {
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

// newResidents gives people homes behind some of the doors of a town.
func newResidents(o *Options) *residents {
	f := &residents{}
	total := int64(0)
	for i := range o.Places {
		weight := weightOf(o, i)
		if p := o.Places[i].Address; weight > 0 && o.Roads.Covers(road.SpotOf(*p.Location)) {
			total += weight
			f.add(p)
			f.upTo = append(f.upTo, total)
		}
	}
	f.places = len(f.stops)
	for i := range uint64(homes) {
		f.add(homeOf(o, i))
	}
	return f
}

func (f *residents) add(a taxi.Address) {
	f.stops = append(f.stops, stop{Address: a, spot: road.SpotOf(*a.Location), lists: []taxi.Address{a}})
}

// weightOf is the share of a place in the journeys that begin or end at places.
func weightOf(o *Options, i int) int64 {
	const plain = 5 // the default
	switch {
	case o.Town != nil && len(o.Places) == len(o.Town.Places):
		return int64(o.Town.Places[i].Weight)
	case o.Places[i].Kind == string(town.Rank):
		return 0
	default:
		return plain
	}
}

// homeOf is the n-th home.
func homeOf(o *Options, n uint64) taxi.Address {
	draw := chance.New(o.Seed, chance.Home, n, 0)
	if o.Town != nil && o.Town.Doors() > 0 {
		return o.Town.Wire(o.Town.RandomAddress(&draw))
	}
	at := o.Roads.Door(draw.Uint64()).Point()
	return taxi.Address{Address: fmt.Sprintf("House %d", n+1), Location: &at}
}

// resident returns the n-th resident.
func (f *residents) resident(n int) *resident {
	if f.people[n] == nil {
		draw := chance.From(uint64(n))
		f.people[n] = &resident{
			name:  fixtures.NameAt(5_000 + n),
			phone: taxi.E164(numberPrefixes[n/1000] + strconv.Itoa(n%1000 + 1000)[1:]),
			home:  f.home(&draw),
		}
	}
	return f.people[n]
}

// home draws the index of a home.
func (f *residents) home(draw *chance.Stream) int {
	return f.places + int(draw.Below(int64(len(f.stops)-f.places)))
}

// place draws a place by weight, or a home if there are no places.
func (f *residents) place(draw *chance.Stream) int {
	if f.places == 0 {
		return f.home(draw)
	}
	n := draw.Below(f.upTo[f.places-1])
	i, _ := slices.BinarySearchFunc(f.upTo, n, func(upTo, n int64) int { return cmp.Compare(upTo, n+1) })
	return i
}

// origin draws the pickup of a resident. Decision: home in half of the cases, some place
// in two of five.
func (f *residents) origin(draw *chance.Stream, home int) int {
	switch n := draw.Below(100); {
	case n < 50:
		return home
	case n < 90:
		return f.place(draw)
	default:
		return f.home(draw)
	}
}

// destination draws the destination of a resident. Larger or nearer stops are more
// likely.
func (f *residents) destination(draw *chance.Stream, from int) []taxi.Address {
	const choices = 4
	var picked [choices]int
	var upTo [choices]int64
	total := int64(0)
	for i := range picked {
		picked[i] = f.home(draw)
		if i%2 == 0 {
			picked[i] = f.place(draw)
		}
		total += f.attraction(from, picked[i])
		upTo[i] = total
	}
	n := draw.Below(max(total, 1))
	for i, limit := range upTo {
		if n < limit {
			return f.stops[picked[i]].lists
		}
	}
	return f.stops[f.home(draw)].lists // all stops drawn are within walking distance
}

// attraction returns how attractive one stop is from another: less with distance, and 0
// within walking distance. The weight of a place is used when it is drawn.
func (f *residents) attraction(from, to int) int64 {
	const walk, scale = 400_000, 1_500_000 // mm
	d := road.Distance(f.stops[from].spot, f.stops[to].spot)
	if d < walk {
		return 0
	}
	return scale * 1000 / (d + scale)
}

// Demand is how much the residents of the town book. The zero value is no bookings.
type Demand struct {
	PerHour   int // mean number of bookings over a week
	Prebooked int // percentage of bookings for later
}

// demand creates the bookings of the residents.
type demand struct {
	Demand
	residents *residents
	zone      *time.Location
	books     bool // the current booking is a resident's
}
