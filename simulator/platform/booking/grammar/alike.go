package grammar

// alike is how much two words are the same, from 0 to 1: what a recogniser, or
// somebody who writes in a hurry, takes one for the other.
func alike(a, b string) float64 {
	if a == b {
		return 1
	}
	x, y := []rune(a), []rune(b)
	if len(x) > longestWord || len(y) > longestWord || max(len(x)-len(y), len(y)-len(x)) > mostOff {
		return 0
	}
	shorter := min(len(x), len(y))
	switch d := distance(x, y); {
	case shorter == 3 && d == 1:
		return 0.7
	case shorter >= 4 && d == 1:
		return 0.85
	case shorter >= 7 && d == mostOff:
		return 0.75
	}
	return 0
}

const (
	longestWord = 40
	mostOff     = 2 // letters
)

// distance counts the letters to change, add or drop to make one word of another
// (Levenshtein).
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range a {
		last := row[0]
		row[0] = i + 1
		for j, s := range b {
			cost := last
			if r != s {
				cost = 1 + min(last, row[j], row[j+1])
			}
			last, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
