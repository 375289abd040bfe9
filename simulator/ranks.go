package simulator

import (
	"cmp"
	"slices"

	"github.com/cabrank/cabrank/simulator/road"
	"github.com/cabrank/cabrank/simulator/town"
)

// rank is a taxi rank, at which cars without a job queue.
type rank struct {
	spot  road.Spot
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
			all = append(all, rank{spot: road.SpotOf(t.Point(p.At))})
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

// leaveRank removes a car from its rank's queue, if it is in one.
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
func (f *fleet) rankFor(s road.Spot) int {
	best, least := none, int64(rankReach)
	for i := range f.ranks {
		r := &f.ranks[i]
		if len(r.queue) >= rankRoom {
			continue
		}
		if d := road.Distance(s, r.spot); d <= least {
			best, least = i, d
		}
	}
	return best
}

// longestWaiting appends, for each rank by distance from a spot, the suitable car that has waited
// there longest, up to the length of a shortlist.
func (f *fleet) longestWaiting(s road.Spot, found []int32, fits func(car int32) bool) []int32 {
	for i := range f.ranks {
		for _, q := range f.ranks[i].queue {
			if fits(q.car) {
				found = append(found, q.car)
				break
			}
		}
	}
	slices.SortFunc(found, func(a, b int32) int {
		return cmp.Or(cmp.Compare(road.Distance(s, f.grid.Spot(a)), road.Distance(s, f.grid.Spot(b))), cmp.Compare(a, b))
	})
	return found[:min(len(found), shortlist)]
}

const shortlist = 8
