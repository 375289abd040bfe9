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
		c := r.added(start, end+1, n)
		if self := r.oneself(start); self > 0 { // me and two kids
			c.from, c.n = start-self, c.n+1
		}
		return c, c.n > 1
	case p.nouns[r.word(end)]:
		return count{start, end + 1, n}, true
	case r.countable(end) && n > 1 && !r.clock.at[r.word(start-1)]:
		return count{start, end + 1, n}, true
	case r.tag == "en" && n > 1 && p.pairs[r.word(end+1)] && !r.clock.at[r.word(start-1)] && !r.known[r.word(end)]: // three hungry students
		return count{start, end + 2, n}, true
	case led > 0 && r.word(end) != "taxis" && r.word(end) != "wagen" && !r.clock.hourWords[r.word(end)] && !r.clock.minute[r.word(end)] && !r.clock.past[r.word(end)] && !r.clock.before[r.word(end)]:
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
	return r.tag == "en" && len(w) >= shortest && strings.HasSuffix(w, "s") && !r.known[w]
}

// added adds children to adults.
func (r clockReader) added(from, to, n int) count {
	for r.word(to) == "and" || r.word(to) == "und" {
		more, words := r.number(to + 1)
		if r.word(to+1) == "a" {
			more, words = 1, 1
		}
		if words == 0 || !r.people.pairs[r.word(to+1+words)] {
			break
		}
		n, to = n+more, to+words+2
	}
	return count{from, to, min(n, mostPeople)}
}

// amid are words between "we are" and a number.
var amid = set("noch then dann now actually only just about altogether jetzt doch nun nur inzwischen mittlerweile insgesamt also ja eh zusammen")

// oneself is how many words in front of a number count the speaker: "me and two kids".
func (r clockReader) oneself(i int) int {
	n := 1
	if possessive[r.word(i-n)] {
		n++
	}
	if w := r.word(i - n); w != "and" && w != "und" && w != "plus" && w != "with" && w != "mit" {
		return 0
	}
	switch r.word(i - n - 1) {
	case "me", "i", "myself", "ich":
		return n + 1
	}
	return 0
}
