package simulator

import "math"

// grid finds the free cars around a spot. Only where cars stand, or are about to
// stand, is in it, so it changes when a car is taken or becomes free and never
// with time.
type grid struct {
	west, south   int64
	shrink        int64 // length of a degree of longitude there, in 2^-24 of one of latitude
	size          int64 // of a cell, 1e-7 degrees of latitude
	columns, rows int64
	cells         []int32 // first car of each cell; -1: none
	cars          []gridded
	count         int
}

// gridded is a car in the grid: its cell's doubly linked list, and where it is.
type gridded struct {
	spot       Spot
	cell       int32 // -1: not in the grid
	next, prev int32
}

// Cells are so large that a few cars are in each when all are free and spread
// out, but not so small that most are empty.
const (
	carsPerCell  = 2
	smallestCell = 9_000  // 1e-7 degrees of latitude: 100 m
	gridMargin   = 45_000 // around where cars usually are: 500 m
	mostCells    = 512    // in a row or column
)

// newGrid covers the rectangle between two spots. A car beyond its edge is kept
// in the nearest cell on it, which never makes it look further away than it is.
func newGrid(low, high Spot, cars int) *grid {
	shrink := max(cosine(int64(low.Lat)), 1<<(cosineBits-7))
	g := &grid{
		shrink: shrink,
		west:   int64(low.Lon) - gridMargin<<cosineBits/shrink,
		south:  int64(low.Lat) - gridMargin,
		cars:   make([]gridded, cars),
	}
	width := max(eastward(low, high), 0)*shrink>>cosineBits + 2*gridMargin
	height := max(int64(high.Lat)-int64(low.Lat), 0) + 2*gridMargin
	g.size = max(root(float64(width)*float64(height)*carsPerCell/float64(max(cars, 1))), smallestCell)
	g.columns = min(width/g.size+1, mostCells)
	g.rows = min(height/g.size+1, mostCells)
	g.cells = make([]int32, g.columns*g.rows)
	for i := range g.cells {
		g.cells[i] = -1
	}
	for i := range g.cars {
		g.cars[i].cell = -1
	}
	return g
}

// root is a square root in whole numbers, exact to the bit on every processor.
func root(square float64) int64 { return int64(math.Sqrt(square)) }

// cell is the column and row of the cell that a spot is in or nearest to.
func (g *grid) cell(s Spot) (column, row int64) {
	column = (int64(s.Lon) - g.west) * g.shrink >> cosineBits / g.size
	row = (int64(s.Lat) - g.south) / g.size
	return min(max(column, 0), g.columns-1), min(max(row, 0), g.rows-1)
}

// put adds a car that is not in the grid.
func (g *grid) put(car int32, s Spot) {
	column, row := g.cell(s)
	cell := int32(row*g.columns + column)
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

// search is a search for the cars nearest to a spot.
type search struct {
	spot        Spot
	column, row int64
	found       []near
	n           int // found so far
	seen        int // cars looked at
	fits        func(car int32) bool
}

// nearest writes the cars closest to a spot that fit into found, closest first
// and by number where equally close, and returns how many there are.
func (g *grid) nearest(s Spot, found []near, fits func(car int32) bool) int {
	column, row := g.cell(s)
	q := search{spot: s, column: column, row: row, found: found, fits: fits}
	for ring := int64(0); ring < max(g.columns, g.rows) && q.seen < g.count; ring++ {
		if reach := (ring - 1) * g.size; q.n == len(found) && reach > 0 && found[q.n-1].square < reach*reach {
			break // every car further out is further away
		}
		g.ring(&q, ring)
	}
	return q.n
}

// ring looks at the cars in the cells that are so many cells away.
func (g *grid) ring(q *search, ring int64) {
	for r := max(q.row-ring, 0); r <= min(q.row+ring, g.rows-1); r++ {
		step := int64(1)
		if r != q.row-ring && r != q.row+ring {
			step = max(2*ring, 1) // only the ring's two ends
		}
		for c := q.column - ring; c <= q.column+ring; c += step {
			if c < 0 || c >= g.columns {
				continue
			}
			for car := g.cells[r*g.columns+c]; car >= 0; car = g.cars[car].next {
				q.seen++
				if q.fits(car) {
					q.n = insert(q.found, q.n, near{car, g.square(q.spot, g.cars[car].spot)})
				}
			}
		}
	}
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
