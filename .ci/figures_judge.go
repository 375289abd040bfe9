//go:build ignore

// What was measured of one figure, and whether it has become worse.

package main

import (
	"fmt"
	"slices"
	"strings"
)

const (
	tolerated = 0.85
	chance    = 0.01
)

// figure is the measurements of a row, by side and round. A side without the benchmark has
// none.
type figure struct {
	row
	values [2][]float64
}

// both reports whether both sides have the benchmark.
func (f *figure) both() bool { return len(f.values[0]) > 0 && len(f.values[1]) > 0 }

// ratio returns how much better the second value is: above 1 means better.
func (f *figure) ratio(before, head float64) float64 {
	if f.higher {
		return head / before
	}
	return before / head
}

// worse reports whether HEAD is clearly worse.
func (f *figure) worse() bool {
	return f.both() && f.ratio(median(f.values[0]), median(f.values[1])) < tolerated && f.byChance() <= chance
}

// byChance returns the probability that HEAD looks at least this much worse if both are equal:
// the exact one-sided Mann-Whitney test.
func (f *figure) byChance() float64 {
	var better float64 // how often a round of HEAD beats one of the other
	for _, before := range f.values[0] {
		for _, head := range f.values[1] {
			switch r := f.ratio(before, head); {
			case r > 1:
				better++
			case r == 1:
				better += 0.5
			}
		}
	}
	var so, all float64
	for u, ways := range orders(len(f.values[0]), len(f.values[1])) {
		all += ways
		if float64(u) <= better {
			so += ways
		}
	}
	return so / all
}

// orders counts, for each u, the orders of m values of one and n of another in which the
// other's value is the larger in u of the m×n pairs. The largest of all is in none such pair
// if it is the one's, and in m of them if it is the other's.
func orders(m, n int) []float64 {
	counts := make([][]float64, m+1) // for 0 to m of the one, and so many of the other as were counted
	for i := range counts {
		counts[i] = []float64{1}
	}
	for range n {
		for i := 1; i <= m; i++ {
			sum := append(make([]float64, i), counts[i]...)
			for u, ways := range counts[i-1] {
				sum[u] += ways
			}
			counts[i] = sum
		}
	}
	return counts[m]
}

// line is the figure's row of the table.
func (f *figure) line() string {
	name := strings.TrimSpace(f.pkg + " " + f.name)
	if !f.both() {
		only := "HEAD"
		values := f.values[1]
		if len(values) == 0 {
			only, values = "the other", f.values[0]
		}
		if len(values) == 0 {
			return fmt.Sprintf("| %s | | | %s | | | | at neither |", name, f.unit)
		}
		return fmt.Sprintf("| %s | | %s | %s | | | | only at %s |", name, short(median(values)), f.unit, only)
	}
	own := make([]float64, len(f.values[0]))
	for i := range own {
		own[i] = f.ratio(f.values[0][i], f.values[1][i])
	}
	verdict := ""
	if f.worse() {
		verdict = "**worse**"
	}
	before, head := median(f.values[0]), median(f.values[1])
	return fmt.Sprintf("| %s | %s | %s | %s | %.2f × | %.2f to %.2f | %.3f | %s |", name, short(before), short(head), f.unit,
		f.ratio(before, head), slices.Min(own), slices.Max(own), f.byChance(), verdict)
}

// short writes a value with its significant digits.
func short(x float64) string {
	if x >= 100 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3g", x)
}
