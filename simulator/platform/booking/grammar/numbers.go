package grammar

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/times"
)

// Each number has one owner: a time, a house, people, a label ("platform two") or a thing
// ("six quid"). What is a label or counts a thing says nothing of a trip.

// labels are words whose number is a name, such as "platform two", and no time, house or street.
var labels = lex.Set("platform room terminal flat gate bay ward floor level unit apartment apt suite door block section row bed  bus  junction exit route apartment gleis zimmer wohnung stock stockwerk etage tor bett linie ausgang abteilung tür stiege top")

// numbering are words whose "is" a house number follows.
var numbering = lex.Set("number nummer hausnummer house haus")

// labelsIn finds labels, and numbers that count things.
func (h *hearing) labelsIn() {
	r := h.reader(h.left)
	for i := range h.left {
		w := h.left[i]
		to := i + 1
		_, figures := r.Number(to)
		ward := h.Tag == "de" && w == "station" && (figures > 0 || firstOf(h.left, i-1) == "auf")
		if isSaid := r.Word(to) == "is" || r.Word(to) == "ist"; isSaid && numbering[w] { // the number is one oh three
			to++
		} else if h.Clock.Ordinals[w] > 0 && labels[r.Word(to)] { // on the fourth floor
			h.take(item{from: i, to: to + 1, kind: itemWords, sense: sense{class: filler}})
			continue
		} else if !labels[w] && !ward {
			continue
		}
		if next := r.Word(to); next == "number" || next == "nummer" {
			to++
		}
		_, n := r.Number(to)
		if len(r.Word(to)) == 1 && isLetter(r.Word(to)) && n == 0 { // gate b
			n = 1
		}
		for n > 0 && to+n < len(h.tokens) && !h.tokens[to+n].Pause { // room two one four
			_, more := r.Number(to + n)
			if more == 0 || r.Timed(to+n) {
				break
			}
			n += more
		}
		if n == 0 || r.Clock.HourWords[r.Word(to+n)] || r.Timed(to+n) {
			continue
		}
		if len(r.Word(to+n)) == 1 && isLetter(r.Word(to+n)) && r.Word(to+n) != "a" {
			n++
		}
		from := i
		if h.Gazetteer.has(w) && !ward {
			from = to
		}
		if from > 0 && (h.left[from-1] == "on" || h.left[from-1] == "auf" || h.left[from-1] == "in") {
			from--
		}
		h.take(item{from: from, to: to + n, kind: itemWords, sense: sense{class: filler}})
	}
}

// thing reports whether a bare number counts or names what the next word says, so that it is no
// time: "three percent", "14 Gibberish Road".
func (h *hearing) thing(p times.Piece) bool {
	w := firstOf(h.left, p.To)
	if w == "" || p.When.Part != times.Anytime || h.tokens[p.To].Pause {
		return false
	}
	r := h.reader(h.left)
	return times.Counted[w] || roads[w] || roads[firstOf(h.left, p.To+1)] && !leading[w] || h.unread(p.To) && !r.Timed(p.To)
}

// roads are words for kinds of streets.
var roads = lex.Set("steps yard quay market road street lane close avenue drive court gardens terrace crescent row way grove square walk hill place strasse weg allee gasse ring")

// unread reports whether a word is unknown: it is in no list and in no place's name.
func (h *hearing) unread(i int) bool {
	w := firstOf(h.left, i)
	if w == "" || h.Known[w] || lex.IsFigure(w) || h.Gazetteer.has(w) || h.adverbial(w) || h.inflected(w) {
		return false
	}
	_, drawn := h.contracted(w)
	return !drawn
}

// someDay reports whether a "one" in front of a part of a day says that it is any: "one morning".
func (h *hearing) someDay(p times.Piece) bool {
	w := h.said[p.To-1]
	if w != "one" && w != "eines" {
		return false
	}
	next := firstOf(h.said, p.To)
	return next == "morning" || next == "afternoon" || next == "evening" || next == "night" || next == "day" || next == "lunchtime"
}

// leftOver reports whether an unexplained number or fraction is next to a time, which was then understood only in part.
func (h *hearing) leftOver(it item) bool {
	const near = 2
	w := it.when.When
	for _, rest := range h.items {
		if rest.kind != itemRest || !h.isNumber(rest.text) || h.pauseBetween(rest.from, it) {
			continue
		}
		_, fraction := h.Numbers[rest.text]
		beside := rest.to == it.from || rest.from == it.to
		if !beside && (fraction || rest.to < it.from-near || rest.from >= it.to+near) {
			continue
		}
		if next := firstOf(h.said, rest.to); rest.to < it.from && (next == "no" || next == "nein") || rest.from == it.to && h.spellsAgain(rest.from, w) {
			continue
		}
		return true
	}
	return false
}

// spellsAgain reports whether figures behind a time say it once more: "four fifteen, one five".
func (h *hearing) spellsAgain(i int, w times.When) bool {
	var text strings.Builder
	for ; i < len(h.left) && h.isPart(i, itemRest); i++ {
		text.WriteString(strconv.Itoa(h.Numbers[h.said[i]]))
	}
	return text.String() == strconv.Itoa(w.Minute) || text.String() == strconv.Itoa(w.Hour)
}

// isNumber reports whether a word is a number or a fraction.
func (h *hearing) isNumber(w string) bool {
	if n, ok := h.Numbers[w]; ok {
		return n > 1
	}
	return lex.IsFigure(w) || slices.Contains(h.Clock.Half, w) || slices.Contains(h.Clock.HalfTo, w) || slices.Contains(h.Clock.Quarter, w) || w == "quarters" || w == "minus"
}

