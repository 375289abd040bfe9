package road

import (
	"github.com/cabrank/cabrank/simulator/chance"
	"github.com/cabrank/cabrank/simulator/town"
)

// Grid finds the cars around a spot. It contains the spots where cars stand or will
// stand, so it changes only when a car gets a job or becomes free.
type Grid struct {
	centre Spot
	shrink int64 // length of a degree of longitude there, in 2^-24 of one of latitude
	index  *town.Index
	spots  []Spot // by car
}

// NewGrid returns a grid for the cars of a town with these roads, without a car.
func NewGrid(roads Roads, cars int) *Grid {
	low, high := extent(roads)
	return newGrid(low, high, cars)
}

// extent returns two corners of a rectangle around some doors, about the size of the
// town.
func extent(roads Roads) (low, high Spot) {
	const some = 64
	low, high = roads.Centre(), roads.Centre()
	for i := range uint64(some) {
		d := roads.Door(i * chance.Golden)
		low.Lon, high.Lon = min(low.Lon, d.Lon), max(high.Lon, d.Lon)
		low.Lat, high.Lat = min(low.Lat, d.Lat), max(high.Lat, d.Lat)
	}
	return low, high
}

// newGrid covers the rectangle between two spots; finding cars beyond its edge is slower.
func newGrid(low, high Spot, cars int) *Grid {
	const margin = 45_000 // 1e-7 degrees of latitude: 500 m around where cars usually are
	g := &Grid{centre: between(low, high, 1, 2), spots: make([]Spot, cars)}
	g.shrink = cosine(int64(g.centre.Lat))
	corner := g.plane(high)
	g.index = town.NewIndex(2*(max(corner.X, corner.Y)+margin), cars)
	return g
}

// plane returns the position of a spot on the map, in steps of 1e-7 degrees of latitude
// from the centre. A map of more than half the earth would overflow.
func (g *Grid) plane(s Spot) town.XY {
	const edge = 1_000_000_000
	east := eastward(g.centre, s) * g.shrink >> cosineBits
	return town.XY{X: int32(min(max(east, -edge), edge)), Y: s.Lat - g.centre.Lat}
}

// Put adds a car, or moves one that is in the grid.
func (g *Grid) Put(car int32, s Spot) {
	g.spots[car] = s
	g.index.Insert(car, g.plane(s))
}

// Take removes a car, if it is in the grid.
func (g *Grid) Take(car int32) { g.index.Remove(car) }

// Spot returns where a car was put last.
func (g *Grid) Spot(car int32) Spot { return g.spots[car] }

// Nearest appends the closest suitable cars, at most most of them, by distance and then by
// number.
func (g *Grid) Nearest(s Spot, most int, found []int32, fits func(car int32) bool) []int32 {
	return g.index.Nearest(g.plane(s), most, found, fits)
}
