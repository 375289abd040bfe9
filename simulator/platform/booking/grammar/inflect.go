package grammar

import (
	"slices"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
)

// Words that mean nothing by themselves come in many forms: "freezing", "freezes", "froze".
// A form of such a word is one too, so that each needs to be listed once.

// noteStems stores the stems of the words without meaning.
func (l *language) noteStems() {
	l.stems = map[string]bool{}
	for word, phrases := range l.phrases {
		for _, p := range phrases {
			if len(p.words) == 1 && p.sense.class == filler {
				if s := lex.Stem(l.Tag, word); len(s) >= lex.ShortestStem {
					l.stems[s] = true
				}
			}
		}
	}
}

// inflected reports whether an unknown word is a form of a word without meaning.
func (l *language) inflected(word string) bool {
	s, participle := strings.CutPrefix(word, "ge")
	return l.stems[lex.Stem(l.Tag, word)] || participle && l.Tag == "de" && l.stems[lex.Stem(l.Tag, s)]
}

// contracted removes a contraction from a number, a day, a pronoun or a question word: "ten's fine", "she'll wait",
// "how long's". It returns false if there is none.
func (l *language) contracted(word string) (string, bool) {
	if l.Tag == "de" {
		base, ok := strings.CutSuffix(word, "s")
		return base, ok && drawnToGerman[base]
	}
	for _, ending := range []string{"s", "ll", "d", "re", "ve"} {
		base, ok := strings.CutSuffix(word, ending)
		if !ok {
			continue
		}
		_, number := l.Numbers[base]
		if ending == "s" && (number || slices.Contains(l.Clock.Weekdays, base)) || drawnTo[base] {
			return base, true
		}
	}
	return "", false
}

// drawnToGerman are the words that are contracted with "es": "hab's".
var drawnToGerman = lex.Set("hab sie er du wir ich ihr mach geht ist war gib hat wenn ob wie so was tu seh nehm kann will soll brauch bring hol schick nimm passt stimmt jetzt dann")

// drawnTo are the words that are contracted with "is", "will", "had", "are" and "have".
var drawnTo = lex.Set("he she it they we you i that this there here who what when where why how long much far soon many everything everyone nan mum dad")

// adverbial reports whether a word is an adverb without meaning, by its ending: "greatly", "freundlicherweise". Adverbs
// that limit or negate are not.
func (l *language) adverbial(word string) bool {
	const shortest = 6
	if len(word) < shortest || hedges[word] {
		return false
	}
	if l.Tag == "en" {
		return strings.HasSuffix(word, "ly")
	}
	return strings.HasSuffix(word, "erweise") || strings.HasSuffix(word, "lich") || strings.HasSuffix(word, "massig")
}

var hedges = lex.Set("hardly nearly scarcely barely partly mostly presumably possibly supposedly apparently incorrectly wrongly falsely mistakenly conditionally provisionally tentatively family italy reply supply apply multiply assembly early daily " +
	"vermutlich angeblich möglicherweise moglicherweise versehentlich falschlich falschlicherweise teilweise vergeblich schwerlich")
