package grammar

import (
	"slices"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/people"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/times"
)

// Who speaks of others beside themselves does not travel alone: "me and him indoors", "with my sister", "my wife, me, the
// in-laws". Unless all of them were counted, how many they are has to be asked.

// party finds out who travels with the caller.
type party struct{ *hearing }

// company reports whether people come along whose number was not said.
func (h party) company() bool {
	if h.Asked != AskedPeople && h.surplus() {
		return true
	}
	if story(h).atFirst() && !h.counted() && h.speaksOfOthers() {
		return true
	}
	if titled := slices.DeleteFunc(slices.Clone(h.said), func(w string) bool { return !honorifics[w] || w == "miss" }); len(titled) > 1 && story(h).atFirst() && !h.counted() {
		return true // Mrs Okafor, Mr Dean and the caretaker
	}
	together := story(h).atFirst() && slices.ContainsFunc(h.said, func(w string) bool { return several[w] }) && !h.counted()
	for i, w := range h.said {
		switch {
		case h.isPart(i, itemPeople):
			continue
		case together && h.isPerson(i) && !people.Companions[w] && h.isDetermined(i) && lex.Possessives[h.said[i-1]]: // my mother, and we are
			return true
		case h.isSelf(i) && (h.isJoined(i+1) && (h.isCompanion(i+2) || h.isMore(i+2)) || h.isJoined(i-1) && (h.isPerson(i-2) || pronouns[firstOf(h.said, i-2)])):
			return true
		case h.isSelf(i) && h.isJoined(i-1) && h.isNamed(i-2) && (w != "ich" || h.ends(i+1)): // two nurses, one porter and me
			return true
		case h.isPerson(i) && !people.Companions[w] && (h.behindComma(i+1) && h.isCompanion(i+1) || h.isJoined(i+1) && h.isCompanion(i+2)): // a mum, a dad and a pram
			return true
		case (h.isSelf(i) || h.isPerson(i)) && (firstOf(h.said, i-1) == "theres" || h.determines(i-1) && firstOf(h.said, i-2) == "theres"): // there's me, there's my husband
			return true
		case (w == "with" || w == "mit") && alongside[firstOf(h.said, i+1)] && (h.ends(i+2) || h.isJoined(i+2)): // and I sit with her
			return true
		case h.isCouple(i), people.IsKin(w) && strings.HasSuffix(w, "s") && h.isNumber(firstOf(h.said, i-1)) && !h.placed(i): // two toddlers
			return true
		case h.isSelf(i) && h.behindComma(i+1) && (h.isCompanion(i+1) || h.isNumbered(i+1) || h.unread(i+1)):
			return true
		case story(h).atFirst() && h.isNumbered(i) && h.countsUnread(i): // two night cleaners
			return true
		case (w == "with" || w == "mit") && lex.Possessives[firstOf(h.said, i+1)] && (h.isPerson(i+2) || people.Both[firstOf(h.said, i+2)] && h.isPerson(i+3) || !h.Known[firstOf(h.said, i+2)] && !times.Counted[firstOf(h.said, i+2)] && people.Kin[firstOf(h.said, i+3)] && firstOf(h.said, i+3) != "mate"):
			return true
		case h.isSelf(i) && h.isCompanion(i+1) && lex.Possessives[firstOf(h.said, i+1)]: // for me my ma my da
			return true
		case (w == "pair" || w == "couple") && firstOf(h.said, i+1) == "of" && h.isGroup(i+2):
			return true
		}
	}
	return slices.ContainsFunc(h.items, func(it item) bool { // the two of us with the baby; my colleague and I, plus an apprentice; mother, one son and one baby
		next := firstOf(h.said, it.to)
		_, words := h.reader(h.said).Number(it.to)
		return it.kind == itemPeople && (words > 0 && h.behindComma(it.to) && h.behindComma(it.to+words) || h.behindComma(it.to) && !h.isPart(it.to, itemPeople) && (h.isCompanion(it.to) || lex.Articles[next] && h.isMore(it.to+1)) || (h.isJoined(it.to) && (h.isCompanion(it.to+1) || lex.Possessives[firstOf(h.said, it.to+1)] && !h.placed(it.to+2)) || (next == "with" || next == "mit") && (h.isCompanion(it.to+1) || h.isPerson(it.to+1))) ||
			h.isJoined(it.to) && h.isPart(it.to+1, itemRest) && !h.isNumber(firstOf(h.said, it.to+1)) || // two bridesmaids and muggins here
			h.behindComma(it.from) && (h.isPerson(it.from-1) || h.determines(it.from-2) && h.isPart(it.from-1, itemRest)))
	})
}

