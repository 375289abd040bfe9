// Package people counts those who travel, in what a caller said: "two adults and a child", "zu dritt", "just me".
package people

import (
	"slices"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/times"
)

// Most is the largest number that counts as a number of people.
const Most = 16

// Seats is the largest number that is read as people although no word for people follows.
const Seats = 8

// Words contains the words of one language for numbers of people.
type Words struct {
	Nouns  map[string]bool // after a number
	Pairs  map[string]bool // nouns whose numbers add up: adults and children
	Groups map[string]int  // "zu dritt"
	Party  lex.Phrases     // in front of a number: "party of", "wir sind"
	Alone  lex.Phrases     // one
	Mostly lex.Phrases     // after a number: "of us"
}

// Reader finds numbers of people in an utterance; a word that has been used is empty.
type Reader struct {
	times.Reader
	People Words
}

// Count is a number of people, and the words from and to which it was said.
type Count struct{ From, To, N int }

// Counts returns the numbers of people, in order.
func (r Reader) Counts() []Count {
	var all []Count
	for i := 0; i < len(r.Said); i++ {
		c, ok := r.countAt(i)
		if !ok && len(all) > 0 {
			c, ok = r.leaves(i)
		}
		if ok {
			all = append(all, c)
			i = c.To - 1
		}
	}
	if len(all) > 1 { // three of us now, it was four
		all = slices.DeleteFunc(all, func(c Count) bool {
			w, next := r.Word(c.From-1), r.Word(c.From+1)
			return w == "was" || w == "war" || w == "waren" || c.N == 1 && (next == "of" || next == "von") // one of us is on crutches
		})
	}
	return all
}

func (r Reader) countAt(i int) (Count, bool) {
	p := r.People
	if n, words := r.collective(i); words > 0 {
		return Count{i, i + words, n}, true
	}
	if c, ok := r.listed(i); ok {
		return c, true
	}
	if n := r.Phrase(i, p.Alone); n > 0 {
		return Count{i, i + n, 1}, true
	}
	if g := p.Groups[r.Word(i)]; g > 0 && (r.Word(i-1) == "zu" || r.Word(i-1) == "wir") {
		return Count{i, i + 1, g}, true
	}
	if n, words := r.Number(i); words > 0 && r.Word(i+words) == "of" && (lex.Possessives[r.Word(i+words+1)] || r.Word(i+words+1) == "the") && n > 1 {
		if w := r.Word(i + words + 2); Kin[strings.TrimSuffix(w, "s")] || r.People.Pairs[w] { // two of my lads
			return Count{i, i + words + 3, n}, true
		}
	}
	if n, words := r.Number(i); words > 0 && n > 1 && n <= Seats && (r.Word(i-1) == "us" || r.Word(i-1) == "uns" || r.Word(i-1) == "them") && !r.Unit(i+words) && !r.Clock.HourWords[r.Word(i+words)] && !r.pausesAt(i) {
		return Count{i, i + words, n}, true // them two
	}
	if Both[r.Word(i)] && (r.Phrase(i+1, p.Mostly) > 0 || r.Word(i-1) == "us" || r.Word(i-1) == "wir" || r.Word(i-1) == "uns") {
		return Count{i, i + 1 + r.Phrase(i+1, p.Mostly), 2}, true
	}
	start := i
	led := r.Phrase(i, p.Party)
	i += led
	for led > 0 && amid[r.Word(i)] {
		i, led = i+1, led+1
	}
	if led > 0 { // we are two adults and one child
		if c, ok := r.listed(i); ok {
			return Count{start, c.To, c.N}, true
		}
	}
	n, words := r.Number(i)
	if words == 0 || n < 1 || n > Most {
		return r.itemised(start)
	}
	end := i + words
	us := r.Phrase(end, p.Mostly)
	switch {
	case r.Word(end) == "couples" || r.Word(end) == "paare":
		return Count{start, end + 1, min(2*n, Most)}, true
	case r.pausesAt(end) && led == 0: // four, one has dropped out
	case r.company(start) && !r.Clock.HourWords[r.Word(end)] && !r.Unit(end): // me and my lad, so two
		return Count{start, end, n}, true
	case us > 0:
		return Count{start, end + us, n}, true
	case p.Pairs[r.Word(end)]:
		return Count{start, end + 1, n}, n > 1
	case p.Nouns[r.Word(end)]:
		return Count{start, end + 1, n}, true
	case r.countable(end) && n > 1 && (led > 0 || start == 0 || aboard[r.Word(start-1)] || r.pausesAt(start)):
		return Count{start, end + 1, n}, true
	case r.Tag == "en" && n > 1 && p.Pairs[r.Word(end+1)] && !r.Clock.At[r.Word(start-1)] && !r.Known[r.Word(end)]: // three hungry students
		return Count{start, end + 2, n}, true
	case led > 0 && !times.Counted[r.Word(end)] && !r.Clock.HourWords[r.Word(end)] && !r.Clock.Minute[r.Word(end)] && !r.Clock.Past[r.Word(end)] && !r.Clock.Before[r.Word(end)]:
		return Count{start, end, n}, true
	}
	return Count{}, false
}

