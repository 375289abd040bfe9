package town

import "math"

// Index finds the things nearest to a point, such as the free cars: ids from 0
// to a known most, each at a position. It is for one goroutine at a time.
type Index struct {
	low    int32   // x and y of the lower left corner
	shift  int32   // cells are 1<<shift wide, so that finding one takes no division
	wide   int32   // cells per row
	blocks []block // one for each cell, row by row, then those that were needed besides
	free   int32   // first of the further blocks not in use, chained by next; 0 is none
	slots  []int32 // by id: block<<blockShift + slot, or -1
	count  int     // of ids that are in
	search nearestSearch
}

// nearestSearch is a search for the things nearest to a point.
type nearestSearch struct {
	at    XY
	k     int
	found []hit // best first
	worst int64 // how far the last of k may be
	seen  int
}

// block holds some of the things of one cell, in two cache lines. Only the
// first further block of a cell may have room, and only if the cell's own has
// none.
type block struct {
	n, next int32 // next is 0 at the end of the chain
	things  [blockSize]thing
}

// thing is an id and where it is.
type thing struct {
	id int32
	at XY
}

const (
	blockSize  = 10
	blockShift = 4
	blockMask  = 1<<blockShift - 1
)

// hit is a thing found, and the square of how far it is.
type hit struct {
	far int64
	id  int32
}

// NewIndex returns an index over a square of the given side around the origin,
// for ids below most. What lies outside the square is found too, only slower.
func NewIndex(side int32, most int) *Index {
	const perCell, mostCells = 4, 1 << 9 // in a row
	ix := &Index{low: -side / 2}
	cell := int64(side) * int64(side) / int64(max(most, 1)) * perCell
	for ix.shift = 13; int64(2)<<(2*ix.shift) < cell || side>>ix.shift >= mostCells; ix.shift++ {
	}
	ix.wide = side>>ix.shift + 1
	ix.blocks = make([]block, ix.wide*ix.wide)
	ix.slots = make([]int32, most)
	for i := range ix.slots {
		ix.slots[i] = -1
	}
	return ix
}

func (ix *Index) column(v int32) int32 { return min(max((v-ix.low)>>ix.shift, 0), ix.wide-1) }

func (ix *Index) cell(p XY) int32 { return ix.column(p.Y)*ix.wide + ix.column(p.X) }

// Has reports whether an id is in the index.
func (ix *Index) Has(id int32) bool { return ix.slots[id] >= 0 }

// Insert puts an id at p, or moves it there if it is in already.
func (ix *Index) Insert(id int32, p XY) {
	if ix.slots[id] >= 0 {
		ix.move(id, p)
		return
	}
	b := ix.cell(p)
	if ix.blocks[b].n == blockSize {
		b = ix.further(b)
	}
	bl := &ix.blocks[b]
	bl.things[bl.n] = thing{id, p}
	ix.slots[id] = b<<blockShift + bl.n
	bl.n++
	ix.count++
}

// further returns a block with room for a cell whose own block is full.
func (ix *Index) further(cell int32) int32 {
	b := ix.blocks[cell].next
	if b > 0 && ix.blocks[b].n < blockSize {
		return b
	}
	next := b
	if b = ix.free; b > 0 {
		ix.free = ix.blocks[b].next
	} else {
		b = int32(len(ix.blocks))
		ix.blocks = append(ix.blocks, block{})
	}
	ix.blocks[b].next = next
	ix.blocks[cell].next = b
	return b
}

// move puts an id that is in the index at p.
func (ix *Index) move(id int32, p XY) {
	s := ix.slots[id]
	at := &ix.blocks[s>>blockShift].things[s&blockMask].at
	if ix.cell(*at) == ix.cell(p) {
		*at = p
		return
	}
	ix.Remove(id)
	ix.Insert(id, p)
}

