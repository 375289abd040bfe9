package grammar

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/people"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/times"
)

// Hear returns the meaning of a spoken or written text, in the language of the conversation or in another one that
// leaves fewer words unexplained.
func Hear(text string, c Context) Utterance {
	said := lex.Tokenised(text)
	if c.Asked != AskedName { // a name is no dialect
		said = lex.Standards(said)
	}
	var best Utterance
	for i, l := range own(c.Language) {
		u := c.hear(l, said)
		if len(said) == lex.MostTokens || len(text) > lex.LongestSpeech {
			u.Rest = append(u.Rest, "…") // the end was not listened to
		}
		if i == 0 || len(u.Rest) < len(best.Rest) {
			best = u
		}
		if len(best.Rest) == 0 {
			break
		}
	}
	return best
}

// itemKind is the kind of an item.
type itemKind uint8

const (
	itemWords itemKind = iota
	itemPlace
	itemTime
	itemPeople
	itemName
	itemRest
)

// item is a part of an utterance.
type item struct {
	from, to int
	kind     itemKind
	sense    sense // of words
	spot     Spot
	when     times.Piece
	n        int
	text     string
}

// hearing is one reading of an utterance, in one language.
type hearing struct {
	Context
	*language

	tokens []lex.Token
	said   []string
	left   []string // what has not been taken for anything yet; "": it has
	items  []item

	arrival times.When // when the caller has to be somewhere, where no pickup was said
	back    bool       // a way back was told
	unsure  bool       // a time was said of which a part was not understood
}

func (c Context) hear(l *language, tokens []lex.Token) Utterance {
	words := make([]string, len(tokens))
	for i, t := range tokens {
		words[i] = t.Text
	}
	said := c.spelled(l, words)
	h := &hearing{Context: c, language: l, tokens: tokens, said: said, left: slices.Clone(said)}
	h.understand()
	f := folder{hearing: h}
	return f.fold()
}

// understand splits the words into items, in order.
func (h *hearing) understand() {
	h.labelsIn()
	h.feastsIn()
	h.phrasesIn(true)
	h.questionsIn()
	h.placesIn()
	h.placesWithin()
	party{h}.peopleTotal()
	h.peopleIn()
	party{h}.peopleAsked()
	h.timesIn()
	timeRoles{h}.roles()
	h.named()
	h.phrasesIn(false)
	h.restIn()
	h.housesAgain()
	journeys{h}.onlyFirst()
	h.doubtTimes()
	story{h}.toldTimes()
	if h.Gazetteer != nil {
		placeDoubts{h}.doubtPlaces()
	}
	slices.SortFunc(h.items, func(a, b item) int { return cmp.Compare(a.from, b.from) })
}

// spelled returns the words with those that are slightly misheard replaced by the likely ones.
func (c Context) spelled(l *language, said []string) []string {
	copied := false
	if c.Asked == AskedName {
		return said
	}
	for i, w := range said {
		if lex.IsFigure(w) || l.Known[w] || c.Gazetteer.has(w) || longish[w] || lasting[w] || pastVerbs[w] || eventNouns[w] || times.Counted[w] || people.Kin[w] || people.Ensembles[w] > 0 {
			continue
		}
		base, ok := l.contracted(w)
		if whole := w + "g"; !ok && strings.HasSuffix(w, "in") && l.Known[whole] { // in the mornin'
			base, ok = whole, true
		}
		if ok {
			if !copied {
				said, copied = slices.Clone(said), true
			}
			said[i] = base
			continue
		}
		if len(w) < shortestSpelled || l.inflected(w) {
			continue
		}
		meant, like := l.spell.MeantByFirst(w, leastSpelled)
		if meant == "" {
			continue
		}
		if c.Gazetteer != nil {
			if _, place := c.Gazetteer.spell.Meant(w); place >= like {
				continue
			}
		}
		if !copied {
			said, copied = slices.Clone(said), true
		}
		said[i] = meant
	}
	return said
}

// take adds an item and marks its words as used.
func (h *hearing) take(it item) {
	for i := it.from; i < it.to; i++ {
		h.left[i] = ""
	}
	h.items = append(h.items, it)
}

// phrasesIn finds the phrases, from left to right, the longest first.
func (h *hearing) phrasesIn(early bool) {
	for i := range h.left {
		if h.left[i] == "" {
			continue
		}
		if !early && h.things[h.left[i]] && h.leads(i) {
			continue
		}
		for _, p := range h.phrases[h.left[i]] {
			if p.early == early && lex.HasPrefix(h.left[i:], p.words) && !h.cuts(i, p) {
				h.take(item{from: i, to: i + len(p.words), kind: itemWords, sense: p.sense})
				break
			}
		}
	}
}

