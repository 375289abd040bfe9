package road

import (
	"math"
	"math/bits"
	"time"

	"github.com/cabrank/cabrank/simulator/chance"
	"github.com/cabrank/cabrank/simulator/town"
)

// streets is a town's streets as [Roads], with caches. A way that was searched for a
// price is driven many minutes later, while the times of candidate cars are needed again
// within seconds. These have separate caches; otherwise the many short-lived entries
// would evict the others.
type streets struct {
	town     *town.Town
	router   *town.Router
	half     int32         // half the side of the town's square, mm
	accesses cache[access] // by the hash of the spot
	trips    cache[trip]   // by the hash of both ends
	etas     cache[eta]    // by the hash of both ends

	kerbs []town.Kerb // space for answers
	asked []int
	ms    []int64
	took  []time.Duration
}

// cache is direct-mapped: a hash has one place, and a new entry replaces the old one. It begins small,
// since most worlds of a server are hardly used, and grows with the entries that it gets.
type cache[E comparable] struct {
	places []E // the zero value is an empty place
	most   int // of places, a power of two
	puts   int // since it has grown
	hash   func(E) uint64
}

// firstPlaces is the size of a new cache.
const firstPlaces = 1 << 8

func newCache[E comparable](most int, hash func(E) uint64) cache[E] {
	return cache[E]{places: make([]E, min(firstPlaces, most)), most: most, hash: hash}
}

// at returns the place for a hash.
func (c *cache[E]) at(hash uint64) *E { return &c.places[hash&uint64(len(c.places)-1)] }

// put stores an entry, and returns its place.
func (c *cache[E]) put(e E) *E {
	if c.puts++; c.puts > len(c.places)/8 && len(c.places) < c.most {
		c.grow()
	}
	place := c.at(c.hash(e))
	*place = e
	return place
}

// grow doubles the places, and keeps the entries.
func (c *cache[E]) grow() {
	var empty E
	old := c.places
	c.places, c.puts = make([]E, 2*len(old)), 0
	for _, e := range old {
		if e != empty {
			*c.at(c.hash(e)) = e
		}
	}
}

// Streets returns the streets of a town as roads, for one world. To a spot off the
// street, cars drive straight from the street at 18 km/h.
func Streets(t *town.Town) Roads {
	memory := min(max(1<<bits.Len(uint(len(t.Nodes))), 1<<11), 1<<17)
	return &streets{
		town:     t,
		router:   t.NewRouter(),
		half:     int32(t.Size) * 500,
		accesses: newCache(2*memory, access.hash),
		trips:    newCache(4*memory, trip.hash),
		etas:     newCache(memory, eta.hash),
	}
}

const offStreetSpeed = 5 // mm/ms

// access is the point at which a car leaves the street for a spot.
type access struct {
	spot      Spot
	kerb      town.Kerb
	offStreet int64 // millimetres from the kerb to the spot
	known     bool
}

func (a access) hash() uint64 { return a.spot.hash() }

// offStreetTime returns the milliseconds between the kerb and the spot.
func (b *access) offStreetTime() int64 { return b.offStreet / offStreetSpeed }

// ends are two different spots, the key of a cache entry; the zero value marks an empty
// entry.
type ends struct{ from, to Spot }

func (e ends) hash() uint64 { return 3*e.from.hash() + e.to.hash() }

// eta is a cached driving time in milliseconds between two spots.
type eta struct {
	ends
	ms int64
}

// trip is a cached driving time with the distance.
type trip struct {
	eta
	length int64 // millimetres
}

func (s *streets) Centre() Spot { return s.spot(town.XY{}) }

// Covers reports whether a spot is in the town. It includes the doors of the streets along the
// edge, which may be outside the square.
func (s *streets) Covers(at Spot) bool {
	p := s.xy(at)
	return max(p.X, -p.X, p.Y, -p.Y) <= s.half+town.MostSetBack
}

func (s *streets) xy(at Spot) town.XY { return s.town.XY(at.Point()) }

func (s *streets) spot(p town.XY) Spot { return SpotOf(s.town.Point(p)) }

func (s Spot) hash() uint64 { return chance.Mix(uint64(uint32(s.Lon))<<32 | uint64(uint32(s.Lat))) }

// access returns where a car leaves the street for a spot.
func (s *streets) access(at Spot) access {
	kept := s.accesses.at(at.hash())
	if !kept.known || kept.spot != at {
		p := s.xy(at)
		k := s.town.Kerb(p)
		kept = s.accesses.put(access{at, k, apart(p, s.town.At(k)), true})
	}
	return *kept
}

// apart returns the distance between two points of the plane.
func apart(a, b town.XY) int64 {
	x, y := float64(a.X)-float64(b.X), float64(a.Y)-float64(b.Y)
	return sqrt(float64(x*x) + float64(y*y))
}

// trip returns the cache entry for a trip, and whether it holds that trip.
func (s *streets) trip(e ends) (t *trip, known bool) {
	t = s.trips.at(e.hash())
	return t, t.ends == e
}

