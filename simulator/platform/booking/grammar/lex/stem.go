package lex

import "strings"

// ShortestStem is the minimum number of letters of a stem.
const ShortestStem = 4

// Stem returns a word of a language, "en" or "de", without its endings, as far as that distinguishes it from others.
func Stem(language, word string) string {
	if language == "en" {
		return englishStem(word)
	}
	return germanStem(word)
}

func englishStem(word string) string {
	for _, ending := range []string{"ingly", "edly", "ing", "ies", "ied", "ed", "es", "ly", "s", "in"} {
		s, ok := strings.CutSuffix(word, ending)
		if !ok || len(s) < ShortestStem-1 {
			continue
		}
		if ending == "ies" || ending == "ied" {
			return s + "y"
		}
		if n := len(s); n > 2 && s[n-1] == s[n-2] && !strings.ContainsRune("aeiouls", rune(s[n-1])) {
			s = s[:n-1] // dropping
		}
		word = s
		break
	}
	return strings.TrimSuffix(word, "e")
}

func germanStem(word string) string {
	for _, ending := range []string{"sten", "ster", "stes", "ten", "tes", "ter", "tem", "est", "ens", "en", "er", "es", "em", "st", "te", "e", "n", "s", "t"} {
		if s, ok := strings.CutSuffix(word, ending); ok && len(s) >= ShortestStem {
			return s
		}
	}
	return word
}
