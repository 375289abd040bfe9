package speech

import (
	_ "embed"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// sentences are what callers say, one in a line behind its question and how often it was said. Names of places are
// [P], those of streets [S]; the other classes have their words in a line of their own. Sentences that are said to
// others in the room have the question aside, and the last line has frequent words.
//
//go:generate go test -run TestSentencesFileIsUpToDate -update .
//go:embed sentences.txt
var sentences string

// The classes whose words are those of the served town.
const (
	classPlace  = "[P]"
	classStreet = "[S]"
)

// Questions that sentences are for, besides others of package booking.
const (
	questionOpening = "opening" // what shall we do for you?
	questionPickup  = "pickup"  // where from? A trip is said as well
	questionConfirm = "confirm" // a question with yes or no
	questionName    = "name"
	questionAside   = "aside"
	questionWords   = "words"
)

// model is a trigram model of the answers to a question, smoothed by Witten and Bell's method: of what follows some
// words, the share of what was never seen behind them is that of different words among all.
type model struct {
	counts [3]map[string]map[string]float64 // what follows no word, one, two
	chance [3]map[string]float64            // of a word behind no word, one, two; the key has all
	back   map[string]float64               // the share of what was not seen behind some words
}

// said is a parsed line of the sentences.
type said struct {
	question string
	times    float64
	words    []string
}

// corpus contains the parsed sentences.
type corpus struct {
	said    []said
	classes map[string][]string
	words   []string // frequent ones
}

var readCorpus = sync.OnceValue(func() (c corpus) {
	c.classes = map[string][]string{}
	for line := range strings.Lines(sentences) {
		words := strings.Fields(line)
		switch n, err := strconv.Atoi(words[1]); {
		case words[0][0] == '[':
			c.classes[words[0]] = words[1:]
		case words[0] == questionWords:
			c.words = words[1:]
		case err == nil:
			c.said = append(c.said, said{words[0], float64(n), words[2:]})
		}
	}
	return c
})

// The weights of sentences, by measurements on utterances that are not among them.
const (
	ownWeight     = 3    // of answers to the question itself
	restWeight    = 0.3  // of answers to others
	openingWeight = 0.6  // of first sentences, which have the parts of answers to later questions
	confirmWeight = 0.1  // of other answers at a question with yes or no
	nameWeight    = 0.2  // by which that of names is multiplied
	numberWeight  = 0.03 // of a house number and a street in the place of a name
	looseWeight   = 0.3  // of frequent words in any order
	hintWeight    = 300  // of an answer to a question that is not of a taxi firm
	looseTimes    = 3000
	mostLoose     = 6
)

// weight returns the weight of a sentence in the model of a question.
func weight(of, question string) float64 {
	switch {
	case of == question, of == questionAside && question == questionConfirm, of == "menu" && question == questionOpening:
		return ownWeight
	case of == questionAside:
		return 0
	case question == questionConfirm && of == questionName:
		return confirmWeight * nameWeight
	case question == questionConfirm:
		return confirmWeight
	case of == questionName:
		return restWeight * nameWeight
	case of == questionOpening && (question == questionPickup || question == "dropoff" || question == "time"):
		return openingWeight
	}
	return restWeight
}

// houseNumbers lists the forms in which a house number is said before its street.
var houseNumbers = []string{"[D]", "[M]", "[T]", "[T] [D]", "[D] [D]", "[D] [T] [D]", "[D] [D] [D]"}

// newModel returns the model of a question, counted from the sentences and the hints.
func newModel(question string, hints []string) *model {
	m := &model{}
	for n := range m.counts {
		m.counts[n], m.chance[n] = map[string]map[string]float64{}, map[string]float64{}
	}
	c := readCorpus()
	for _, s := range c.said {
		k := s.times * weight(s.question, question)
		if question == "" {
			k = 0
		}
		if k == 0 || question == "time" && s.words[0] == "no" { // no answer to "When?"
			continue
		}
		m.add(s.words, k)
		if at := slices.Index(s.words, classPlace); at >= 0 {
			for _, number := range houseNumbers {
				with := append(strings.Fields(number), classStreet)
				from := at
				if from > 0 && s.words[from-1] == "the" {
					from--
				}
				m.add(slices.Concat(s.words[:from], with, s.words[at+1:]), k*numberWeight)
			}
		}
	}
	for _, hint := range hints {
		m.add(strings.Fields(hint), hintWeight)
	}
	if question == questionConfirm || question == "" {
		chance := rand.New(rand.NewPCG(1, 2))
		for range looseTimes {
			words := make([]string, 1+chance.IntN(mostLoose))
			for i := range words {
				words[i] = c.words[chance.IntN(len(c.words))]
			}
			m.add(words, looseWeight)
		}
	}
	m.smooth()
	return m
}

const (
	begins = "<s>"
	ends   = "</s>"
)

func (m *model) add(words []string, k float64) {
	words = slices.Concat([]string{begins}, words, []string{ends})
	for i := 1; i < len(words); i++ {
		for n := range min(i+1, len(m.counts)) {
			before := strings.Join(words[i-n:i], " ")
			if m.counts[n][before] == nil {
				m.counts[n][before] = map[string]float64{}
			}
			m.counts[n][before][words[i]] += k
		}
	}
}

// smooth computes the chances of all words, the shortest histories first.
func (m *model) smooth() {
	m.back = map[string]float64{}
	for n, histories := range m.counts {
		for before, next := range histories {
			all, different := 0.0, float64(len(next))
			for _, word := range slices.Sorted(maps.Keys(next)) { // floats add up differently in another order
				all += next[word]
			}
			m.back[before] = different / (all + different)
			_, shorter, _ := strings.Cut(before, " ")
			for word, k := range next {
				less := 1 / (different + 1)
				if n > 0 {
					less = m.chance[n-1][strings.TrimSpace(shorter+" "+word)]
				}
				m.chance[n][strings.TrimSpace(before+" "+word)] = (k + different*less) / (all + different)
			}
		}
	}
}

// arpa returns the model in ARPA format.
func (m *model) arpa() string {
	m.chance[0][begins] = 0
	var b strings.Builder
	b.WriteString("\\data\\\n")
	for n, all := range m.chance {
		fmt.Fprintf(&b, "ngram %d=%d\n", n+1, len(all))
	}
	for n, all := range m.chance {
		fmt.Fprintf(&b, "\n\\%d-grams:\n", n+1)
		for _, words := range slices.Sorted(maps.Keys(all)) {
			fmt.Fprintf(&b, "%.4f %s", math.Log10(max(all[words], 1e-9)), words)
			if back, ok := m.back[words]; ok && n < len(m.chance)-1 {
				fmt.Fprintf(&b, " %.4f", math.Log10(back))
			}
			b.WriteByte('\n')
		}
	}
	b.WriteString("\n\\end\\\n")
	return b.String()
}

// tongue is the model of a question in the format of the program, and its words.
type tongue struct {
	arpa    string
	words   []string // that need a pronunciation
	classes map[string][]string
}

// tongues caches the models by question.
var tongues sync.Map

// tongueFor returns the model of a question. It is computed once, which takes a fraction of a second. Without a
// question, the answers are the hints, "yes", "no" and "help".
func tongueFor(grammar voice.Grammar) *tongue {
	if grammar.Question == "" {
		return newTongue(newModel("", append(phrases(grammar.Hints), "yes", "no", "help")))
	}
	build, _ := tongues.LoadOrStore(grammar.Question, sync.OnceValue(func() *tongue { return newTongue(newModel(grammar.Question, nil)) }))
	return build.(func() *tongue)()
}

func newTongue(m *model) *tongue {
	t := &tongue{arpa: m.arpa(), classes: map[string][]string{}}
	for word := range m.chance[0] {
		if c, ok := readCorpus().classes[word]; ok {
			t.classes[word] = c
			t.words = append(t.words, c...)
		} else if word[0] != '<' && word[0] != '[' {
			t.words = append(t.words, word)
		}
	}
	return t
}

// phrases returns each hint in its spoken form, see [voice.Phrase]: lower-case words, with numbers as words. Hints without
// words are left out.
func phrases(hints []string) []string {
	var all []string
	for _, hint := range hints {
		if words := voice.Phrase(hint); words != "" {
			all = append(all, words)
		}
	}
	return all
}

// mark replaces the spaces in the name of a place and follows it, so that the name is one word unlike any other.
const mark = "_"

// unmarked returns a name with spaces in place of its marks.
func unmarked(name string) string { return strings.TrimSpace(strings.ReplaceAll(name, mark, " ")) }

// files returns the model's files by ending: .arpa, .classes with the words of each class, all equally likely, and
// .lmctl, which refers to both; and the names among those words.
func (t *tongue) files(name string, places, streets []string) (files map[string]string, names []string) {
	if len(streets) == 0 {
		streets = places
	}
	all := maps.Clone(t.classes)
	take := func(class, end string, of []string) {
		for _, name := range of {
			all[class] = append(all[class], strings.ReplaceAll(name, " ", mark)+end)
		}
		names = append(names, all[class]...)
	}
	take(classPlace, mark, places)
	take(classStreet, mark+mark, streets)
	var b strings.Builder
	var tags []string
	for class, words := range all {
		if len(words) == 0 {
			continue
		}
		tags = append(tags, class)
		fmt.Fprintf(&b, "LMCLASS %s\n", class)
		for _, word := range words {
			fmt.Fprintf(&b, "%s %.6f\n", word, 1/float64(len(words)))
		}
		fmt.Fprintf(&b, "END %s\n\n", class)
	}
	control := fmt.Sprintf("{ %s.classes }\n%s.arpa %s { %s }\n", name, name, name, strings.Join(tags, " "))
	return map[string]string{".arpa": t.arpa, ".classes": b.String(), ".lmctl": control}, names
}