// speaksOfOthers reports whether a couple is named, or kin and somebody else, or somebody behind a "plus".
func (h party) speaksOfOthers() bool {
	for i, w := range h.said {
		if h.placed(i) || h.timed(i) {
			continue
		}
		joint := i
		if (people.IsKin(w) || h.people.Pairs[w]) && h.isDetermined(i) && h.isJoined(i+1) {
			joint++
		}
		if (w == "plus" || joint > i) && (h.isCompanion(joint+1) || h.isMore(joint+1)) || people.Couples[w] || w == "couple" && firstOf(h.said, i+1) != "of" && !times.Counted[firstOf(h.said, i+1)] {
			return true
		}
	}
	return false
}

// surplus reports whether the number of people is uncertain: others are named besides those counted, or the caller
// corrects the number while counting.
func (h party) surplus() bool {
	counted := slices.IndexFunc(h.items, func(it item) bool { return it.kind == itemPeople })
	if counted < 0 {
		return false
	}
	for i, w := range h.said {
		if h.isPart(i, itemPeople) || h.placed(i) || h.timed(i) {
			continue
		}
		if h.isPerson(i) && !people.Companions[w] && h.isDetermined(i) || h.isCouple(i) {
			return true
		}
		if h.isJoined(i) && !lex.Articles[firstOf(h.said, i+1)] && h.isMore(i+1) || h.isPart(i, itemRest) && h.isNumber(w) && h.isNumbered(i) {
			return true // for three, my mate and me
		}
	}
	for i, w := range h.said { // and the lodger is coming along
		if next := firstOf(h.said, i+1); (w == "coming" || w == "comes") && (next == "along" || next == "with" || next == "too") || w == "kommt" && (next == "mit" || next == "auch") {
			return true
		}
	}
	it := h.items[counted]
	return slices.ContainsFunc(h.said[h.clause(it.from):it.from], func(w string) bool { return w == "meant" || w == "supposed" || w == "sollten" })
}

// behindComma reports whether a word stands behind a comma, or a pause.
func (h *hearing) behindComma(i int) bool { return i > 0 && i < len(h.tokens) && h.tokens[i].Pause }

// isNamed reports whether a word may name those who come along.
func (h party) isNamed(i int) bool {
	return i >= 0 && !h.placed(i) && !h.timed(i) && !h.Known[h.said[i]]
}

// ends reports whether a clause ends in front of a word, or a place or a time follows.
func (h party) ends(i int) bool {
	return i >= len(h.said) || h.tokens[i].Pause || h.placed(i) || h.timed(i)
}

// isNumbered reports whether a word is a number that may count people: "two clients".
func (h party) isNumbered(i int) bool {
	n, words := h.reader(h.said).Number(i)
	return words > 0 && n > 0 && n <= people.Most && !h.timed(i) && !h.placed(i) && !times.Counted[firstOf(h.said, i+words)]
}

// isDetermined reports whether somebody is named who may come along, and is not addressed ("now, mate"), visited ("to my mum's"), or
// the owner of something ("my wife's birthday").
func (h party) isDetermined(i int) bool {
	before, w := firstOf(h.said, i-1), h.said[i]
	if lead := firstOf(h.said, i-2); leadsPlace[lead] || lead == "at" || lead == "bei" || lead == "zu" {
		return false
	}
	many := h.isNumber(before) || people.Both[before]
	return many || (people.Kin[w] || h.people.Pairs[w]) && (lex.Possessives[before] || lex.Articles[before] || h.isJoined(i-1))
}

