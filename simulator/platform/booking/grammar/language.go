package grammar

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/people"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/times"
)

// class is the function of a phrase in a sentence.
type class uint8

const (
	filler   class = iota + 1 // adds nothing
	agrees                    // yes
	refuses                   // no; it corrects as well
	negates                   // not: what follows is not meant
	corrects                  // what follows replaces what came before
	doubts                    // but, perhaps
	from                      // a pickup follows
	to                        // a drop-off follows
	goes                      // likewise, whatever was announced before: "take me to"
	via                       // a stop follows
	at                        // a place follows, most likely the pickup
	stands                    // a place follows where somebody is
	collects                  // a pickup is announced: "pick me up"
	drops                     // a drop-off is announced: "the destination"
	then                      // between two drop-offs: the first is a stop
	either                    // or
	usual                     // the usual pickup
	swaps                     // the other way round
	sends                     // a car is sent to a place: the pickup, if a drop-off is said as well
	hither                    // the place that was named last is the pickup: "collect me there"
	thither                   // likewise the drop-off: "take me there"
	wishes                    // an act
	asks                      // a question
	kinds                     // a kind of car
)

// sense is the meaning of a phrase.
type sense struct {
	class    class
	act      Act
	question Question
	category string
}

// phrase is words with their sense.
type phrase struct {
	words []string
	sense sense
	early bool // it is found before places and times
}

// language contains the vocabulary of one language.
type language struct {
	times.Words
	phrases map[string][]phrase // by the first word, the longest first
	glue    map[string]bool     // words inside the name of a place
	kind    []lex.PlaceKind     // what kinds of place are called
	things  map[string]bool     // words that add nothing, except behind one that leads to a place
	daily   map[string]bool     // things of everyday life, which have to do with no trip
	plainly map[string]bool     // words of a clause that orders a taxi, beside its places, times and people
	stems   map[string]bool     // of the words that add nothing
	askings []asking
	people  people.Words
	names   nameWords
	spell   lex.Speller // of the words that may be misheard without harm
}

// reader returns a reader of times in the language.
func (l *language) reader(said []string) times.Reader {
	return times.Reader{Words: &l.Words, Said: said}
}

// reader returns a reader of times in an utterance, which its pauses divide.
func (h *hearing) reader(said []string) times.Reader {
	r := h.language.reader(said)
	if len(said) == len(h.tokens) {
		r.Tokens = h.tokens
	}
	return r
}

// nameWords are what people of one language say around a name.
type nameWords struct {
	leads lex.Phrases // "my name is"
	asked lex.Phrases // likewise, where a name was asked for: "it's"
	loose lex.Phrases // in front of a name, or of something else: "for"
	ends  map[string]bool
}

// asking is how people ask something: a word that begins the question, and one that
// says what it is about, with little in between.
type asking struct {
	leads, about map[string]bool
	question     Question
	first        bool // the question begins what is said
}

// languages returns those that are understood. They are built when a call first needs them,
// so that a program without calls starts without them.
var languages = sync.OnceValue(func() []*language { return []*language{english(), german()} })

// Prepare builds what is understood, once: it takes a tenth of a second, which the first caller
// would wait for.
func Prepare() { languages() }

// own returns the languages, first the one of a tag.
func own(tag string) []*language {
	base, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	list := slices.Clone(languages())
	slices.SortStableFunc(list, func(a, b *language) int {
		return cmp.Compare(btoi(a.Tag != base), btoi(b.Tag != base))
	})
	return list
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// newLanguage returns a language with what a file of the lexicon says.
func newLanguage(words times.Words, file string) *language {
	set := func() map[string]bool { return map[string]bool{} }
	l := &language{
		Words: words, phrases: map[string][]phrase{}, kind: lex.KindsOfPlace, glue: set(), things: set(), daily: set(), plainly: set(),
		people: people.Words{Nouns: set(), Pairs: set(), Groups: map[string]int{}}, names: nameWords{ends: set()},
	}
	l.read(file)
	return l.seal()
}

func english() *language {
	return newLanguage(times.NewWords("en", "en-GB", times.EnglishClock()), "en.txt")
}

// german returns the German language. Places, and numbers in front of streets, are also understood in English.
func german() *language {
	words := times.NewWords("de", "de-DE", times.GermanClock())
	maps.Copy(words.Numbers, times.Numerals("en-GB"))
	return newLanguage(words, "de.txt")
}

// put assigns a sense to phrases; if early, they are found before places and times.
func (l *language) put(s sense, phrases [][]string, early bool) {
	for _, words := range phrases {
		l.phrases[words[0]] = append(l.phrases[words[0]], phrase{words, s, early})
	}
}

// seal sorts the phrases, the longest first, and stores all words.
func (l *language) seal() *language {
	for _, list := range l.phrases {
		slices.SortStableFunc(list, func(a, b phrase) int { return cmp.Compare(len(b.words), len(a.words)) })
		for _, p := range list {
			for _, w := range p.words {
				l.Known[w] = true
			}
		}
	}
	for w := range l.Numbers {
		l.Known[w] = true
	}
	l.Clock.Each(func(w string) { l.Known[w] = true })
	for w := range l.people.Groups {
		l.Known[w] = true
	}
	for _, words := range []map[string]bool{l.people.Nouns, l.people.Pairs, l.glue} {
		maps.Copy(l.Known, words)
	}
	l.Nouns = l.people.Nouns
	l.noteStems()
	l.spellable()
	return l
}

// spellable stores the words that are recognised when slightly misheard: no words of agreement, since a yes must be
// certain, and none that call a person.
func (l *language) spellable() {
	for w := range l.Known {
		if len(w) >= shortestSpelled && !slices.ContainsFunc(l.phrases[w], func(p phrase) bool {
			return p.sense.class == agrees || p.sense.act == ActPerson || p.sense.act == ActTrouble
		}) {
			l.spell.Add(w)
		}
	}
	for _, s := range lex.KindsOfPlace {
		for _, words := range lex.List(s.Heads) {
			if len(words) == 1 && len(words[0]) >= shortestSpelled && !l.Known[words[0]] {
				l.spell.Add(words[0])
			}
		}
	}
}

// Bounds of what is taken for a word that was misheard a little.
const (
	shortestSpelled = 6
	leastSpelled    = 0.85
)