// cuts reports whether a phrase without meaning would end inside a duration: "make that | one hour later".
func (h *hearing) cuts(i int, p phrase) bool {
	last := i + len(p.words) - 1
	if p.sense.act == ActCancel && p.words[len(p.words)-1] == "nicht" && last+1 < len(h.left) { // not today, but tomorrow
		next := h.left[last+1]
		_, timed := h.reader(h.left).Piece(h.Now, last+1)
		return next != "" && (timed || leading[next] || next == "am" || next == "um")
	}
	if _, n := h.reader(h.left).Number(last + 1); n > 0 && h.left[last] == "point" { // one point five hours
		return true
	}
	if p.sense.class != filler || last == i || h.Numbers[h.left[last]] == 0 {
		return false
	}
	span, ok := h.reader(h.left).Span(h.Now, last)
	return ok && span.To > last+1
}

// leads reports whether the words before one make it the name of a place: "to my gran's", "zur Arbeit".
func (h *hearing) leads(i int) bool {
	for i--; i >= 0 && (lex.Articles[h.said[i]] || lex.Possessives[h.said[i]]); i-- {
	}
	return i >= 0 && (leading[h.said[i]] || h.left[i] != "")
}

// leading are prepositions that introduce a place.
var leading = lex.Set("to from into via at nach von vom zum zur zu ins bei beim")

func (h *hearing) placesIn() {
	if h.Gazetteer == nil {
		return
	}
	f := &finder{Gazetteer: h.Gazetteer, language: h.language, said: slices.Clone(h.left), free: make([]bool, len(h.left)), corrected: map[string]string{}, read: make([][]form, len(h.left)), tokens: h.tokens}
	for i, w := range h.left {
		f.free[i] = w != "" && !h.Known[w]
	}
	found := f.places()
	sure := len(slices.DeleteFunc(slices.Clone(found), func(m mention) bool { return m.meant }))
	for _, m := range found {
		if m.meant && sure > 1 { // two ends, and a footwell that is like a football ground
			continue
		}
		if h.Asked == AskedName && !h.tellsPlace(m) {
			continue
		}
		if to := h.somebody(m); to > 0 {
			h.take(item{from: m.from, to: to, kind: itemWords, sense: sense{class: filler}})
			continue
		}
		h.take(item{from: m.from, to: m.to, kind: itemPlace, spot: m.spot})
	}
}

// somebody returns the end of words that address or name a person and only resemble a place; 0 if they do not: "come on
// you Otters", "doktor Ebeling heißt er".
func (h *hearing) somebody(m mention) int {
	if m.to == m.from+1 && eventNouns[strings.TrimSuffix(h.said[m.from], "s")] && lex.Possessives[firstOf(h.said, m.from-1)] && !leadsPlace[firstOf(h.said, m.from-2)] {
		return m.to // my train's at ten
	}
	if off := firstOf(h.said, m.to+1); (firstOf(h.said, m.to) == "is" || firstOf(h.said, m.to) == "ist") && (off == "off" || off == "cancelled" || off == "shut" || off == "closed" || off == "zu" || off == "abgesagt") {
		return m.to + 2 // the pictures is off
	}
	if m.to == m.from+2 && titles[h.said[m.from]] && h.tokens[m.from+1].Upper {
		return m.to // Doctor Northgate
	}
	if m.to != m.from+1 {
		return 0
	}
	w := h.said[m.from]
	before := firstOf(h.said, m.from-1)
	first := before != "" && !h.Known[before] && !h.Gazetteer.has(before) && namesSome[firstOf(h.said, m.from-2)] // Miss Olive Northgate
	if first || namesSome[before] || before != "" && lex.Articles[before] && comparing[firstOf(h.said, m.from-2)] {
		return m.to // called Harbour, Doctor Northgate; so wie der Hafen
	}
	next := firstOf(h.said, m.to)
	switch {
	case titles[w] && m.to < len(h.said) && next != "" && !h.Known[next] && !h.Gazetteer.has(next) && !lex.IsFigure(next):
		return m.to + 1
	}
	return 0
}

// titles are titles of people that can also name a place.
var titles = lex.Set("doctor doktor")

// namesSome are words in front of the name of somebody, or of a thing, and comparing of one that is only like it.
var (
	namesSome = lex.Set("called named mr mrs ms miss dr doctor professor ward frau herr herrn familie namens doktor")
	comparing = lex.Set("like wie")
)

