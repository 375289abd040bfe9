package grammar

import "math/bits"

// speller finds the word that was meant by one that nobody knows.
type speller struct {
	byLength [longestWord + 1][]spelled
}

type spelled struct {
	word string
	mask uint32 // its letters
}

func (s *speller) add(word string) {
	if n := len(word); n >= 3 && n <= longestWord {
		s.byLength[n] = append(s.byLength[n], spelled{word, letters(word)})
	}
}

// letters is the set of the letters of a word.
func letters(word string) uint32 {
	mask := uint32(0)
	for i := range len(word) {
		mask |= 1 << (word[i] & 31)
	}
	return mask
}

// meant is the word that is most like another one, and how much; "": none.
func (s *speller) meant(word string) (string, float64) {
	mask := letters(word)
	best, found := 0.0, ""
	for n := max(len(word)-mostCut, 3); n <= min(len(word)+mostCut, longestWord); n++ {
		for _, w := range s.byLength[n] {
			most := 2 * mostOff // letters that only one of the two has
			if w.word[0] == word[0] {
				most += 2
			}
			if bits.OnesCount32(mask^w.mask) > most {
				continue
			}
			if like := alike(word, w.word); like > best || like == best && like > 0 && w.word < found {
				best, found = like, w.word
			}
		}
	}
	return found, best
}
