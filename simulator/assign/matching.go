package assign

import "math"

// costs is the cost of each pair of a row and a column. Each row has one additional
// column that costs more than any pair: a row that gets this column has no car.
type costs struct {
	rows, columns int
	cells         []int64
}

const (
	noCarCost  = int64(1) << 32 // as milliseconds, seven weeks of driving
	impossible = int64(1) << 40
)

func newCosts(rows, columns int) *costs {
	c := &costs{rows: rows, columns: columns + rows, cells: make([]int64, rows*(columns+rows))}
	for i := range c.cells {
		c.cells[i] = impossible
	}
	for row := range rows {
		c.set(row, columns+row, noCarCost)
	}
	return c
}

func (c *costs) set(row, column int, cost int64) { c.cells[row*c.columns+column] = cost }

// match returns each row's column such that the sum of the costs is least. It uses the
// Hungarian method with potentials: rows are added one by one along the cheapest
// augmenting path.
func (c *costs) match() []int {
	m := &matching{
		costs:    c,
		row:      make([]int, c.columns+1),
		ofRow:    make([]int64, c.rows+1),
		ofColumn: make([]int64, c.columns+1),
		least:    make([]int64, c.columns+1),
		before:   make([]int, c.columns+1),
		reached:  make([]bool, c.columns+1),
	}
	for row := range c.rows {
		m.add(row + 1)
	}
	found := make([]int, c.rows)
	for column, row := range m.row[1:] {
		if row > 0 {
			found[row-1] = column
		}
	}
	return found
}

// matching is the state of a match. Rows and columns are counted from 1: row 0 marks a
// free column, and column 0 is where a path begins.
type matching struct {
	*costs

	row             []int   // of each column
	ofRow, ofColumn []int64 // potentials: no cost is less than the sum of its row's and its column's
	least           []int64 // for each column, the cost of the cheapest path to it above the potentials
	before          []int   // the column before it on that path
	reached         []bool  // the path to it is final
}

// add assigns a column to one more row, and others to earlier rows if necessary.
func (m *matching) add(row int) {
	for j := range m.least {
		m.least[j], m.reached[j] = math.MaxInt64, false
	}
	m.row[0] = row
	end := 0
	for {
		m.reached[end] = true
		next := m.reach(end)
		m.shift(m.least[next])
		end = next
		if m.row[end] == 0 {
			break
		}
	}
	for end != 0 {
		m.row[end] = m.row[m.before[end]]
		end = m.before[end]
	}
}

// reach extends the paths by a column's row, and returns the column that is cheapest to
// reach.
func (m *matching) reach(from int) int {
	row, next := m.row[from], 0
	cells := m.cells[(row-1)*m.columns:]
	for j := 1; j <= m.columns; j++ {
		if m.reached[j] {
			continue
		}
		if cost := cells[j-1] - m.ofRow[row] - m.ofColumn[j]; cost < m.least[j] {
			m.least[j], m.before[j] = cost, from
		}
		if next == 0 || m.least[j] < m.least[next] {
			next = j
		}
	}
	return next
}

// shift moves the potentials so that the next column costs nothing to reach.
func (m *matching) shift(by int64) {
	for j := range m.least {
		if m.reached[j] {
			m.ofRow[m.row[j]] += by
			m.ofColumn[j] -= by
		} else {
			m.least[j] -= by
		}
	}
}
