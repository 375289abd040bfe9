package grammar

import (
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/times"
)

// mostPeople bounds what is taken for a number of people.
const mostPeople = 16

// peopleReader reads numbers of people in what was said; a word that has been used is empty.
type peopleReader struct {
	times.Reader
	people peopleWords
}

// count is a number of people in what was said.
type count struct{ from, to, n int }

// counts finds the numbers of people.
func (r peopleReader) counts() []count {
	var all []count
	for i := 0; i < len(r.Said); i++ {
		if c, ok := r.countAt(i); ok {
			all = append(all, c)
			i = c.to - 1
		}
	}
	return all
}

func (r peopleReader) countAt(i int) (count, bool) {
	p := r.people
	if c, ok := r.listed(i); ok {
		return c, true
	}
	if n := r.Phrase(i, p.alone); n > 0 {
		return count{i, i + n, 1}, true
	}
	if g := p.groups[r.Word(i)]; g > 0 && (r.Word(i-1) == "zu" || r.Word(i-1) == "wir") {
		return count{i, i + 1, g}, true
	}
	if both[r.Word(i)] && (r.Phrase(i+1, p.mostly) > 0 || r.Word(i-1) == "us" || r.Word(i-1) == "wir" || r.Word(i-1) == "uns") {
		return count{i, i + 1 + r.Phrase(i+1, p.mostly), 2}, true
	}
	start := i
	led := r.Phrase(i, p.party)
	i += led
	for led > 0 && amid[r.Word(i)] {
		i, led = i+1, led+1
	}
	if led > 0 { // we are two adults and one child
		if c, ok := r.listed(i); ok {
			return count{start, c.to, c.n}, true
		}
	}
	n, words := r.Number(i)
	if words == 0 || n < 1 || n > mostPeople {
		return r.itemised(start)
	}
	end := i + words
	us := r.Phrase(end, p.mostly)
	switch {
	case r.company(start) && !r.Clock.HourWords[r.Word(end)] && !r.Unit(end): // me and my lad, so two
		return count{start, end, n}, true
	case us > 0:
		return count{start, end + us, n}, true
	case p.pairs[r.Word(end)]:
		return count{start, end + 1, n}, n > 1
	case p.nouns[r.Word(end)]:
		return count{start, end + 1, n}, true
	case r.countable(end) && n > 1 && !r.Clock.At[r.Word(start-1)]:
		return count{start, end + 1, n}, true
	case r.Tag == "en" && n > 1 && p.pairs[r.Word(end+1)] && !r.Clock.At[r.Word(start-1)] && !r.Known[r.Word(end)]: // three hungry students
		return count{start, end + 2, n}, true
	case led > 0 && !times.Counted[r.Word(end)] && !r.Clock.HourWords[r.Word(end)] && !r.Clock.Minute[r.Word(end)] && !r.Clock.Past[r.Word(end)] && !r.Clock.Before[r.Word(end)]:
		return count{start, end, n}, true
	}
	return count{}, false
}