// isCouple reports whether two people are named by one word: "ein Ehepaar".
func (h party) isCouple(i int) bool {
	before := firstOf(h.said, i-1)
	return (people.Couples[h.said[i]] || people.Couples[strings.TrimSuffix(h.said[i], "e")]) && !h.placed(i) && (people.Counting[before] || h.isNumber(before) || h.isJoined(i-1) || h.isJoined(i+1) || h.behindComma(i+1))
}

// isMore is isNumbered, and also true for "another two".
func (h party) isMore(i int) bool {
	return h.isNumbered(i) || firstOf(h.said, i) == "another" && h.isNumbered(i+1)
}

// isJoined reports whether a word joins people.
func (h party) isJoined(i int) bool {
	w := firstOf(h.said, i)
	return w == "and" || w == "und" || w == "plus"
}

// isCompanion reports whether another person is named at a word: a pronoun, or after an article a noun for kin or an
// unknown noun.
func (h party) isCompanion(i int) bool {
	w := firstOf(h.said, i)
	if h.placed(i) || h.timed(i) {
		return false
	}
	for h.determines(i) && (h.determines(i+1) || h.isNumber(firstOf(h.said, i+1)) && !strings.HasPrefix(firstOf(h.said, i+2), "year")) { // dem seine neue Freundin; my two flatmates
		i++
	}
	if h.isNumber(firstOf(h.said, i)) && i > 0 && lex.Possessives[h.said[i-1]] {
		return true
	}
	if h.determines(i) {
		next := firstOf(h.said, i+1)
		if h.isNumber(next) && strings.HasPrefix(firstOf(h.said, i+2), "year") { // the four-year-old
			return true
		}
		return h.isPerson(i+1) || people.Small[next] && w != "me" || h.people.Pairs[next] || h.people.Nouns[next] || next != "" && !h.Known[next] && !eventNouns[strings.TrimSuffix(next, "s")] && !h.placed(i+1) && !h.timed(i+1) && !lex.IsFigure(next)
	}
	return people.Companions[w] || people.Kin[w] || people.Both[w] || honorifics[w]
}

// countsUnread reports whether a number of two to eight counts what nothing explains: it may be people.
func (h party) countsUnread(i int) bool {
	n, words := h.reader(h.said).Number(i)
	if _, then := h.reader(h.said).Number(i + words); then > 0 { // two one to the visitors
		return false
	}
	if n < 2 || n > people.Seats || h.isPart(i, itemWords) || h.isPart(i-1, itemRest) && h.isNumber(firstOf(h.said, i-1)) {
		return false
	}
	return h.nounUnread(i+words) || !h.behindComma(i+words) && !h.isNumber(firstOf(h.said, i+words)) && !h.placed(i+words) && !h.timed(i+words) && h.nounUnread(i+words+1)
}

// nounUnread reports whether a word is a noun that nothing explains, and not of a new clause.
func (h party) nounUnread(i int) bool {
	w := firstOf(h.said, i)
	return (h.unread(i) || !h.plainly[w] && !h.isPart(i, itemWords) && !h.isNumber(w)) && !h.placed(i) && !h.timed(i) && !h.behindComma(i) && !times.Counted[w] && !roads[w] && len(w) > 3
}

// determines reports whether a word is an article or another determiner of a noun.
func (h party) determines(i int) bool {
	w := firstOf(h.said, i)
	return lex.Articles[w] && w != "and" && w != "und" && w != "of" || lex.Possessives[w] || w == "ma"
}

// isPerson reports whether a word is a person: kin, or a pronoun.
func (h party) isPerson(i int) bool {
	w := firstOf(h.said, i)
	return people.Companions[w] || (people.IsKin(w) || h.people.Pairs[w]) && !h.placed(i) && !h.timed(i)
}

