package simulator

import (
	"math"
	"math/bits"
	"time"

	"github.com/cabrank/cabrank/simulator/town"
)

// streets is a town's streets as [Roads]. It caches its latest searches, since the way
// by which a booking is priced is driven later.
type streets struct {
	town     *town.Town
	router   *town.Router
	half     int32    // how far the town reaches to each side, mm
	accesses []access // by the hash of their spot
	trips    []trip   // by the hash of their ends

	kerbs []town.Kerb // space for answers
	asked []int
	ms    []int64
	took  []time.Duration
}

// Streets returns the streets of a town as roads, for one world. Where a spot
// lies off the street, cars drive straight between the two at 18 km/h.
func Streets(t *town.Town) Roads {
	memory := min(max(1<<bits.Len(uint(len(t.Nodes))), 1<<11), 1<<17)
	return &streets{
		town:     t,
		router:   t.NewRouter(),
		half:     int32(t.Size) * 500,
		accesses: make([]access, 2*memory),
		trips:    make([]trip, 4*memory),
	}
}

const offStreetSpeed = 5 // mm/ms

// access is where a car leaves the street for a spot.
type access struct {
	spot      Spot
	kerb      town.Kerb
	offStreet int64 // millimetres from the kerb to the spot
	known     bool
}

// offStreetTime is how many milliseconds a car takes between the kerb and the spot.
func (b *access) offStreetTime() int64 { return b.offStreet / offStreetSpeed }

// trip is how far and how long it is from one spot to another.
type trip struct {
	from, to Spot
	ms       int64
	length   int64 // millimetres, or unmeasured
	known    bool
}

func (t *trip) is(from, to Spot) bool { return t.known && t.from == from && t.to == to }

func (s *streets) Centre() Spot { return s.spot(town.XY{}) }

func (s *streets) Covers(at Spot) bool {
	p := s.xy(at)
	return max(p.X, -p.X, p.Y, -p.Y) <= s.half
}

func (s *streets) xy(at Spot) town.XY { return s.town.XY(at.Point()) }

func (s *streets) spot(p town.XY) Spot { return SpotOf(s.town.Point(p)) }

func (s Spot) hash() uint64 { return mix(uint64(uint32(s.Lon))<<32 | uint64(uint32(s.Lat))) }

// access finds where a car for a spot leaves the street.
func (s *streets) access(at Spot) access {
	kept := &s.accesses[at.hash()&uint64(len(s.accesses)-1)]
	if !kept.known || kept.spot != at {
		p := s.xy(at)
		k := s.town.Kerb(p)
		*kept = access{at, k, apart(p, s.town.At(k)), true}
	}
	return *kept
}

// apart is how far two points of the plane are from one another.
func apart(a, b town.XY) int64 {
	x, y := float64(a.X)-float64(b.X), float64(a.Y)-float64(b.Y)
	return sqrt(float64(x*x) + float64(y*y))
}

// trip is the cache entry for the trip between two spots.
func (s *streets) trip(from, to Spot) *trip {
	return &s.trips[(3*from.hash()+to.hash())&uint64(len(s.trips)-1)]
}

// measure searches the trip between two spots.
func (s *streets) measure(from, to Spot) trip {
	t := trip{from: from, to: to, known: true}
	if from == to {
		return t
	}
	start, end := s.access(from), s.access(to)
	mm, ms := s.router.Measure(start.kerb, end.kerb)
	t.ms = start.offStreetTime() + ms + end.offStreetTime()
	t.length = start.offStreet + mm + end.offStreet
	return t
}

func (s *streets) Drive(from, to Spot) (int64, time.Duration) {
	t := s.trip(from, to)
	if !t.is(from, to) || t.length == unmeasured {
		*t = s.measure(from, to)
	}
	return t.length, time.Duration(t.ms) * time.Millisecond
}

// Times searches the way into the destination once for all. Cars of one rank
// stand on one spot.
func (s *streets) Times(from []Candidate, to Spot) []time.Duration {
	s.took, s.kerbs, s.asked = s.took[:0], s.kerbs[:0], s.asked[:0]
	for i := range from {
		f := from[i].Spot
		t := s.trip(f, to)
		if !t.is(f, to) && (i == 0 || f != from[i-1].Spot) {
			s.asked = append(s.asked, i)
			s.kerbs = append(s.kerbs, s.access(f).kerb)
		}
		s.took = append(s.took, time.Duration(t.ms)*time.Millisecond)
	}
	if len(s.asked) == 0 {
		return s.took
	}
	end := s.access(to)
	s.ms = s.router.ETAs(s.kerbs, end.kerb, s.ms[:0])
	for n, i := range s.asked {
		f := from[i].Spot
		start := s.access(f)
		found := trip{f, to, start.offStreetTime() + min(s.ms[n], math.MaxInt32) + end.offStreetTime(), unmeasured, true}
		if f == to {
			found.ms = 0
		}
		*s.trip(f, to) = found
		for k := i; k < len(from) && from[k].Spot == f; k++ {
			s.took[k] = time.Duration(found.ms) * time.Millisecond
		}
	}
	return s.took
}

func (s *streets) Route(from, to Spot, r *Route) {
	if r.way == nil {
		r.way = new(way)
	}
	*r.way = s.way(from, to, r.way.along.Steps)
	t := s.trip(from, to)
	if !t.is(from, to) {
		*t = s.measure(from, to)
	}
	r.From, r.To = from, to
	r.Took, r.length = time.Duration(t.ms)*time.Millisecond, t.length
}

// Door picks one of the town's doors, or a kerb where none are numbered.
func (s *streets) Door(n uint64) Spot {
	draw := stream{n}
	if s.town.Doors() > 0 {
		return s.spot(s.town.RandomAddress(&draw).At)
	}
	link := int32(draw.below(int64(len(s.town.Links))))
	offset := int32(draw.below(int64(s.town.Links[link].Length)))
	return s.spot(s.town.At(town.Kerb{Link: link, Offset: offset}))
}

// way is the way of a drive through streets: from a spot to the kerb, along the
// streets, and from the kerb to the other spot.
type way struct {
	streets  *streets
	from, to access
	along    town.Route // from kerb to kerb
	found    bool       // along is
}

func (s *streets) way(from, to Spot, space []town.Step) way {
	return way{streets: s, from: s.access(from), to: s.access(to), along: town.Route{Steps: space[:0]}}
}

// find searches the streets. Every town is of one connected part, so there is a
// way.
func (w *way) find() {
	if !w.found {
		w.along, _ = w.streets.router.Route(w.from.kerb, w.to.kerb, w.along.Steps)
		w.found = true
	}
}

// at is the position on the way after so many milliseconds.
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