// company reports whether a number sums up who was named: "me and my lad, so two".
func (r peopleReader) company(i int) bool {
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
func (r peopleReader) itemised(i int) (count, bool) {
	if !r.people.nouns[r.Word(i)] {
		return count{}, false
	}
	to := i + 1
	for to < i+3 && equates[r.Word(to)] {
		to++
	}
	n, words := r.Number(to)
	end := to + words
	next := r.Word(end)
	if words == 0 || n < 1 || n > mostPeople || r.Clock.HourWords[next] || r.Clock.Am[next] || r.Clock.Pm[next] || r.Unit(end) {
		return count{}, false
	}
	if _, minutes := r.Number(end); minutes > 0 || r.Clock.Past[next] || r.Clock.Before[next] {
		return count{}, false
	}
	return count{i, end, n}, true
}

// equates are words between a noun and its number.
var equates = lex.Set("is it its are will be sind ist es")

// countable reports whether a word that is not known counts people: "three clarinettists".
// The number is read back.
func (r peopleReader) countable(i int) bool {
	const shortest = 5
	w := r.Word(i)
	return r.Tag == "en" && len(w) >= shortest && strings.HasSuffix(w, "s") && !r.Known[w] && !times.Counted[w]
}

// amid are words between "we are" and a number.
var amid = lex.Set("noch then dann now actually only just about altogether jetzt doch nun nur inzwischen mittlerweile insgesamt also ja eh zusammen")

// listed reads people who are told one by one: "me and my wife", "three adults, two kids and a
// baby". Who speaks of themselves, or counts, lists all that travel.
func (r peopleReader) listed(i int) (count, bool) {
	all, parts, counts, whole := 0, 0, false, false
	from := i
	for to := i; ; {
		joint := 0
		for parts > 0 && joins[r.Word(to+joint)] {
			joint++
		}
		n, words, counted := r.traveller(to+joint, parts > 0 && joint > 0)
		if whole && (r.Word(to) == "with" || r.Word(to) == "mit") { // four of us with gran
			words = 0
		}
		if parts > 0 && joint == 0 && (whole || selves[r.Word(to)] && !joins[r.Word(to+1)]) { // three of us, me and my two lads
			words = 0
		}
		if words == 0 {
			if parts < 2 || !counts {
				return count{}, false
			}
			for carried := r.carried(to); carried > 0; carried = r.carried(to) {
				to += carried
			}
			return count{from, to, min(all, mostPeople)}, true
		}
		last := r.Word(to + joint + words - 1)
		whole = !r.people.pairs[last] && !kin[last] && !selves[last]
		all, parts, counts, to = all+n, parts+1, counts || counted, to+joint+words
	}
}

// traveller reads one part of a list of people. counts reports whether it tells how many there
// are: a number, or the caller.
func (r peopleReader) traveller(i int, joined bool) (n, words int, counts bool) {
	if selves[r.Word(i)] {
		return 1, 1, true
	}
	if g := r.people.groups[r.Word(i+1)]; g > 0 && r.Word(i) == "zu" {
		return g, 2, true
	}
	start := i
	for possessive[r.Word(i)] || lex.Articles[r.Word(i)] && r.Word(i) != "and" && r.Word(i) != "und" && r.Word(i) != "of" {
		i++
	}
	if couples[r.Word(i)] && i > start {
		return 2, i + 1 - start, false
	}
	if i > start || joined {
		if kin[r.Word(i)] {
			if r.Word(i+1) == "in" && r.Word(i+2) == "law" {
				i += 2
			}
			return 1, i + 1 - start, false
		}
	}
	n, w := r.Number(i)
	if w == 0 || n < 1 || n > mostPeople {
		return 0, 0, false
	}
	i += w
	if r.Word(i) == "of" && (possessive[r.Word(i+1)] || r.Word(i+1) == "the") {
		i += 2 // two of the lads
	}
	if us := r.Phrase(i, r.people.mostly); us > 0 {
		return n, i + us - start, true
	}
	for range 2 { // two small kids
		if r.people.pairs[r.Word(i)] || r.people.nouns[r.Word(i)] || kin[r.Word(i)] || kin[strings.TrimSuffix(r.Word(i), "s")] {
			return n, i + 1 - start, true
		}
		if !small[r.Word(i)] {
			break
		}
		i++
	}
	if r.Word(start-1) == "plus" && r.Word(i) != "" && !times.Counted[r.Word(i)] && !r.Unit(i) || r.Word(start-1) == "plus" && i == len(r.Said) {
		return n, i - start, true
	}
	return 0, 0, false
}

// carried is how many words name what people take along: "and a pushchair".
func (r peopleReader) carried(i int) int {
	start := i
	for joins[r.Word(i)] || lex.Articles[r.Word(i)] {
		i++
	}
	if i > start && (times.Counted[r.Word(i)+"s"] || r.Word(i) == "kinderwagen" || r.Word(i) == "gepack" || r.Word(i) == "luggage") {
		return i + 1 - start
	}
	return 0
}

var (
	joins   = lex.Set("and und plus with mit sowie")
	selves  = lex.Set("me i myself ich")
	couples = lex.Set("parents eltern grosseltern grandparents twins zwillinge")
	small   = lex.Set("small little young older other grown kleine kleinen weitere weiteren")
	kin     = lex.Set("wife husband mum mummy mam mom mother dad daddy father daughter son sister brother mate friend partner girlfriend boyfriend baby toddler infant nan nana gran granny grandma grandmother grandad grandpa grandfather grandson granddaughter kid child boy girl lad lass missus colleague neighbour boss aunt auntie uncle cousin niece nephew carer fiancee " +
		"frau mann mutter mama vater papa tochter sohn schwester bruder freund freundin partnerin oma opa grossmutter grossvater kleinkind säugling kind kollege kollegen kollegin enkel enkelin nachbar nachbarin tante onkel cousine chef freundinnen freunde")
)
