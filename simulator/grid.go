package simulator

// grid finds the free cars around a spot. Only cars that stand still are in it,
// so it changes when a car is taken or becomes free and never with time.
type grid struct {
	west, south int64
	shrink      int64              // length of a degree of longitude there, in 2^-24 of one of latitude
	cells       [side * side]int32 // first car of each cell; -1: none
	cars        []gridded
	count       int
}

// The grid is a square of cells; a car beyond its edge is kept in the nearest
// cell on it, which never makes it look further away than it is.
const (
	side     = 64
	cellSize = 45_000 // 1e-7 degrees of latitude: 500 m
)

// gridded is a car in the grid: its cell's doubly linked list, and where it is.
type gridded struct {
	spot       Spot
	cell       int32 // -1: not in the grid
	next, prev int32
}

func newGrid(centre Spot, cars int) *grid {
	shrink := max(cosine(int64(centre.Lat)), 1<<(cosineBits-7))
	g := &grid{
		shrink: shrink,
		west:   int64(centre.Lon) - (side/2*cellSize)<<cosineBits/shrink,
		south:  int64(centre.Lat) - side/2*cellSize,
		cars:   make([]gridded, cars),
	}
	for i := range g.cells {
		g.cells[i] = -1
	}
	for i := range g.cars {
		g.cars[i].cell = -1
	}
	return g
}

// column and row of the cell that a spot is in or nearest to.
func (g *grid) cell(s Spot) (column, row int64) {
	column = (int64(s.Lon) - g.west) * g.shrink >> cosineBits / cellSize
	row = (int64(s.Lat) - g.south) / cellSize
	return min(max(column, 0), side-1), min(max(row, 0), side-1)
}

// put adds a car that is not in the grid.
func (g *grid) put(car int32, s Spot) {
	column, row := g.cell(s)
	cell := int32(row*side + column)
	first := g.cells[cell]
	g.cars[car] = gridded{spot: s, cell: cell, next: first, prev: -1}
	if first >= 0 {
		g.cars[first].prev = car
	}
	g.cells[cell] = car
	g.count++
}

// take removes a car, if it is in the grid.
func (g *grid) take(car int32) {
	c := &g.cars[car]
	if c.cell < 0 {
		return
	}
	if c.prev >= 0 {
		g.cars[c.prev].next = c.next
	} else {
		g.cells[c.cell] = c.next
	}
	if c.next >= 0 {
		g.cars[c.next].prev = c.prev
	}
	c.cell = -1
	g.count--
}

// near is a car and the square of its distance in the grid's measure.
type near struct {
	car    int32
	square int64
}

// nearest writes the cars closest to a spot that fit into found, closest first
// and by number where equally close, and returns how many there are.
func (g *grid) nearest(s Spot, found []near, fits func(car int32) bool) int {
	column, row := g.cell(s)
	n, left := 0, g.count
	for ring := int64(0); ring < side && left > 0; ring++ {
		if reach := (ring - 1) * cellSize; n == len(found) && reach > 0 && found[n-1].square < reach*reach {
			break // every car further out is further away
		}
		for r := max(row-ring, 0); r <= min(row+ring, side-1); r++ {
			step := int64(1)
			if r != row-ring && r != row+ring {
				step = max(2*ring, 1) // only the ring's two ends
			}
			for c := column - ring; c <= column+ring; c += step {
				if c < 0 || c >= side {
					continue
				}
				for car := g.cells[r*side+c]; car >= 0; car = g.cars[car].next {
					left--
					if fits(car) {
						n = insert(found, n, near{car, g.square(s, g.cars[car].spot)})
					}
				}
			}
		}
	}
	return n
}

// square is the square of a distance in 1e-7 degrees of latitude.
func (g *grid) square(a, b Spot) int64 {
	x := eastward(a, b) * g.shrink >> cosineBits
	y := int64(b.Lat) - int64(a.Lat)
	return x*x + y*y
}

// insert puts a car into the first n of found, which are sorted; the furthest
// falls out when there is no room.
func insert(found []near, n int, c near) int {
	i := n
	for i > 0 && (c.square < found[i-1].square || c.square == found[i-1].square && c.car < found[i-1].car) {
		i--
	}
	if i == len(found) {
		return n
	}
	n = min(n+1, len(found))
	copy(found[i+1:n], found[i:n-1])
	found[i] = c
	return n
}
