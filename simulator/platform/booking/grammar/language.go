package grammar

import (
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// words are what people of one language say.
type words struct {
	choices  map[spoken.Choice][][]string
	generic  map[string]bool // words that mean a taxi, and little by themselves
	repeat   [][]string
	not      map[string]bool // words that turn a wish round
	fillers  map[string]bool // words that add nothing to a command
	articles map[string]bool // words in front of a place
	from, to map[string]bool
	names    [][]string // "my name is"
	numbers  map[string]int
	clock    clockWords
}

// languages are the words of those that are understood.
var languages = map[string]*words{"en": english(), "de": german()}

// listen are the languages to understand somebody by: their own, and English.
func listen(tag string) []*words {
	base, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	if own, ok := languages[base]; ok && base != "en" {
		return []*words{own, languages["en"]}
	}
	return []*words{languages["en"]}
}

// numerals are the words of a language for 0 to 99.
func numerals(tag string) map[string]int {
	m := map[string]int{}
	for n := range 100 {
		if word := tokens(spoken.Number(tag, n)); len(word) == 1 {
			m[word[0]] = n
		}
	}
	return m
}

// ordinals are words in their order from the first on.
func ordinals(text string) map[string]int {
	m := map[string]int{}
	for i, word := range tokens(text) {
		m[word] = i + 1
	}
	return m
}

// list splits phrases that are parted by commas.
func list(text string) [][]string {
	var phrases [][]string
	for phrase := range strings.SplitSeq(text, ",") {
		phrases = append(phrases, tokens(phrase))
	}
	return phrases
}

// set splits words that are parted by spaces.
func set(text string) map[string]bool {
	m := map[string]bool{}
	for _, w := range tokens(text) {
		m[w] = true
	}
	return m
}