// collective parses a word for a number of people: "half a dozen of us", "we are a quartet".
func (r Reader) collective(i int) (n, words int) {
	start, half := i, false
	for k := 0; k < 3 && (lex.Articles[r.Word(i)] || r.Word(i) == "half" || r.Word(i) == "halbes"); k++ {
		half = half || !lex.Articles[r.Word(i)]
		i++
	}
	if w := r.Word(i); (w == "dozen" || w == "dutzend") && i > start {
		us := r.Phrase(i+1, r.People.Mostly)
		if us == 0 && i+1 < len(r.Said) && !r.People.Nouns[r.Word(i+1)] && !r.People.Pairs[r.Word(i+1)] { // a dozen roses
			return 0, 0
		}
		return map[bool]int{true: 6, false: 12}[half], min(i+1+max(us, 1), len(r.Said)) - start
	}
	if n = Ensembles[r.Word(i)]; n > 0 && !half && slices.ContainsFunc(r.Said[max(start-3, 0):start], func(w string) bool { return travelling[w] }) {
		return n, i + 1 - start
	}
	return 0, 0
}

// travelling are words before a group that travels: "we're a string quartet".
var travelling = lex.Set("we were are us for wir sind uns fur")

// Ensembles maps words for groups to their number of people.
var Ensembles = map[string]int{"duo": 2, "trio": 3, "threesome": 3, "quartet": 4, "quartett": 4, "foursome": 4, "quintet": 5, "quintett": 5, "sextet": 6, "sextett": 6}

// leaves parses the number that remains of those counted before: "so that leaves four", "so it's three".
func (r Reader) leaves(i int) (Count, bool) {
	const most = 3
	n, words := r.Number(i)
	end := i + words
	if words == 0 || n < 1 || n > Most || r.Clock.HourWords[r.Word(end)] || r.Unit(end) || r.Clock.Past[r.Word(end)] || r.Clock.Before[r.Word(end)] {
		return Count{}, false
	}
	for k := i - 1; k >= 0 && k >= i-most; k-- {
		switch r.Word(k) {
		case "only", "just", "nur":
			return Count{i, end, n}, r.Word(k-1) != "shes" && r.Word(k-1) != "hes" // she is only six
		case "leaves", "makes", "so", "also", "them", "bleiben", "macht":
			return Count{i, end, n}, true
		case "its", "thats", "that", "were", "wir", "sind", "it", "is":
		default:
			return Count{}, false
		}
	}
	return Count{}, false
}

// company reports whether a number sums up who was named: "me and my lad, so two".
func (r Reader) company(i int) bool {
	const most = 5
	if w := r.Word(i - 1); w != "so" && w != "also" {
		return false
	}
	for k := i - 2; k >= 0 && k >= i-2-most; k-- {
		if w := r.Word(k); (w == "me" || w == "i" || w == "myself" || w == "ich") && (r.Word(k+1) == "and" || r.Word(k+1) == "und") {
			return true
		}
	}
	return false
}

// itemised reads a number behind its noun, as in a list: "passengers four", "number of
// people, it is two".
func (r Reader) itemised(i int) (Count, bool) {
	if !r.People.Nouns[r.Word(i)] || lex.Possessives[r.Word(i-1)] || lex.Possessives[r.Word(i-2)] { // my little girl's four
		return Count{}, false
	}
	to := i + 1
	for to < i+3 && Equates[r.Word(to)] {
		to++
	}
	n, words := r.Number(to)
	end := to + words
	next := r.Word(end)
	if words == 0 || n < 1 || n > Most || r.Clock.HourWords[next] || r.Clock.Am[next] || r.Clock.Pm[next] || r.Unit(end) {
		return Count{}, false
	}
	if _, minutes := r.Number(end); minutes > 0 || r.Clock.Past[next] || r.Clock.Before[next] {
		return Count{}, false
	}
	return Count{i, end, n}, true
}