// tellsPlace reports whether the word before a place shows that it is one, although a name was asked for.
func (h *hearing) tellsPlace(m mention) bool {
	if m.from == 0 || len(m.spot.Index) != 1 {
		return false
	}
	i := m.from - 1
	if lex.Articles[h.left[i]] && i > 0 {
		i--
	}
	for _, p := range h.phrases[h.left[i]] {
		if len(p.words) == 1 && (p.sense.class == from || p.sense.class == to || p.sense.class == at) {
			return true
		}
	}
	return false
}

func (h *hearing) peopleIn() {
	defer party{h}.alone()
	for _, c := range (people.Reader{Reader: h.reader(h.left), People: h.people}).Counts() {
		h.take(item{from: c.From, to: c.To, kind: itemPeople, n: c.N})
	}
}

// timesIn finds the times. A bare number is a time if a time was asked for, or if another part of a time is next to it.
func (h *hearing) timesIn() {
	var plain, loose []times.Piece
	taken := map[int]bool{} // where parts of times begin and end
	whole := false          // a time was said that a bare number cannot be
	clock := false          // of the clock
	for i := 0; i < len(h.left); {
		p, ok := times.Piece{}, false
		if h.left[i] != "" {
			p, ok = h.reader(h.left).Piece(h.Now, i)
		}
		if ok && h.ReadBack {
			p.When = h.reader(h.left).OfMonth(p, h.Now, h.Is)
		}
		switch {
		case !ok:
			number, n := h.reader(h.left).Number(i)
			if n > 0 && h.restated(number) {
				h.take(item{from: i, to: i + n, kind: itemWords, sense: sense{class: filler}})
			}
			i += max(n, 1) // ninety nine is no nine
			continue
		case h.Asked == AskedHouse && h.numerical(h.said[p.From:p.To]) > 0: // one oh three, Station Road
			i = p.To
			continue
		case p.Bare && h.thing(p):
			i++
			continue
		case p.Bare && h.pronoun(p.To-1) && firstOf(h.said, p.To-2) == "for": // how long for one from the station
			i = p.To
			continue
		case p.Plain && h.someDay(p), p.When.Day && !p.When.Clock && slices.Contains(h.Clock.Weekdays, h.said[p.From]) && story{h}.anyDay(p.From):
			h.take(item{from: p.From, to: p.To, kind: itemWords, sense: sense{class: filler}})
		case p.Plain:
			plain = append(plain, p)
		case p.Loose:
			loose = append(loose, p)
		default:
			p.When.Weak = p.When.Weak || p.When.Now && !h.behindComma(p.To) && !h.ReadBack && story{h}.isWhere(p.To)
			if p.When.Weak && h.passing(p) {
				h.take(item{from: p.From, to: p.To, kind: itemWords, sense: sense{class: filler}})
				break
			}
			h.take(item{from: p.From, to: p.To, kind: itemTime, when: p})
			if !p.When.Now { // as soon as one is free
				taken[p.From], taken[p.To] = true, true
			}
			clock = clock || p.When.Clock
			whole = whole || p.When.Clock || p.When.In != 0 || p.When.Now && (!p.When.Weak || p.To == len(h.left) || h.left[p.To] == "for")
		}
		i = p.To
	}
	whole = whole || slices.ContainsFunc(plain, func(p times.Piece) bool { return taken[p.From] || taken[p.To] })
	for _, p := range loose {
		it := item{from: p.From, to: p.To, kind: itemTime, when: p}
		counted := slices.ContainsFunc(h.items, func(it item) bool { return it.kind == itemPeople })
		same := func(w times.When) bool { return w.Clock && w.Hour == p.When.Hour }
		if before := firstOf(h.said, p.From-1); before == "is" || before == "ist" || !h.Is.IsZero() && p.When.Fits(h.Now, h.Is) || slices.ContainsFunc(plain, func(o times.Piece) bool { return same(o.When) && !h.pronoun(o.From) }) || slices.ContainsFunc(h.items, func(it item) bool { return it.kind == itemTime && same(it.when.When) }) {
			counted = true // you have me down for nine; for seven, sorry, seven tomorrow
		}
		if (whole && !counted || p.When.Hour == h.People && !p.When.Fits(h.Now, h.Is)) && p.When.Hour > 0 && p.When.Hour <= people.Most {
			it.kind, it.n = itemPeople, p.When.Hour
		}
		h.take(it)
		taken[p.From], taken[p.To] = true, true
	}
	for _, p := range plain {
		if p.From > 0 && (h.said[p.From-1] == "not" || h.said[p.From-1] == "nicht") { // nine, not eight
			h.take(item{from: p.From, to: p.To, kind: itemWords, sense: sense{class: filler}})
			continue
		}
		if p.To == p.From+1 && h.said[p.From] == "one" && thatOne[firstOf(h.said, p.From-1)] && firstOf(h.said, p.From-2) != "make" && !h.clocks(p.To) {
			continue // that's the very one
		}
		if p.To == p.From+1 && h.pronoun(p.From) || h.told(p) || h.aged(p) || h.numberless() {
			h.take(item{from: p.From, to: p.To, kind: itemWords, sense: sense{class: filler}})
			continue
		}
		if n, words := h.reader(h.left).Number(p.From); words == p.To-p.From && n > 0 && (n == h.People || n <= people.Most && party{h}.recounts(p.From)) {
			h.take(item{from: p.From, to: p.To, kind: itemPeople, n: n})
			continue
		}
		if h.People > 0 && p.When.Minute == 0 && p.When.Hour <= people.Seats && !p.When.Fits(h.Now, h.Is) && (!h.movesTo(p.From) || (party{h}).refusedBefore(p.From)) && !taken[p.From] {
			continue // the people or the time: that is asked
		}
		if h.Asked == AskedTime && !whole || !h.Is.IsZero() && p.When.Fits(h.Now, h.Is) || !clock && (taken[p.From] || taken[p.To]) || h.partly(p.To) || h.movesTo(p.From) || p.When.Minute >= 10 && p.To-p.From > 1 {
			h.take(item{from: p.From, to: p.To, kind: itemTime, when: p})
		}
	}
}

