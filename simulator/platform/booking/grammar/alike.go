package grammar

import "strings"

// alike is how much two words are the same, from 0 to 1: what a recogniser, or
// somebody who writes in a hurry, takes one for the other.
func alike(a, b string) float64 {
	if a == b {
		return 1
	}
	if max(len(a)-len(b), len(b)-len(a)) > mostCut || len(a) > longestWord || len(b) > longestWord || len(a) < 4 || len(b) < 4 {
		return 0
	}
	short, long := a, b
	if len(short) > len(long) {
		short, long = long, short
	}
	if len(short) >= 5 && strings.HasPrefix(long, short) {
		return 0.8 // drown for drowned
	}
	if len(long)-len(short) > mostOff {
		return 0
	}
	d := distance(a, b)
	switch {
	case len(short) >= 4 && d == 1:
		return 0.85
	case len(short) >= 7 && d == mostOff:
		return 0.75
	case len(short) >= 5 && d <= mostOff+1 && a[0] == b[0] && sounds(a) == sounds(b):
		return 0.75
	}
	return 0
}

const (
	longestWord = 40
	mostOff     = 2 // letters
	mostCut     = 3 // letters that are not heard at the end
)

// sounds is the frame of a word that stays when it is misheard: its consonants, those
// that sound the same as one.
func sounds(word string) string {
	var b strings.Builder
	var last byte
	word = spelling.Replace(word)
	for i := range len(word) {
		c := word[i]
		switch c {
		case 'a', 'e', 'i', 'o', 'u', 'y', 'h', 'w':
			if i > 0 {
				continue
			}
		case 'c', 'q', 'g':
			c = 'k'
		case 'z':
			c = 's'
		case 'v':
			c = 'f'
		case 'd':
			c = 't'
		}
		if c != last {
			b.WriteByte(c)
		}
		last = c
	}
	return b.String()
}

var spelling = strings.NewReplacer("ph", "f", "ck", "k", "gh", "", "kn", "n", "wr", "r")

// distance counts the letters to change, add or drop to make one word of another
// (Levenshtein). Words are compared byte by byte: accents are gone by then.
func distance(a, b string) int {
	var space [longestWord + 1]int
	row := space[:len(b)+1]
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := last
			if a[i] != b[j] {
				cost = 1 + min(last, row[j], row[j+1])
			}
			last, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
