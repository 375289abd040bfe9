package grammar

import "strings"

// mostPeople bounds what is taken for a number of people.
const mostPeople = 16

// count is a number of people in what was said.
type count struct{ from, to, n int }

// counts finds the numbers of people.
func (r clockReader) counts() []count {
	var all []count
	for i := 0; i < len(r.said); i++ {
		if c, ok := r.countAt(i); ok {
			all = append(all, c)
			i = c.to - 1
		}
	}
	return all
}

func (r clockReader) countAt(i int) (count, bool) {
	p := r.people
	if c, ok := r.listed(i); ok {
		return c, true
	}
	if n := r.phrase(i, p.alone); n > 0 {
		return count{i, i + n, 1}, true
	}
	if g := p.groups[r.word(i)]; g > 0 && (r.word(i-1) == "zu" || r.word(i-1) == "wir") {
		return count{i, i + 1, g}, true
	}
	start := i
	led := r.phrase(i, p.party)
	i += led
	for led > 0 && amid[r.word(i)] {
		i, led = i+1, led+1
	}
	n, words := r.number(i)
	if words == 0 || n < 1 || n > mostPeople {
		return r.itemised(start)
	}
	end := i + words
	us := r.phrase(end, p.mostly)
	switch {
	case r.company(start) && !r.clock.hourWords[r.word(end)] && !r.unit(end): // me and my lad, so two
		return count{start, end, n}, true
	case us > 0:
		return count{start, end + us, n}, true
	case p.pairs[r.word(end)]:
		return count{start, end + 1, n}, n > 1
	case p.nouns[r.word(end)]:
		return count{start, end + 1, n}, true
	case r.countable(end) && n > 1 && !r.clock.at[r.word(start-1)]:
		return count{start, end + 1, n}, true
	case r.tag == "en" && n > 1 && p.pairs[r.word(end+1)] && !r.clock.at[r.word(start-1)] && !r.known[r.word(end)]: // three hungry students
		return count{start, end + 2, n}, true
	case led > 0 && !counted[r.word(end)] && !r.clock.hourWords[r.word(end)] && !r.clock.minute[r.word(end)] && !r.clock.past[r.word(end)] && !r.clock.before[r.word(end)]:
		return count{start, end, n}, true
	}
	return count{}, false
}

// company reports whether a number sums up who was named: "me and my lad, so two".
func (r clockReader) company(i int) bool {
	const most = 5
	if w := r.word(i - 1); w != "so" && w != "also" {
		return false
	}
	for k := i - 2; k >= 0 && k >= i-2-most; k-- {
		if w := r.word(k); (w == "me" || w == "i" || w == "myself" || w == "ich") && (r.word(k+1) == "and" || r.word(k+1) == "und") {
			return true
		}
	}
	return false
}

// itemised reads a number behind its noun, as in a list: "passengers four", "number of
// people, it is two".
func (r clockReader) itemised(i int) (count, bool) {
	if !r.people.nouns[r.word(i)] {
		return count{}, false
	}
	to := i + 1
	for to < i+3 && equates[r.word(to)] {
		to++
	}
	n, words := r.number(to)
	end := to + words
	next := r.word(end)
	if words == 0 || n < 1 || n > mostPeople || r.clock.hourWords[next] || r.clock.am[next] || r.clock.pm[next] || r.unit(end) {
		return count{}, false
	}
	if _, minutes := r.number(end); minutes > 0 || r.clock.past[next] || r.clock.before[next] {
		return count{}, false
	}
	return count{i, end, n}, true
}

// equates are words between a noun and its number.
var equates = set("is it its are will be sind ist es")

// countable reports whether a word that is not known counts people: "three clarinettists".
// The number is read back.
func (r clockReader) countable(i int) bool {
	const shortest = 5
	w := r.word(i)
	return r.tag == "en" && len(w) >= shortest && strings.HasSuffix(w, "s") && !r.known[w] && !counted[w]
}

// amid are words between "we are" and a number.
var amid = set("noch then dann now actually only just about altogether jetzt doch nun nur inzwischen mittlerweile insgesamt also ja eh zusammen")

// listed reads people who are told one by one: "me and my wife", "three adults, two kids and a
// baby". Who speaks of themselves, or counts, lists all that travel.
func (r clockReader) listed(i int) (count, bool) {
	all, parts, counts, whole := 0, 0, false, false
	from := i
	for to := i; ; {
		joint := 0
		for parts > 0 && joins[r.word(to+joint)] {
			joint++
		}
		n, words, counted := r.traveller(to+joint, parts > 0 && joint > 0)
		if parts > 0 && joint == 0 && (whole || selves[r.word(to)]) { // three of us, me and my two lads
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
		last := r.word(to + joint + words - 1)
		whole = !r.people.pairs[last] && !kin[last] && !selves[last]
		all, parts, counts, to = all+n, parts+1, counts || counted, to+joint+words
	}
}

// traveller reads one part of a list of people. counts reports whether it tells how many there
// are: a number, or the caller.
func (r clockReader) traveller(i int, joined bool) (n, words int, counts bool) {
	if selves[r.word(i)] {
		return 1, 1, true
	}
	if g := r.people.groups[r.word(i+1)]; g > 0 && r.word(i) == "zu" {
		return g, 2, true
	}
	start := i
	for possessive[r.word(i)] || articles[r.word(i)] && r.word(i) != "and" && r.word(i) != "und" && r.word(i) != "of" {
		i++
	}
	if i > start || joined {
		if kin[r.word(i)] {
			return 1, i + 1 - start, false
		}
	}
	n, w := r.number(i)
	if w == 0 || n < 1 || n > mostPeople {
		return 0, 0, false
	}
	i += w
	if us := r.phrase(i, r.people.mostly); us > 0 {
		return n, i + us - start, true
	}
	for range 2 { // two small kids
		if r.people.pairs[r.word(i)] || r.people.nouns[r.word(i)] || kin[r.word(i)] || kin[strings.TrimSuffix(r.word(i), "s")] {
			return n, i + 1 - start, true
		}
		if !small[r.word(i)] {
			break
		}
		i++
	}
	if r.word(start-1) == "plus" && r.word(i) != "" && !counted[r.word(i)] && !r.unit(i) || r.word(start-1) == "plus" && i == len(r.said) {
		return n, i - start, true
	}
	return 0, 0, false
}

// carried is how many words name what people take along: "and a pushchair".
func (r clockReader) carried(i int) int {
	start := i
	for joins[r.word(i)] || articles[r.word(i)] {
		i++
	}
	if i > start && (counted[r.word(i)+"s"] || r.word(i) == "kinderwagen" || r.word(i) == "gepack" || r.word(i) == "luggage") {
		return i + 1 - start
	}
	return 0
}

var (
	joins  = set("and und plus with mit sowie")
	selves = set("me i myself ich")
	small  = set("small little young older other grown kleine kleinen weitere weiteren")
	kin    = set("wife husband mum mummy mam mom mother dad daddy father daughter son sister brother mate friend partner girlfriend boyfriend baby toddler infant nan nana gran granny grandma grandmother grandad grandpa grandfather grandson granddaughter kid child boy girl lad lass missus colleague neighbour boss aunt auntie uncle cousin niece nephew carer fiancee " +
		"frau mann mutter mama vater papa tochter sohn schwester bruder freund freundin partnerin oma opa grossmutter grossvater kleinkind säugling kind kollege kollegen kollegin enkel enkelin nachbar nachbarin tante onkel cousine chef freundinnen freunde")
)
