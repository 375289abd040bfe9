package town

import "math/bits"

// cells is a grid of buckets over a square. What lies near a point is in the few cells
// around it.
type cells struct {
	low  int32 // x and y of the lower left corner, mm
	bits int32 // cells are 1<<bits mm wide
	wide int32 // cells per row
	head []int32
	next []int32 // parallel to the things put in
	item []int32
}

// newCells covers a square of the given half side around the origin, in cells
// at least as wide as asked and less than twice that.
func newCells(half, side int32) *cells {
	bits := int32(bits.Len32(uint32(side - 1)))
	wide := 2*half>>bits + 3
	c := &cells{low: -half - 1<<bits, bits: bits, wide: wide, head: make([]int32, wide*wide)}
	for i := range c.head {
		c.head[i] = -1
	}
	return c
}

// side returns the width of a cell.
func (c *cells) side() int32 { return 1 << c.bits }

// column returns the row or column of a coordinate, the nearest one for a coordinate outside.
func (c *cells) column(v int32) int32 {
	return min(max((v-c.low)>>c.bits, 0), c.wide-1)
}

// put adds an item to a cell.
func (c *cells) put(cell, item int32) {
	c.next = append(c.next, c.head[cell])
	c.item = append(c.item, item)
	c.head[cell] = int32(len(c.item) - 1)
}

// around calls visit for each item in the cells that touch the square of half
// side r around p, until visit returns false.
func (c *cells) around(p XY, r int32, visit func(item int32) bool) {
	x0, x1 := c.column(p.X-r), c.column(p.X+r)
	y0, y1 := c.column(p.Y-r), c.column(p.Y+r)
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			for e := c.head[y*c.wide+x]; e >= 0; e = c.next[e] {
				if !visit(c.item[e]) {
					return
				}
			}
		}
	}
}

// putSegment adds an item to each cell of the box around a short segment.
func (c *cells) putSegment(a, b XY, item int32) {
	x0, x1 := c.column(min(a.X, b.X)), c.column(max(a.X, b.X))
	y0, y1 := c.column(min(a.Y, b.Y)), c.column(max(a.Y, b.Y))
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			c.put(y*c.wide+x, item)
		}
	}
}
