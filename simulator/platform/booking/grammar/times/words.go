// Package times reads times and days as people say them: spans, days, feasts and the clock.
package times

import (
	"strings"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// Words contains the vocabulary of one language for times.
type Words struct {
	Tag     string
	Numbers map[string]int
	Known   map[string]bool // every word that means something: never taken for a misheard name
	Clock   clockWords
	Nouns   map[string]bool // people behind a number
}

// NewWords returns the words of a language.
func NewWords(tag, numbers string, clock clockWords) Words {
	return Words{Tag: tag, Numbers: Numerals(numbers), Known: map[string]bool{}, Clock: clock}
}

// Numerals returns the words of a language for 0 to 199 that are single words: "hundertzwölf".
func Numerals(tag string) map[string]int {
	m := map[string]int{}
	for n := range 200 {
		if word := lex.Tokens(spoken.Number(tag, n)); len(word) == 1 {
			m[word[0]] = n
			if n > 100 {
				m[strings.TrimPrefix(word[0], "ein")] = n
			}
		}
	}
	return m
}

// numbered are words by their number.
type numbered map[string]int

// and adds a word.
func (m numbered) and(word string, n int) numbered {
	m[word] = n
	return m
}

// from adds the German ordinals from a number to 31.
func (m numbered) from(n int, ending string) numbered {
	for ; n <= 31; n++ {
		m[lex.Fold(spoken.Number("de-DE", n)+ending)] = n
	}
	return m
}

// ordinals are words in their order from the first on.
func ordinals(text string) numbered {
	m := numbered{}
	for i, word := range lex.Tokens(text) {
		m[word] = i + 1
	}
	return m
}

// OnDay returns a time of the day that is a number of days after today.
func OnDay(now time.Time, days, hour, minute int) time.Time {
	y, m, d := now.Date()
	return time.Date(y, m, d+days, hour, minute, 0, 0, now.Location())
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
