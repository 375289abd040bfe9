package simulator

import (
	"cmp"
	"math"
	"slices"

	"github.com/cabrank/cabrank/simulator/town"
)

// rank is a taxi rank, at which cars without a job queue.
type rank struct {
	spot  Spot
	queue []queued // by time of arrival, which may be in the future
}

// queued is a car's place in a rank's queue.
type queued struct {
	since moment
	car   int32
}

// Decision: the capacity of a rank, and the longest distance to one. Other cars wait
// where they are.
const (
	rankRoom  = 12
	rankReach = 3_000_000 // mm
)

// ranksOf returns the ranks of a town, if there is one.
func ranksOf(t *town.Town) []rank {
	if t == nil {
		return nil
	}
	var all []rank
	for _, p := range t.Places {
		if p.Kind == town.Rank {
			all = append(all, rank{spot: SpotOf(t.Point(p.At))})
		}
	}
	return all
}

// joinRank puts a car into the queue of a rank that it reaches at a moment.
func (f *fleet) joinRank(car int32, n int, at moment) {
	r := &f.ranks[n]
	place := queued{at, car}
	i, _ := slices.BinarySearchFunc(r.queue, place, func(a, b queued) int {
		return cmp.Or(cmp.Compare(a.since, b.since), cmp.Compare(a.car, b.car))
	})
	r.queue = slices.Insert(r.queue, i, place)
	f.cars[car].rank = int32(n)
}

// leaveRank removes a car from the queue that it is in, if any.
func (f *fleet) leaveRank(car int32) {
	c := &f.cars[car]
	if c.rank == none {
		return
	}
	r := &f.ranks[c.rank]
	i := slices.IndexFunc(r.queue, func(q queued) bool { return q.car == car })
	r.queue = slices.Delete(r.queue, i, i+1)
	c.rank = none
}

// rankFor returns the nearest rank that has room and is not too far; none if there is no
// such rank.
func (f *fleet) rankFor(s Spot) int {
	best, least := none, int64(rankReach)
	for i := range f.ranks {
		r := &f.ranks[i]
		if len(r.queue) >= rankRoom {
			continue
		}
		if d := distance(s, r.spot); d <= least {
			best, least = i, d
		}
	}
	return best
}

// firsts appends, for each rank by distance from a spot, the suitable car that has waited
// there longest, up to the length of a shortlist.
func (f *fleet) firsts(s Spot, found []int32, fits func(car int32) bool) []int32 {
	for i := range f.ranks {
		for _, q := range f.ranks[i].queue {
			if fits(q.car) {
				found = append(found, q.car)
				break
			}
		}
	}
	slices.SortFunc(found, func(a, b int32) int {
		return cmp.Or(cmp.Compare(distance(s, f.grid.spots[a]), distance(s, f.grid.spots[b])), cmp.Compare(a, b))
	})
	return found[:min(len(found), shortlist)]
}

// grid finds the cars around a spot. It contains the spots where cars stand or will
// stand, so it changes only when a car gets a job or becomes free.
type grid struct {
	centre Spot
	shrink int64 // length of a degree of longitude there, in 2^-24 of one of latitude
	index  *town.Index
	spots  []Spot // by car
}

// newGrid covers the rectangle between two spots; finding cars beyond its edge is slower.
func newGrid(low, high Spot, cars int) *grid {
	const margin = 45_000 // 1e-7 degrees of latitude: 500 m around where cars usually are
	g := &grid{centre: between(low, high, 1, 2), spots: make([]Spot, cars)}
	g.shrink = cosine(int64(g.centre.Lat))
	corner := g.plane(high)
	g.index = town.NewIndex(2*(max(corner.X, corner.Y)+margin), cars)
	return g
}

// plane returns the position of a spot on the map, in steps of 1e-7 degrees of latitude
// from the centre. A map of more than half the earth would overflow.
func (g *grid) plane(s Spot) town.XY {
	const edge = 1_000_000_000
	east := eastward(g.centre, s) * g.shrink >> cosineBits
	return town.XY{X: int32(min(max(east, -edge), edge)), Y: s.Lat - g.centre.Lat}
}

// put adds a car, or moves one that is in the grid.
func (g *grid) put(car int32, s Spot) {
	g.spots[car] = s
	g.index.Insert(car, g.plane(s))
}

// take removes a car, if it is in the grid.
func (g *grid) take(car int32) { g.index.Remove(car) }

// nearest appends a shortlist of the closest suitable cars, by distance and then by
// number.
func (g *grid) nearest(s Spot, found []int32, fits func(car int32) bool) []int32 {
	return g.index.Nearest(g.plane(s), shortlist, found, fits)
}

// sqrt is an integer square root, exact to the bit on every processor.
func sqrt(square float64) int64 { return int64(math.Sqrt(square)) }

const shortlist = 8
