package lex

// Words that were misheard, or typed in a hurry, are taken for the most similar ones.

import (
	"math/bits"
	"strings"
)

// alike returns the similarity of two words, from 0 to 1, as a recogniser or a hurried typist would confuse them.
func alike(a, b string) float64 {
	if a == b {
		return 1
	}
	if max(len(a)-len(b), len(b)-len(a)) > mostCut || len(a) > LongestWord || len(b) > LongestWord || len(a) < 4 || len(b) < 4 {
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
	d := distance(a, b, mostOff+1)
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
	// LongestWord is the maximum length of a compared word in bytes.
	LongestWord = 40

	farthest = 4 // letters to change, above which nothing is alike
	mostOff  = 2 // letters
	mostCut  = 3 // letters that are not heard at the end
)

// sounds returns the consonants of a word, with those that sound the same as one: they remain when it is misheard.
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

// Distance returns the number of letters to change, add or drop to turn one word into another (Levenshtein). Words are
// compared byte by byte; accents must have been removed.
func Distance(a, b string) int { return distance(a, b, farthest) }

// distance is Distance, except that it may return LongestWord if the distance exceeds most.
func distance(a, b string, most int) int {
	var space [LongestWord + 1]int
	row := space[:len(b)+1]
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		least := row[0]
		for j := range len(b) {
			cost := last
			if a[i] != b[j] {
				cost = 1 + min(last, row[j], row[j+1])
			}
			last, row[j+1] = row[j+1], cost
			least = min(least, cost)
		}
		if least > most {
			return LongestWord
		}
	}
	return row[len(b)]
}

// Speller finds the known word that a misspelled or misheard word most likely is.
type Speller struct {
	words [LongestWord + 1][letterSet][]spelled // by length, and by the first letter
}

const letterSet = 32 // the bits of a byte that tell letters apart

type spelled struct {
	word string
	mask uint32 // its letters
}

// Add adds a word.
func (s *Speller) Add(word string) {
	if n := len(word); n >= 3 && n <= LongestWord {
		of := &s.words[n][word[0]%letterSet]
		*of = append(*of, spelled{word, letters(word)})
	}
}

// letters returns the set of letters of a word.
func letters(word string) uint32 {
	mask := uint32(0)
	for i := range len(word) {
		mask |= 1 << (word[i] % letterSet)
	}
	return mask
}

// Meant returns the most similar known word and its similarity; "" if none is similar enough.
func (s *Speller) Meant(word string) (string, float64) {
	t := search{word: word, mask: letters(word)}
	for first := range letterSet {
		t.among(s, first)
	}
	return t.found, t.like
}

// MeantByFirst is [Speller.Meant] if the word found has the same first letter and at least this similarity, or else "".
func (s *Speller) MeantByFirst(word string, least float64) (string, float64) {
	t := search{word: word, mask: letters(word)}
	if t.among(s, int(word[0]%letterSet)); t.like < least { // nearly always
		return "", 0
	}
	if found, like := s.Meant(word); found[0] == word[0] {
		return found, like
	}
	return "", 0
}

// search looks for what is most like a word.
type search struct {
	word  string
	mask  uint32
	found string
	like  float64
}

// among compares the words with a given first letter.
func (t *search) among(s *Speller, first int) {
	same := int(t.word[0]%letterSet) == first
	for n := max(len(t.word)-mostCut, 3); n <= min(len(t.word)+mostCut, LongestWord); n++ {
		most := 2 // letters that only one of the two has: two for each that alike forgives
		switch short := min(n, len(t.word)); {
		case short >= 5 && same:
			most = 2 * (mostOff + 1)
		case short >= 7:
			most = 2 * mostOff
		}
		for _, w := range s.words[n][first] {
			if bits.OnesCount32(t.mask^w.mask) > most {
				continue
			}
			if like := alike(t.word, w.word); like > t.like || like == t.like && like > 0 && w.word < t.found {
				t.like, t.found = like, w.word
			}
		}
	}
}