// numberless reports whether a street was named without a house number, which a bare number may then be.
func (h *hearing) numberless() bool {
	return h.Asked == AskedNothing && h.Is.IsZero() && slices.ContainsFunc(h.items, func(it item) bool { return it.kind == itemPlace && h.Gazetteer.numberless(it.spot) })
}

// aged reports whether a bare number is somebody's age: "he turns seven today".
func (h *hearing) aged(p times.Piece) bool {
	if what := firstOf(h.said, p.To+1); firstOf(h.said, p.To) == "is" && (what == "when" || lex.Possessives[what]) { // six is when I feed the cat
		return true
	}
	switch firstOf(h.said, p.From-1) {
	case "turns", "turned", "turning", "aged", "age", "wird", "wurde":
		return true
	case "is", "hes", "shes", "ist":
		return h.Is.IsZero() && !aboutTrip[firstOf(h.said, p.From-2)] && h.Asked == AskedNothing
	}
	return false
}

// told reports whether a bare number repeats the read-back: a house number, or how many things are right ("all four").
func (h *hearing) told(p times.Piece) bool {
	const least = 10 // fewer may be people
	n, words := h.reader(h.left).Number(p.From)
	if words != p.To-p.From || h.Asked != AskedNothing {
		return false
	}
	before := firstOf(h.said, p.From-1)
	return n >= least && slices.Contains(h.Houses, n) && !h.movesTo(p.From) || (before == "all" || before == "alle") && !h.timed(p.To)
}

// partly reports whether a part of the day without a day begins at a word: "two | in the afternoon".
func (h *hearing) partly(i int) bool {
	return slices.ContainsFunc(h.items, func(it item) bool {
		return it.from == i && h.said[i] == "in" && it.kind == itemTime && it.when.When.Part != times.Anytime && !it.when.When.Day && !it.when.When.Clock
	})
}

// pronoun reports whether a "one" refers to a taxi: "book one for tomorrow morning".
func (h *hearing) pronoun(i int) bool {
	if w := h.said[i]; w != "one" && w != "eins" && w != "eine" && w != "einen" {
		return false
	}
	before, next := firstOf(h.said, i-1), firstOf(h.said, i+1)
	return obtaining[before] || slices.Contains(h.Clock.Weekdays, before) || before == "for" && (next == "from" || next == "to") || before == "the" && (next == "for" || next == "from" || next == "i" || next == "tomorrow" || next == "booked")
}

// thatOne are words in front of a "one" that refers to something: "the very one", "that one".
var thatOne = lex.Set("the that this which very other first last same")

// clocks reports whether a word makes the number before it a time: "one o'clock", "one thirty", "one p.m.".
func (h *hearing) clocks(i int) bool {
	w := firstOf(h.said, i)
	_, words := h.reader(h.said).Number(i)
	return words > 0 || h.Clock.HourWords[w] || h.Clock.Am[w] || h.Clock.Pm[w]
}