// pauseBetween reports whether there is a pause between a word and an item.
func (h *hearing) pauseBetween(i int, it item) bool {
	from, to := i+1, it.from
	if i >= it.to {
		from, to = it.to, i
	}
	for k := from; k <= to && k < len(h.tokens); k++ {
		if h.tokens[k].Pause {
			return true
		}
	}
	return false
}

// doubtTimes discards times that were understood only in part, and their days, so that they are asked for.
func (h *hearing) doubtTimes() {
	dated := slices.ContainsFunc(h.items, func(it item) bool { return it.kind == itemTime && (it.when.When.Day || it.when.When.Now) })
	for i, it := range h.items {
		if it.kind == itemRest && !dated && h.Is.IsZero() && h.Clock.Ordinals[it.text] > 3 && firstOf(h.said, it.from-1) == "the" { // the twelfth, of which nothing else was understood
			for k := range h.items {
				if w := &h.items[k].when.When; h.items[k].kind == itemTime && w.Clock {
					w.Undated = true
				}
			}
		}
		if it.kind != itemTime {
			continue
		}
		if it.when.Bare && h.isPart(it.to, itemRest) && !h.tokens[it.to].Pause {
			h.giveBack(i)
		} else if w := it.when.When; (w.Clock || w.In != 0) && h.leftOver(it) {
			h.unsure, h.items[i].kind, h.items[i].sense = true, itemWords, sense{class: filler}
		} else if h.dayUnread(it) {
			h.items[i].when.When.Undated, h.items[i].when.When.Day = true, false
		}
	}
}

// dayUnread reports whether a word that leads to a day, and what nothing explains, stands in
// front of a time: "on Shrovetide at nine", or behind it.
func (h *hearing) dayUnread(it item) bool {
	const most = 3
	for i := it.from - 1; i >= 0 && i >= it.from-most && h.isPart(i, itemRest); i-- {
		if before := firstOf(h.said, i-1); before == "on" || h.Tag == "de" && (before == "am" || before == "an") {
			return true
		}
	}
	if i := it.from - 1; h.isPart(i, itemRest) && !h.isNumber(h.said[i]) && it.to == it.from+1 && it.when.When.Part != times.Anytime && !it.when.When.Clock && !it.when.When.Day && !h.tokens[it.from].Pause {
		return true // St Patrick's night
	}
	next := firstOf(h.said, it.to)
	if it.when.When.Clock && !(story{h}).terse() && h.isPart(it.to, itemRest) && !h.tokens[it.to].Pause && h.unread(it.to) && !h.isNumber(next) { // nine the morn's morn
		return true
	}
	return (next == "on" || h.Tag == "de" && (next == "am" || next == "an")) && h.isPart(it.to+1, itemRest)
}

// giveBack treats a number that was read as a time as unknown, if it belongs to the unknown word after it: "from 8
// nowhere lane".
func (h *hearing) giveBack(i int) {
	it := h.items[i]
	h.items[i].kind, h.items[i].text = itemRest, strings.Join(h.said[it.from:it.to], " ")
	for _, p := range h.phrases[h.said[it.from]] {
		if it.to > it.from+1 && len(p.words) == 1 {
			h.items[i].from, h.items[i].text = it.from+1, strings.Join(h.said[it.from+1:it.to], " ")
			h.items = append(h.items, item{from: it.from, to: it.from + 1, kind: itemWords, sense: p.sense})
			return
		}
	}
}

// feastsIn finds named days before a part of the name is read as a place: "St Andrew's Day".
func (h *hearing) feastsIn() {
	r := h.reader(h.left)
	for i := range h.left {
		if p, ok := r.Feast(h.Now, i); ok {
			h.take(item{from: i, to: p.To, kind: itemTime, when: p})
			r.Said = h.left
		}
	}
}

// soleNumber returns the only number of an utterance without other content; 0 if there is none.
func (h *hearing) soleNumber() int {
	found := 0
	r := h.reader(h.said)
	for i := 0; i < len(h.said); i++ {
		n, length := r.Number(i)
		switch {
		case length > 0 && found > 0:
			return 0
		case length > 0:
			found, i = n, i+length-1
		case !h.minor(h.said[i]):
			return 0
		}
	}
	return found
}

// soleHouse returns the only house number of an utterance without other content; "" if there is none.
func (h *hearing) soleHouse() string {
	f := &finder{Gazetteer: h.Gazetteer, language: h.language, said: h.said, tokens: h.tokens}
	last, skip := "", 0
	for i := range h.said {
		if h.Asked == AskedHouse { // a one and then a two, twelve
			end := i + 1
			for end < len(h.said) && !h.behindComma(end) {
				end++
			}
			f.said = h.said[:end]
		}
		house, n := f.house(i)
		if n == 0 || i < skip || h.Asked == AskedHouse && house == "0" { // c l o s e
			continue
		}
		if last = house; h.Asked == AskedHouse {
			skip = i + n
			continue
		}
		rest := slices.Concat(h.said[:i], h.said[i+n:])
		if slices.ContainsFunc(rest, func(w string) bool { return !h.minor(w) && w != "number" && w != "nummer" }) {
			return ""
		}
		return house
	}
	return last
}

// minor reports whether a word has no meaning for a trip.
func (h *hearing) minor(word string) bool {
	return slices.ContainsFunc(h.phrases[word], func(p phrase) bool { return len(p.words) == 1 && p.sense.class == filler }) || lex.Articles[word]
}

// ordinal returns the only position that was named: 2 for "the second"; 0 if there is none or several.
func (h *hearing) ordinal() int {
	found := 0
	for _, word := range h.said {
		n, ok := h.Clock.Ordinals[word]
		if !ok {
			n, ok = h.Clock.Ordinals[word+"n"] // das zweite
		}
		switch {
		case !ok:
		case found > 0:
			return 0
		default:
			found = n
		}
	}
	return found
}
