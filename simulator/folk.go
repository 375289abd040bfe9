package simulator

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/town"
)

// folk is the people of the town who book by themselves, and where they go.
type folk struct {
	stops  []stop  // places, then homes
	places int     // how many of the stops are places
	upTo   []int64 // running total of the places' weights
	people [mostFolk]*person
}

// stop is somewhere that people get in and out.
type stop struct {
	taxi.Address
	spot  Spot
	lists []taxi.Address // just this one, to be shared by bookings
}

// person is somebody with a phone and a home.
type person struct {
	name  string
	phone taxi.E164
	home  int // index of a stop
}

// exchanges are the beginnings of thousand numbers each that Ofcom keeps unused
// for drama: nobody can be rung by them. None begins a number of the fixtures.
var exchanges = [...]string{"441632960", "441414960", "441614960", "441914980", "442890180", "442920180"}

const (
	mostFolk = len(exchanges) * 1000
	homes    = 3000
)

// newFolk settles people behind some of the doors of a town.
func newFolk(o *Options) *folk {
	f := &folk{}
	total := int64(0)
	for i := range o.Places {
		weight := weightOf(o, i)
		if p := o.Places[i].Address; weight > 0 && o.Roads.Covers(SpotOf(*p.Location)) {
			total += weight
			f.add(p)
			f.upTo = append(f.upTo, total)
		}
	}
	f.places = len(f.stops)
	for i := range uint64(homes) {
		if home := homeOf(o, i); whimOfStreet(home.Address) == 0 {
			f.add(home)
		}
	}
	return f
}

func (f *folk) add(a taxi.Address) {
	f.stops = append(f.stops, stop{Address: a, spot: SpotOf(*a.Location), lists: []taxi.Address{a}})
}

// weightOf is how much of what goes on at places goes on at one.
func weightOf(o *Options, i int) int64 {
	const plain = 5 // where nothing is said
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
	draw := newStream(o.Seed, drawHome, n, 0)
	if o.Town != nil && o.Town.Doors() > 0 {
		return o.Town.Wire(o.Town.RandomAddress(&draw))
	}
	at := o.Roads.Door(draw.next()).Point()
	return taxi.Address{Address: fmt.Sprintf("House %d", n+1), Location: &at}
}

// person returns the n-th of the people.
func (f *folk) person(n int) *person {
	if f.people[n] == nil {
		draw := stream{uint64(n)}
		f.people[n] = &person{
			name:  fixtures.DriverAt(5_000 + n).Name,
			phone: taxi.E164(exchanges[n/1000] + strconv.Itoa(n%1000 + 1000)[1:]),
			home:  f.home(&draw),
		}
	}
	return f.people[n]
}

// home draws one of the homes.
func (f *folk) home(draw *stream) int {
	return f.places + int(draw.below(int64(len(f.stops)-f.places)))
}

// place draws one of the places by weight; a home where there are none.
func (f *folk) place(draw *stream) int {
	if f.places == 0 {
		return f.home(draw)
	}
	n := draw.below(f.upTo[f.places-1])
	i, _ := slices.BinarySearchFunc(f.upTo, n, func(upTo, n int64) int { return cmp.Compare(upTo, n+1) })
	return i
}

// origin draws where somebody is. Decision: half the time at home, two times in
// five at some place.
func (f *folk) origin(draw *stream, home int) int {
	switch n := draw.below(100); {
	case n < 50:
		return home
	case n < 90:
		return f.place(draw)
	default:
		return f.home(draw)
	}
}

// destination draws where somebody goes: by gravity, somewhere large or close
// rather than somewhere small and far.
func (f *folk) destination(draw *stream, from int) []taxi.Address {
	const choices = 4
	var picked [choices]int
	var upTo [choices]int64
	total := int64(0)
	for i := range picked {
		picked[i] = f.home(draw)
		if i%2 == 0 {
			picked[i] = f.place(draw)
		}
		total += f.pull(from, picked[i])
		upTo[i] = total
	}
	n := draw.below(max(total, 1))
	for i, limit := range upTo {
		if n < limit {
			return f.stops[picked[i]].lists
		}
	}
	return f.stops[f.home(draw)].lists // only where all that was drawn is too close
}

// pull is the attraction of one stop on somebody at another. The weights of places
// have been counted by drawing them; nobody takes a taxi around the corner.
func (f *folk) pull(from, to int) int64 {
	const corner, scale = 400_000, 1_500_000 // mm
	d := distance(f.stops[from].spot, f.stops[to].spot)
	if d < corner {
		return 0
	}
	return scale * 1000 / (d + scale)
}