// Equates are words between a noun and its number.
var Equates = lex.Set("is it its are will be sind ist es")

// aboard are words before a number of people without a noun.
var aboard = lex.Set("for of us with take taking carry seats and its")

// countable reports whether a word that is not known counts people: "three clarinettists".
// The number is read back.
func (r Reader) countable(i int) bool {
	const shortest = 5
	w := r.Word(i)
	return r.Tag == "en" && len(w) >= shortest && strings.HasSuffix(w, "s") && !r.Known[w] && !times.Counted[w]
}

// amid are words between "we are" and a number.
var amid = lex.Set("noch then dann now actually only just about altogether jetzt doch nun nur inzwischen mittlerweile insgesamt also ja eh zusammen")

// listed parses a list of people: "me and my wife", "three adults, two kids and a baby". It is complete if it includes
// the caller or a number.
func (r Reader) listed(i int) (Count, bool) {
	all, parts, counts, whole, self := 0, 0, false, false, false
	from := i
	for to := i; ; {
		joint := 0
		for parts > 0 && (joins[r.Word(to+joint)] || joint > 0 && r.Word(to+joint) == "noch") {
			joint++
		}
		n, words, counted := r.traveller(to+joint, parts > 0 && joint > 0)
		if parts > 1 && joint == 0 && words > 0 && r.sums(to, words) { // myself and herself, two of us
			return Count{from, to + words, n}, true
		}
		if whole && (r.Word(to) == "with" || r.Word(to) == "mit") { // four of us with gran
			words = 0
		}
		if parts > 0 && joint == 0 && (whole || selves[r.Word(to)] && !joins[r.Word(to+1)]) { // three of us, me and my two lads
			words = 0
		}
		if words == 0 {
			if parts < 2 || !counts {
				return Count{}, false
			}
			for carried := r.carried(to); carried > 0; carried = r.carried(to) {
				to += carried
			}
			return Count{from, to, min(all, Most)}, true
		}
		last := r.Word(to + joint + words - 1)
		switch {
		case parts > 0 && selves[last] && (r.Word(to-1) == "us" || r.Word(to-1) == "uns"): // three of us, and I
			return Count{from, to, min(all, Most)}, true
		case !selves[last] || !self:
		case last == "myself" || r.Word(to-1) == "myself": // me, myself and I
			n = 0
		default: // him and me, and I want
			if parts < 2 || !counts {
				return Count{}, false
			}
			return Count{from, to, min(all, Most)}, true
		}
		self = self || selves[last]
		whole = counted && !r.People.Pairs[last] && !Kin[last] && !selves[last]
		all, parts, counts, to = all+n, parts+1, counts || counted, to+joint+words
	}
}

// sums reports whether the words give the total number: "two of us".
func (r Reader) sums(i, words int) bool {
	_, n := r.Number(i)
	return n > 0 && n < words && r.Phrase(i+n, r.People.Mostly) == words-n
}

