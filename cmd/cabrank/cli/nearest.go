package cli

import "cmp"

// Nearest returns up to three of words: those with the fewest changes of letters from
// word.
func Nearest(word string, words []string) []string {
	const most = 3
	var found []string
	for _, w := range words {
		if len(found) > 0 {
			switch cmp.Compare(Changes(word, w), Changes(word, found[0])) {
			case 1:
				continue
			case -1:
				found = nil
			}
		}
		found = append(found, w)
	}
	return found[:min(most, len(found))]
}

// Changes counts the letters to add, drop or replace, and the neighbours to swap, to turn
// a into b.
func Changes(a, b string) int {
	before, last, row := []int(nil), []int(nil), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			same := last[j]
			if a[i] != b[j] {
				same++
			}
			row[j+1] = min(same, row[j]+1, last[j+1]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