// eta returns the cache entry for two spots, and whether it holds their time.
func (s *streets) eta(e ends) (t *eta, known bool) {
	t = s.etas.at(e.hash())
	return t, t.ends == e
}

func (s *streets) Drive(from, to Spot) (int64, time.Duration) {
	if from == to {
		return 0, 0
	}
	e := ends{from, to}
	t, known := s.trip(e)
	if !known {
		start, end := s.access(from), s.access(to)
		mm, ms := s.router.Measure(start.kerb, end.kerb)
		t = s.trips.put(trip{eta{e, start.offStreetTime() + ms + end.offStreetTime()}, start.offStreet + mm + end.offStreet})
	}
	return t.length, time.Duration(t.ms) * time.Millisecond
}

func (s *streets) Time(from, to Spot) time.Duration {
	if t, known := s.trip(ends{from, to}); known {
		return time.Duration(t.ms) * time.Millisecond
	}
	return s.Times([]Candidate{{Spot: from}}, to)[0]
}

// Times searches the streets around the destination once for all cars. Cars at the same
// rank are at the same spot.
func (s *streets) Times(from []Candidate, to Spot) []time.Duration {
	s.took, s.kerbs, s.asked = s.took[:0], s.kerbs[:0], s.asked[:0]
	for i := range from {
		f, took := from[i].Spot, time.Duration(0)
		if t, known := s.eta(ends{f, to}); known {
			took = time.Duration(t.ms) * time.Millisecond
		} else if f != to && (i == 0 || f != from[i-1].Spot) {
			s.asked = append(s.asked, i)
			s.kerbs = append(s.kerbs, s.access(f).kerb)
		}
		s.took = append(s.took, took)
	}
	if len(s.asked) > 0 {
		s.search(from, to)
	}
	return s.took
}

// search computes the times that are not cached.
func (s *streets) search(from []Candidate, to Spot) {
	end := s.access(to)
	s.ms = s.router.ETAs(s.kerbs, end.kerb, s.ms[:0])
	for n, i := range s.asked {
		f := from[i].Spot
		start := s.access(f)
		found := eta{ends{f, to}, start.offStreetTime() + min(s.ms[n], math.MaxInt32) + end.offStreetTime()}
		s.etas.put(found)
		for k := i; k < len(from) && from[k].Spot == f; k++ {
			s.took[k] = time.Duration(found.ms) * time.Millisecond
		}
	}
}

func (s *streets) Route(from, to Spot, r *Route) {
	if r.way == nil {
		r.way = new(way)
	}
	*r.way = s.way(from, to, r.way.along.Steps)
	r.From, r.To, r.Took, r.length = from, to, s.Time(from, to), unmeasured
}

// Door returns one of the town's doors, or a kerb if no doors are numbered.
func (s *streets) Door(n uint64) Spot {
	draw := chance.From(n)
	if s.town.Doors() > 0 {
		return s.spot(s.town.RandomAddress(&draw).At)
	}
	link := int32(draw.Below(int64(len(s.town.Links))))
	offset := int32(draw.Below(int64(s.town.Links[link].Length)))
	return s.spot(s.town.At(town.Kerb{Link: link, Offset: offset}))
}

// way is the way of a drive through streets: from a spot to the kerb, along the streets,
// and from the kerb to the other spot.
type way struct {
	streets  *streets
	from, to access
	along    town.Route // from kerb to kerb
	found    bool       // along is set
}

func (s *streets) way(from, to Spot, space []town.Step) way {
	return way{streets: s, from: s.access(from), to: s.access(to), along: town.Route{Steps: space[:0]}}
}

// find searches the streets. All streets of a town are connected, so there is a way.
func (w *way) find() {
	if !w.found {
		w.along, _ = w.streets.router.Route(w.from.kerb, w.to.kerb, w.along.Steps)
		w.found = true
	}
}

// at returns the position on the way after a number of milliseconds.
func (w *way) at(ms int64) Spot {
	w.find()
	out, on := w.from.offStreetTime(), w.along.Duration
	switch {
	case ms < out:
		return between(w.from.spot, w.kerb(w.from.kerb), ms, out)
	case ms < out+on:
		return w.streets.spot(w.along.At(ms - out))
	default:
		return between(w.kerb(w.to.kerb), w.to.spot, ms-out-on, w.to.offStreetTime())
	}
}

func (w *way) kerb(k town.Kerb) Spot { return w.streets.spot(w.streets.town.At(k)) }

// bends yields the spots between the ends of the way; it returns false if the consumer
// stops.
func (w *way) bends(yield func(time.Duration, Spot) bool) bool {
	w.find()
	out := w.from.offStreetTime()
	for ms, p := range w.along.Bends() {
		if !yield(time.Duration(out+ms)*time.Millisecond, w.streets.spot(p)) {
			return false
		}
	}
	return true
}
