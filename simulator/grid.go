package simulator

import (
	"math"

	"github.com/cabrank/cabrank/simulator/town"
)

// grid finds the cars around a spot. It holds where cars stand or will stand, so it
// changes when a car gets a job or becomes free, and never with time.
type grid struct {
	centre Spot
	shrink int64 // length of a degree of longitude there, in 2^-24 of one of latitude
	index  *town.Index
	spots  []Spot // by car
}

// newGrid covers the rectangle between two spots, and finds cars beyond its edge
// more slowly.
func newGrid(low, high Spot, cars int) *grid {
	const margin = 45_000 // 1e-7 degrees of latitude: 500 m around where cars usually are
	g := &grid{centre: between(low, high, 1, 2), spots: make([]Spot, cars)}
	g.shrink = cosine(int64(g.centre.Lat))
	corner := g.plane(high)
	g.index = town.NewIndex(2*(max(corner.X, corner.Y)+margin), cars)
	return g
}

// plane is where a spot is on the map, in steps of 1e-7 degrees of latitude from
// the centre. A map of more than half the earth would overflow.
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

// nearest appends the shortlist of cars closest to a spot that fit, closest first
// and by number where equally close.
func (g *grid) nearest(s Spot, found []int32, fits func(car int32) bool) []int32 {
	return g.index.Nearest(g.plane(s), shortlist, found, fits)
}

// sqrt is a square root in whole numbers, exact to the bit on every processor.
func sqrt(square float64) int64 { return int64(math.Sqrt(square)) }
