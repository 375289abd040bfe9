package assign

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestMatchingHasTheLowestTotalCost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, columns := rapid.IntRange(1, 5).Draw(t, "rows"), rapid.IntRange(1, 5).Draw(t, "columns")
		c := newCosts(rows, columns)
		for i := range rows {
			for j := range columns {
				if rapid.IntRange(0, 3).Draw(t, "possible") > 0 {
					c.set(i, j, rapid.Int64Range(0, 50).Draw(t, "cost"))
				}
			}
		}
		found := c.match()
		sum, taken := int64(0), map[int]bool{}
		for row, column := range found {
			require.False(t, taken[column])
			taken[column] = true
			sum += c.cells[row*c.columns+column]
		}
		require.Equal(t, cheapest(c, 0, map[int]bool{}), sum)
	})
}

// cheapest returns the least cost, by trying all matchings.
func cheapest(c *costs, row int, taken map[int]bool) int64 {
	if row == c.rows {
		return 0
	}
	least := int64(1) << 62
	for j := range c.columns {
		if !taken[j] {
			taken[j] = true
			least = min(least, c.cells[row*c.columns+j]+cheapest(c, row+1, taken))
			taken[j] = false
		}
	}
	return least
}