// obtaining are verbs whose object is a taxi.
var obtaining = lex.Set("theres youve youd got book booking order ordering need want wanna get have like reserve send fancy require after buche bestelle brauche brauch will möchte schick schicken hätte")

// restated reports whether a bare number repeats the read-back: the minutes until the trip, or a house number.
func (h *hearing) restated(n int) bool {
	const least = 5
	if h.Is.IsZero() {
		return false
	}
	in := int(h.Is.Sub(h.Now).Round(time.Minute) / time.Minute)
	return n >= least && n == in || n >= 2*least && n == h.Is.Minute() || slices.Contains(h.Houses, n)
}

// isWhere reports whether a clause says where the caller is: "right now I'm at the hotel", which is no time of a pickup.
func (h story) isWhere(i int) bool {
	w, next := firstOf(h.said, i), firstOf(h.said, i+1)
	return w == "im" || w == "were" || (w == "i" && next == "am" || w == "we" && next == "are" || w == "ich" && next == "bin" || w == "wir" && next == "sind" || w == "bin" && next == "ich")
}

// passing reports whether a weak "now" refers to the read-back and is no time: "now it is right", "ja jetzt stimmt es".
func (h *hearing) passing(p times.Piece) bool {
	if h.Is.IsZero() {
		return false
	}
	says := func(i int) bool {
		if i < 0 || i >= len(h.said) {
			return false
		}
		return states[h.said[i]] || slices.ContainsFunc(h.phrases[h.said[i]], func(p phrase) bool { return p.sense.class == agrees && len(p.words) == 1 && !yes[h.said[i]] })
	}
	return says(p.To) || states[firstOf(h.said, p.From-1)] && p.To < len(h.said)
}

// states are words that say how something is, and yes those that agree without.
var (
	states = lex.Set("it its that thats is ist es stimmt passt all everything so sind are")
	yes    = lex.Set("yes yeah yep ja jawohl jo ok okay sure aye please bitte")
)

func firstOf(said []string, i int) string {
	if i < 0 || i >= len(said) {
		return ""
	}
	return said[i]
}

// movesTo reports whether a bare number follows words that change a time to it: "make it nine", "to six", "auf sechs",
// "no, seven".
func (h *hearing) movesTo(i int) bool {
	if i == 0 {
		return false
	}
	switch h.said[i-1] {
	case "is", "its", "be", "them", "say":
		return i > 1 && (!h.Is.IsZero() || aboutTrip[h.said[i-2]])
	case "to", "by", "it", "that", "auf", "lieber", "no", "nein", "sorry", "mean", "actually", "besser", "until", "till":
		return i > 1 || h.said[i-1] == "no" || h.said[i-1] == "nein"
	}
	return false
}

// aboutTrip are subjects after which a number is the time of the trip.
var aboutTrip = lex.Set("time pickup it that lets zeit uhrzeit")

// restIn stores the words that have no known meaning.
func (h *hearing) restIn() {
	for i, w := range h.left {
		if _, ok := h.contracted(w); (ok || h.infinitive(i)) && h.Asked != AskedName {
			continue
		}
		if n := h.Clock.Ordinals[w]; n > 0 && !h.Is.IsZero() && n == h.Is.Day() {
			continue // the ninth
		}
		if w != "" && (!h.adverbial(w) && !h.inflected(w) || h.Asked == AskedName || h.led(i)) {
			h.items = append(h.items, item{from: i, to: i + 1, kind: itemRest, text: w})
		}
	}
}

// led reports whether an unknown word is the name of a place because of the words before it.
func (h *hearing) led(i int) bool {
	i--
	if i >= 0 && h.said[i] == "the" {
		return true
	}
	for ; i >= 0 && (lex.Articles[h.said[i]] || lex.Possessives[h.said[i]]); i-- {
	}
	return i >= 0 && leading[h.said[i]]
}

// infinitive reports whether a "to" belongs to a verb and not to a place: "about to die", "tell him to beep".
func (h *hearing) infinitive(i int) bool {
	return h.Tag == "en" && i > 1 && h.said[i-1] == "to" && verbal[h.said[i-2]]
}

// verbal are words after which "to" introduces a verb.
var verbal = lex.Set("him her them about got have has had need needs want wants ready able happy glad sure trying try time like supposed meant used due bound dying waiting willing loath afraid driver desperate keen hoping hope intend intending")