// Remove takes an id out, if it is in. The last thing in the one block of the
// cell that may have room fills its place.
func (ix *Index) Remove(id int32) {
	s := ix.slots[id]
	if s < 0 {
		return
	}
	ix.slots[id] = -1
	ix.count--
	hole := &ix.blocks[s>>blockShift].things[s&blockMask]
	own := &ix.blocks[ix.cell(hole.at)]
	b := own.next
	loose := own
	if b > 0 {
		loose = &ix.blocks[b]
	}
	loose.n--
	if last := loose.things[loose.n]; last.id != id {
		*hole = last
		ix.slots[last.id] = s
	}
	if b > 0 && loose.n == 0 {
		own.next = loose.next
		loose.next, ix.free = ix.free, b
	}
}

// Nearest appends to dst the ids of the k things nearest to p that fit, nearest
// first and ties by id; fewer if there are not that many. Without fits all do.
func (ix *Index) Nearest(p XY, k int, dst []int32, fits func(id int32) bool) []int32 {
	if k <= 0 {
		return dst
	}
	q := &ix.search
	*q = nearestSearch{at: p, k: k, found: q.found[:0], worst: math.MaxInt64}
	x, y := ix.column(p.X), ix.column(p.Y)
	for ring := int32(0); ring < ix.wide && q.seen < ix.count; ring++ {
		if len(q.found) == k && ix.beyond(p, x, y, ring) > q.worst {
			break
		}
		ix.ring(x, y, ring, fits)
	}
	for _, h := range q.found {
		dst = append(dst, h.id)
	}
	return dst
}

// beyond returns the square of the least distance from p to anything in a ring
// of cells or outside it.
func (ix *Index) beyond(p XY, x, y, ring int32) int64 {
	if ring == 0 {
		return 0
	}
	west := int64(p.X) - int64(ix.low) - int64(x-ring+1)<<ix.shift
	south := int64(p.Y) - int64(ix.low) - int64(y-ring+1)<<ix.shift
	width := int64(2*ring-1) << ix.shift
	d := max(min(west, south, width-west, width-south), 0)
	return d * d
}

// ring looks through the cells at a distance of ring cells from (x, y).
func (ix *Index) ring(x, y, ring int32, fits func(id int32) bool) {
	q := &ix.search
	for j := max(y-ring, 0); j <= min(y+ring, ix.wide-1); j++ {
		step := max(2*ring, 1)
		if j == y-ring || j == y+ring {
			step = 1
		}
		south := ix.outside(q.at.Y, j)
		for i := x - ring; i <= x+ring; i += step {
			if i < 0 || i >= ix.wide {
				continue
			}
			west := ix.outside(q.at.X, i)
			if len(q.found) < q.k || west*west+south*south <= q.worst {
				ix.look(j*ix.wide+i, fits)
			}
		}
	}
}

// outside returns how far a coordinate is from a row or column of cells. The
// outermost ones hold what is beyond them too.
func (ix *Index) outside(v, column int32) int64 {
	from := int64(v) - int64(ix.low) - int64(column)<<ix.shift
	past := from - 1<<ix.shift
	switch {
	case from < 0 && column > 0:
		return -from
	case past > 0 && column < ix.wide-1:
		return past
	}
	return 0
}

// look adds the things of a cell for which fits returns true to those found.
func (ix *Index) look(b int32, fits func(id int32) bool) {
	q := &ix.search
	for {
		bl := &ix.blocks[b]
		q.seen += int(bl.n)
		for i := range bl.things[:bl.n] {
			t := &bl.things[i]
			if far := distance2(q.at, t.at); far <= q.worst && (fits == nil || fits(t.id)) {
				q.keep(hit{far, t.id})
			}
		}
		if b = bl.next; b == 0 {
			return
		}
	}
}

// keep inserts a hit among the best k, unless it is worse than all of them.
func (q *nearestSearch) keep(h hit) {
	if len(q.found) < q.k {
		q.found = append(q.found, h)
	} else if q.found[q.k-1].before(h) {
		return
	}
	i := len(q.found) - 1
	for ; i > 0 && h.before(q.found[i-1]); i-- {
		q.found[i] = q.found[i-1]
	}
	q.found[i] = h
	if len(q.found) == q.k {
		q.worst = q.found[q.k-1].far
	}
}

func (h hit) before(o hit) bool { return h.far < o.far || h.far == o.far && h.id < o.id }