// traveller parses one part of a list of people. counts reports whether it determines the number of people: it is a
// number, or the caller.
func (r Reader) traveller(i int, joined bool) (n, words int, counts bool) {
	switch w := r.Word(i); {
	case Companions[w] && joins[r.Word(i+1)] && selves[r.Word(i+2)]: // him and me
		return 1, 1, false
	case w == "me" && Kin[r.Word(i+1)]: // me brother
		return 1, 2, true
	case selves[w]:
		return 1, 1, true
	}
	if titled := r.Word(i) == "mr" && r.Word(i+2) == "mrs" || r.Word(i) == "herr" && r.Word(i+2) == "frau"; titled {
		return 2, 3 + r.named(i+3), false
	}
	if g := r.People.Groups[r.Word(i+1)]; g > 0 && r.Word(i) == "zu" {
		return g, 2, true
	}
	start := i
	for Both[r.Word(i)] && lex.Possessives[r.Word(i+1)] { // both his parents
		i++
	}
	for lex.Possessives[r.Word(i)] || r.Word(i) == "ma" || lex.Articles[r.Word(i)] && r.Word(i) != "and" && r.Word(i) != "und" && r.Word(i) != "of" {
		i++
	}
	if Couples[r.Word(i)] && i > start {
		if next := r.Word(i + 1); r.People.Pairs[next] || r.People.Nouns[next] || Kin[strings.TrimSuffix(next, "s")] {
			i++ // her twin boys
		}
		return 2, i + 1 - start, false
	}
	if i > start && Small[r.Word(i)] && Kin[r.Word(i+1)] { // our little lad
		i++
	}
	if i > start || joined || r.pausesAt(i+1) {
		if w := r.Word(i); i > start && Counting[r.Word(start)] && (r.People.Pairs[w] || r.People.Nouns[w]) && !strings.HasSuffix(w, "s") {
			return 1, i + 1 - start, false // and a gentleman
		}
		if Kin[r.Word(i)] {
			if r.Word(i+1) == "in" && r.Word(i+2) == "law" {
				i += 2
			}
			return 1, i + 1 + r.named(i+1) - start, false
		}
	}
	n, w := r.Number(i)
	if w == 0 || n < 1 || n > Most {
		return 0, 0, false
	}
	i += w
	if r.Word(i) == "of" && (lex.Possessives[r.Word(i+1)] || r.Word(i+1) == "the") {
		i += 2 // two of the lads
	}
	if us := r.Phrase(i, r.People.Mostly); us > 0 {
		return n, i + us - start, true
	}
	for range 2 { // two small kids
		if r.People.Pairs[r.Word(i)] || r.People.Nouns[r.Word(i)] || Kin[r.Word(i)] || Kin[strings.TrimSuffix(r.Word(i), "s")] {
			return n, i + 1 - start, true
		}
		if !Small[r.Word(i)] {
			break
		}
		i++
	}
	if r.Word(start-1) == "plus" && r.Word(i) != "" && !times.Counted[r.Word(i)] && !r.Unit(i) || r.Word(start-1) == "plus" && i == len(r.Said) {
		return n, i - start, true
	}
	return 0, 0, false
}

// named returns the number of words that are somebody's name: "my friend Isla".
func (r Reader) named(i int) int {
	w := r.Word(i)
	if w != "" && i < len(r.Tokens) && r.Tokens[i].Upper && !r.Tokens[i].Pause && !r.Known[w] && !lex.Articles[w] {
		return 1
	}
	return 0
}

func (r Reader) pausesAt(i int) bool { return i < len(r.Tokens) && r.Tokens[i].Pause }

// carried returns the number of words that name luggage or the like: "and a pushchair".
func (r Reader) carried(i int) int {
	start := i
	for joins[r.Word(i)] || lex.Articles[r.Word(i)] {
		i++
	}
	if i > start && (times.Counted[r.Word(i)+"s"] || r.Word(i) == "kinderwagen" || r.Word(i) == "gepack" || r.Word(i) == "luggage") {
		return i + 1 - start
	}
	return 0
}

// Words for people. Each is as it is said in a sentence, in both languages.
var (
	Counting   = lex.Set("a an one another ein eine einen einem einer") // in front of one
	Companions = lex.Set("him her them")
	Both       = lex.Set("both beide beiden")
	Couples    = lex.Set("ehepaar twin parents eltern grosseltern grandparents twins zwillinge") // two
	Small      = lex.Set("small little young older other grown kleine kleinen weitere weiteren") // between a number and a noun
	Kin        = lex.Set("mammy mam pal aunty aunties himself herself wife husband mum mummy mam mom mother dad daddy father daughter son sister brother mate friend partner girlfriend boyfriend baby toddler infant nan nana gran granny grandma grandmother grandad grandpa grandfather grandson granddaughter kid child boy girl lad lass missus colleague neighbour boss aunt auntie uncle cousin niece nephew carer fiancee " +
		"frau mann mutter mama vater papa tochter sohn schwester bruder freund freundin partnerin oma opa grossmutter grossvater kleinkind säugling kind kollege kollegen kollegin enkel enkelin nachbar nachbarin tante onkel cousine schwager schwägerin schwiegermutter schwiegervater spezl kumpel chef freundinnen freunde")

	joins  = lex.Set("and und plus with mit sowie")
	selves = lex.Set("me i myself ich mich")
)

// IsKin reports whether a word is one for kin, also of several, or a German compound: "söhnen", "Gastmutter".
func IsKin(w string) bool {
	const stem, ending = 4, 3
	if Kin[w] || Kin[strings.TrimSuffix(w, "s")] {
		return true
	}
	for k := len(w) - 1; k >= stem && k >= len(w)-ending; k-- {
		if Kin[w[:k]] && germanEndings[w[k:]] {
			return true
		}
	}
	for k := stem; k <= len(w)-stem; k++ {
		if Kin[w[k:]] {
			return true
		}
	}
	return false
}

var germanEndings = lex.Set("n en e er es nen innen")