// isGroup reports whether people are named within a few words: "us", "old pensioners".
func (h party) isGroup(i int) bool {
	const most = 3
	for k := i; k < i+most; k++ {
		if w := firstOf(h.said, k); w == "us" || h.people.Pairs[w] || h.people.Nouns[w] || people.Kin[strings.TrimSuffix(w, "s")] {
			return true
		}
	}
	return false
}

// peopleTotal uses the first or last number of an answer about people as their total: "two, me and my wife".
func (h party) peopleTotal() {
	if h.Asked != AskedPeople {
		return
	}
	n, words := h.reader(h.left).Number(0)
	if words > 0 && n > 0 && n <= people.Most && words < len(h.tokens) && h.tokens[words].Pause {
		h.take(item{from: 0, to: words, kind: itemPeople, n: n})
		return
	}
	last := len(h.left) - 1 // me, Kev and the two cousins, so four
	from := last
	for from > 0 && !h.tokens[from].Pause && summing[h.said[from-1]] {
		from--
	}
	if n, words := h.reader(h.left).Number(last); from > 0 && h.tokens[from].Pause && words > 0 && n > 1 && n <= people.Most {
		h.take(item{from: last, to: last + 1, kind: itemPeople, n: n})
		for i := range last {
			h.left[i] = ""
		}
	}
}

// recounts reports whether a number corrects the number of people said before: "we are two adults, no, three".
func (h party) recounts(i int) bool {
	if !h.refusedBefore(i) {
		return false
	}
	last, kind := -1, itemWords
	for _, it := range h.items {
		if it.to <= i && it.from > last && (it.kind == itemPeople || it.kind == itemTime || it.kind == itemPlace) {
			last, kind = it.from, it.kind
		}
	}
	n, _ := h.reader(h.said).Number(i)
	return kind == itemPeople && !slices.ContainsFunc(h.items, func(it item) bool { return it.kind == itemPeople && it.n == n })
}

// refusedBefore reports whether the word before one is a refusal or a correction.
func (h party) refusedBefore(i int) bool {
	switch firstOf(h.said, i-1) {
	case "no", "nein", "sorry", "actually", "moment", "quatsch", "nee", "rather", "mean", "make":
		return true
	}
	return false
}

// peopleAsked uses the first number as the number of people, if that was asked for.
func (h party) peopleAsked() {
	if h.Asked != AskedPeople || h.counted() {
		return
	}
	for i := range h.left {
		n, words := h.reader(h.left).Number(i)
		if next := firstOf(h.said, i+1); lex.Articles[h.left[i]] && next != "" && !h.people.Nouns[next] && !people.IsKin(next) { // ein normales Auto
			continue
		}
		if words > 0 && n > 0 && n <= people.Most {
			h.take(item{from: i, to: i + words, kind: itemPeople, n: n})
			return
		}
	}
	h.alone()
}

// alone sets the number of people to one if the caller says that nobody comes along: "just him", "bloß ich".
func (h party) alone() {
	if !h.Is.IsZero() || h.counted() {
		return
	}
	for i, w := range h.left {
		if n := i + 1 + btoi(h.determines(i+1)); only[w] && (h.isPerson(n) || h.isSelf(n)) && !h.isJoined(n+1) {
			h.take(item{from: i, to: n + 1, kind: itemPeople, n: 1})
			return
		}
	}
}

// counted reports whether a number of people was said.
func (h party) counted() bool {
	return slices.ContainsFunc(h.items, func(it item) bool { return it.kind == itemPeople })
}

// isSelf reports whether a word refers to the caller.
func (h party) isSelf(i int) bool {
	w := firstOf(h.said, i)
	return personally[w] || h.Tag == "de" && w == "i"
}

var (
	only       = lex.Set("just only nur bloss")
	personally = lex.Set("me myself meself ich mich")
	honorifics = lex.Set("mr mrs ms miss herr herrn frau dr doctor professor")
	several    = lex.Set("we were weve well us our wir uns unser unsere mia")
	alongside  = lex.Set("him her them ihm ihr ihnen")
	summing    = lex.Set("also so thats that makes macht sind insgesamt zusammen altogether total we are")
	pronouns   = lex.Set("he she er")
)
