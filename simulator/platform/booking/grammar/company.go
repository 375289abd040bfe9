package grammar

import (
	"slices"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/times"
)

// Who speaks of others beside themselves does not travel alone: "me and him indoors", "with my sister", "my wife, me, the
// in-laws". Unless all of them were counted, how many they are has to be asked.

// company reports whether others come along who were not counted.
func (h *hearing) company() bool {
	for i, w := range h.said {
		switch {
		case h.isPart(i, itemPeople):
			continue
		case personally[w] && (h.isJoined(i+1) && h.isCompanion(i+2) || h.isJoined(i-1) && h.isPerson(i-2)):
			return true
		case personally[w] && h.behindComma(i+1) && (h.isCompanion(i+1) || h.isNumbered(i+1)):
			return true
		case (w == "with" || w == "mit") && possessive[firstOf(h.said, i+1)] && h.isPerson(i+2):
			return true
		case (w == "pair" || w == "couple") && firstOf(h.said, i+1) == "of" && h.isGroup(i+2):
			return true
		}
	}
	return slices.ContainsFunc(h.items, func(it item) bool { // the two of us with the baby; my colleague and I, plus an apprentice; mother, one son and one baby
		next := firstOf(h.said, it.to)
		return it.kind == itemPeople && ((h.isJoined(it.to) && h.isCompanion(it.to+1) || (next == "with" || next == "mit") && (h.isCompanion(it.to+1) || h.isPerson(it.to+1))) ||
			h.behindComma(it.from) && h.isPerson(it.from-1))
	})
}

// behindComma reports whether a word stands behind a comma, or a pause.
func (h *hearing) behindComma(i int) bool { return i > 0 && i < len(h.tokens) && h.tokens[i].Pause }

// isNumbered reports whether some of those that nobody counts otherwise are named: "two clients".
func (h *hearing) isNumbered(i int) bool {
	n, words := h.reader(h.said).Number(i)
	return words > 0 && n > 0 && n <= mostPeople && !h.timed(i) && !h.placed(i) && !times.Counted[firstOf(h.said, i+words)]
}

// isJoined reports whether a word joins people.
func (h *hearing) isJoined(i int) bool {
	w := firstOf(h.said, i)
	return w == "and" || w == "und" || w == "plus"
}

// isCompanion reports whether somebody else is named from a word on: a pronoun, or a noun of kin or one that nobody knows
// behind an article.
func (h *hearing) isCompanion(i int) bool {
	w := firstOf(h.said, i)
	if h.placed(i) || h.timed(i) {
		return false
	}
	if lex.Articles[w] && w != "and" && w != "und" && w != "of" || possessive[w] || w == "ma" {
		next := firstOf(h.said, i+1)
		return h.isPerson(i+1) || next != "" && !h.Known[next] && !h.placed(i+1) && !h.timed(i+1) && !lex.IsFigure(next)
	}
	return companions[w] || kin[w]
}

// isPerson reports whether a word is a person: kin, or a pronoun.
func (h *hearing) isPerson(i int) bool {
	w := firstOf(h.said, i)
	return companions[w] || (kin[w] || kin[strings.TrimSuffix(w, "s")] || h.people.pairs[w]) && !h.placed(i) && !h.timed(i)
}

// isGroup reports whether people are named within a few words: "us", "old pensioners".
func (h *hearing) isGroup(i int) bool {
	const most = 3
	for k := i; k < i+most; k++ {
		if w := firstOf(h.said, k); w == "us" || h.people.pairs[w] || h.people.nouns[w] || kin[strings.TrimSuffix(w, "s")] {
			return true
		}
	}
	return false
}

// peopleAsked takes the first number for that of the people, if it was asked for.
func (h *hearing) peopleAsked() {
	if h.Asked != AskedPeople || slices.ContainsFunc(h.items, func(it item) bool { return it.kind == itemPeople }) {
		return
	}
	for i := range h.left {
		n, words := h.reader(h.left).Number(i)
		if both[h.left[i]] {
			n, words = 2, 1
		}
		if words > 0 && n > 0 && n <= mostPeople {
			h.take(item{from: i, to: i + words, kind: itemPeople, n: n})
			return
		}
	}
}

var (
	personally = lex.Set("me myself meself ich")
	companions = lex.Set("him her them")
	both       = lex.Set("both beide beiden")
)
