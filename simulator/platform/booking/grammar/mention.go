package grammar

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
)

// mention is a place that occurs in an utterance.
type mention struct {
	from, to int
	spot     Spot
	meant    bool // one word, that is only like its name
}

// finder finds places in an utterance; words that have been used are empty.
type finder struct {
	*Gazetteer
	*language
	said []string
	free []bool // a word that may be part of a name

	tokens []lex.Token // of said

	corrected map[string]string // words that were misheard, by what was heard
	read      [][]form          // the ways to read each word, once they were looked for
}

// places finds all places, from left to right, the longest first.
func (f *finder) places() []mention {
	var all []mention
	for i := 0; i < len(f.said); {
		m, ok := f.at(i)
		if !ok {
			i++
			continue
		}
		all = append(all, m)
		i = m.to
	}
	return all
}

// at returns the place that begins at a word; false if there is none.
func (f *finder) at(i int) (mention, bool) {
	house, n := f.house(i)
	if v, tens := f.Numbers[f.said[i]], f.Numbers[firstOf(f.said, i-1)]; n > 0 && v > 0 && v < 10 && tens >= 20 && tens%10 == 0 && !f.tokens[i].Pause {
		return mention{}, false // forty | three, thirty-four Station Road
	}
	if n > 0 && f.isTime(i) && !f.isHouse(i, n) {
		return mention{}, false
	}
	begin := i + n
	if n > 0 && begin < len(f.tokens) && f.tokens[begin].Pause && (f.Clock.At[firstOf(f.said, i-1)] || firstOf(f.said, i-1) == "since" || firstOf(f.said, i-1) == "seit") {
		return mention{}, false // at nine, Mill Lane
	}
	run := f.run(begin)
	if len(run.words) == 0 && run.kind == "" {
		return mention{}, false
	}
	if house == "" {
		if after, n := f.houseAfter(run.to); n > 0 && f.hasStreet(run) {
			house, run.to = after, run.to+n
		}
	} else if !f.hasStreet(run) {
		return mention{}, false // a number that belongs to something else
	}
	index, withHouse := f.best(run, house)
	if len(index) == 0 {
		return mention{}, false
	}
	m := mention{from: i, to: run.to, meant: run.meant && run.to == begin+1, spot: Spot{Index: index, Text: strings.Join(f.said[i:run.to], " ")}}
	if m.spot.numbered = house != ""; withHouse {
		m.spot.House = house
	}
	return m, true
}

// isTime reports whether a number belongs to a time that begins before it: "quarter past seven, college".
func (f *finder) isTime(i int) bool {
	const most = 3
	r := f.reader(f.said)
	for k := i - 1; k >= 0 && k >= i-most; k-- {
		if _, n := r.Number(k - 1); n > 1 {
			continue // forty | five minutes to
		}
		if got, ok := r.Fraction(k); ok && got.To > i {
			return true
		}
	}
	return false
}

// isHouse reports whether a number behind "to" is that of a house, and not the hour of a time
// that could begin in front of it: "in ten minutes to fourteen Mill Lane".
func (f *finder) isHouse(i, n int) bool {
	r := f.reader(f.said)
	within := r.Clock.Minute[r.Word(i-2)] && (r.Clock.Within[r.Word(i-4)] || r.Clock.Within[r.Word(i-5)])
	if hour, _ := r.Number(i); r.Word(i-1) != "to" || hour <= 12 && !within {
		return false
	}
	return f.hasStreet(f.run(i + n))
}

// stretch is a sequence of words that name one place.
type stretch struct {
	words []string // of names
	kind  string   // that was said
	heads []string // the words of that
	in    []int    // the places that have all of it
	exact bool     // a word was said as it is, or is long enough to be misheard
	like  bool     // a short word was misheard, which alone is none
	meant bool     // a word was only like one of its names
	to    int
}

// run returns the longest sequence of words from word i that some place has all of.
func (f *finder) run(i int) stretch {
	best, r := stretch{}, stretch{to: i}
	for r.to < len(f.said) {
		if r.to > i && f.tokens[r.to].Pause && f.stands(r) {
			break // the station, Station Road
		}
		next, ok := f.extend(r)
		if !ok {
			break
		}
		r = next
		if f.stands(r) {
			best = r
		}
	}
	return best
}

// stands reports whether the words of a sequence are enough to name a place.
func (f *finder) stands(r stretch) bool {
	if r.like && !r.exact {
		return false
	}
	if r.kind != "" && len(r.heads) > 0 {
		return true
	}
	strong, many := false, 0
	for _, w := range r.words {
		switch {
		case f.common[w]:
		case lex.WeakInNames[w] || roads[w]:
			many++
		default:
			strong = true
		}
	}
	return strong || many > 1
}

// extend adds the next word, or the next few, to a sequence.
func (f *finder) extend(r stretch) (stretch, bool) {
	i := r.to
	for skipped := 0; skipped < 3 && i < len(f.said) && (f.glue[f.said[i]] || r.kind == "rank" && f.said[i] == "vom") && (len(r.words) > 0 || r.kind != ""); skipped++ {
		if next, ok := f.word(r, i); ok { // it may be part of the name itself
			return next, true
		}
		i++
	}
	next, ok := f.word(r, i)
	if ok && i > r.to && !f.continues(r, next, i) {
		return r, false
	}
	return next, ok
}

// continues reports whether a word after an article belongs to the same place: it is in its name, or of the same kind.
// A rank is a separate place.
func (f *finder) continues(r, next stretch, i int) bool {
	if r.kind == "rank" {
		return true
	}
	if len(next.words) > len(r.words) && onlyCommon(next.words[len(r.words):], f.common) {
		return false
	}
	if len(next.heads) > len(r.heads) && r.kind != "" {
		for _, a := range f.aliases[f.said[i]] {
			if !a.joint && a.kind == r.kind {
				return true
			}
		}
		return false
	}
	return true
}

// word adds the word at index i to a sequence.
func (f *finder) word(r stretch, i int) (stretch, bool) {
	if i >= len(f.said) || f.said[i] == "" {
		return r, false
	}
	if next, ok := f.kindAt(r, i); ok {
		return next, true
	}
	for _, form := range f.forms(i) {
		if next, ok := f.narrowed(r, form.words, i+form.length); ok {
			next.meant = r.meant || form.meant
			next.like, next.exact = r.like || form.like, r.exact || !form.like && !lex.WeakInNames[form.words[0]] && !f.common[form.words[0]]
			return next, true
		}
	}
	return f.jointAt(r, i)
}

// form is a reading of one or two words as words of names.
type form struct {
	words  []string
	length int
	like   bool // a short word that was misheard
	meant  bool // it is only like them
}

// forms returns the readings of the word at i.
func (f *finder) forms(i int) []form {
	if f.read[i] == nil {
		f.read[i] = append([]form{}, f.readings(i)...)
	}
	return f.read[i]
}

func (f *finder) readings(i int) []form {
	word := normal(f.said, i)
	if f.articled(word) {
		return nil
	}
	var list []form
	if i+1 < len(f.said) && f.said[i+1] != "" {
		if two := word + f.said[i+1]; len(two) > 5 && (f.words[two] != nil || f.common[two]) {
			list = append(list, form{words: []string{two}, length: 2})
		} else if next := f.said[i+1]; len(two) > 7 && (f.words[word] == nil || !f.has(next) && !lex.IsFigure(next)) && f.free[i] && f.free[i+1] {
			if w := f.misheard(two); w != "" && !strings.HasPrefix(two, w) {
				list = append(list, form{words: []string{w}, length: 2})
			}
		}
		if both := word + " " + f.said[i+1]; both == "town hall" {
			list = append(list, form{words: []string{"townhall"}, length: 2})
		}
	}
	if f.words[word] != nil || f.common[word] {
		return append(list, form{words: []string{word}, length: 1})
	}
	if joined := f.joins[word]; joined != "" {
		return append(list, form{words: strings.Fields(joined), length: 1})
	}
	if f.free[i] {
		if w := f.misheard(word); w != "" {
			list = append(list, form{words: []string{w}, length: 1, like: len(word) < shortestSpelled, meant: true})
		}
	}
	return list
}

func (f *finder) articled(word string) bool { return lex.Articles[word] || len(word) < 2 }

// normal returns a word in the form in which names are compared.
func normal(said []string, i int) string {
	word := said[i]
	switch {
	case word == "st" && (i+1 < len(said) && said[i+1] != "" && !lex.Articles[said[i+1]]) && (i == 0 || !numeric(said, i)):
		return "saint"
	case word == "st", word == "str":
		return "street"
	case strings.HasSuffix(word, "str") && len(word) > len("str")+2:
		return word + "asse"
	}
	if long := lex.Abroad[word]; long != "" {
		return long
	}
	return word
}

// numeric reports whether a house number stands two words before.
func numeric(said []string, i int) bool {
	return i > 1 && said[i-2] != "" && said[i-2][0] >= '0' && said[i-2][0] <= '9'
}

// misheard returns the word of a name that a misheard word most likely was; "" if none is similar.
func (f *finder) misheard(word string) string {
	if len(word) < 3 || f.Known[word] || heads[word] || word[0] >= '0' && word[0] <= '9' {
		return ""
	}
	if w, done := f.corrected[word]; done {
		return w
	}
	found, like := f.Gazetteer.spell.Meant(word)
	if f.isKind(found) && (like < leastSpelled || len(word) < shortestSpelled) {
		found = "" // rang is no rank, and Grunde no ground
	}
	f.corrected[word] = found
	return found
}

// narrowed keeps only the places of a sequence that also have the given words.
func (f *finder) narrowed(r stretch, words []string, to int) (stretch, bool) {
	in := r.in
	first := len(r.words) == 0 && r.kind == ""
	for _, w := range words {
		if f.common[w] {
			if f.words[w] == nil {
				continue
			}
			// The town's own name goes with every place.
			continue
		}
		l := f.words[w]
		if l == nil {
			return r, false
		}
		if first && in == nil {
			in = l.places
		} else {
			in = intersect(in, l.places, r.in == nil && len(r.words) > 0)
		}
		if len(in) == 0 {
			return r, false
		}
	}
	return stretch{words: append(slices.Clone(r.words), words...), kind: r.kind, heads: r.heads, in: in, to: to}, true
}

// intersect returns what two lists have in common; all of the second where the first
// stands for every place.
func intersect(a, b []int, every bool) []int {
	if every {
		return b
	}
	var both []int
	for _, x := range b {
		if slices.Contains(a, x) {
			both = append(both, x)
		}
	}
	return both
}

// kindAt adds a word for a kind of place to a sequence.
func (f *finder) kindAt(r stretch, i int) (stretch, bool) {
	for _, a := range f.aliases[f.said[i]] {
		if a.joint || !lex.HasPrefix(f.said[i:], a.words) {
			continue
		}
		of := f.ofKind(a.kind)
		to := i + len(a.words)
		if r.kind != "" && r.kind != a.kind {
			of = f.named(a.words, of)
		}
		in := intersect(r.in, of, r.in == nil)
		if len(in) == 0 {
			continue
		}
		return stretch{words: r.words, kind: cmp.Or(r.kind, a.kind), heads: append(slices.Clone(r.heads), a.words...), in: in, to: to, exact: true, like: r.like, meant: r.meant}, true
	}
	return r, false
}

// ofKind returns the places of a kind, and those with its word in their names: "station" also finds a rank at the
// station.
func (f *finder) ofKind(kind string) []int {
	list := slices.Clone(f.byKind[kind])
	for _, s := range lex.KindsOfPlace {
		if s.Kind != kind {
			continue
		}
		for w := range strings.FieldsSeq(s.Names) {
			if l := f.words[w]; l != nil {
				for _, p := range l.places {
					if !slices.Contains(list, p) {
						list = append(list, p)
					}
				}
			}
		}
	}
	slices.Sort(list)
	return list
}

// named adds to a list the places whose names contain the words.
func (f *finder) named(words []string, of []int) []int {
	for _, w := range words {
		if l := f.words[w]; l != nil {
			for _, p := range l.places {
				if !slices.Contains(of, p) {
					of = append(of, p)
				}
			}
		}
	}
	return of
}

// jointAt adds a word that qualifies a kind: "train" before "station".
func (f *finder) jointAt(r stretch, i int) (stretch, bool) {
	for _, a := range f.aliases[f.said[i]] {
		if !a.joint {
			continue
		}
		if in := intersect(r.in, f.ofKind(a.kind), r.in == nil); len(in) > 0 {
			return stretch{words: r.words, kind: cmp.Or(r.kind, a.kind), heads: r.heads, in: in, to: i + 1, exact: r.exact, like: r.like, meant: r.meant}, true
		}
	}
	return r, false
}

// hasStreet reports whether a sequence may name a street, or a house in one.
func (f *finder) hasStreet(r stretch) bool {
	return slices.ContainsFunc(r.in, func(i int) bool { return f.entries[i].street || f.entries[i].house != "" })
}

// best returns the places that a sequence most likely means.
func (f *finder) best(r stretch, house string) (index []int, withHouse bool) {
	top := 0.0
	scores := make([]float64, len(r.in))
	for k, i := range r.in {
		scores[k] = f.score(r, f.entries[i], house)
		top = max(top, scores[k])
	}
	if top <= 0 {
		return nil, false
	}
	least := top - margin
	if top > 1-1e-9 {
		least = top - 1e-9
	}
	houses := slices.ContainsFunc(r.in, func(i int) bool { return !f.entries[i].street })
	for k, i := range r.in {
		if houses && house == "" && f.entries[i].street && top < 0.95 && scores[k] < top {
			continue // a street by itself is no place to be picked up at
		}
		same := func(j int) bool {
			return slices.Equal(f.entries[i].words, f.entries[j].words) && f.entries[i].house == f.entries[j].house
		}
		if scores[k] >= least && !slices.ContainsFunc(index, same) && len(index) < mostMeant {
			index = append(index, i)
		}
	}
	if len(index) == 0 {
		return nil, false
	}
	e := f.entries[index[0]]
	return index, house != "" && e.street
}

const (
	margin    = 0.12 // two places that are nearer to each other are equally likely
	mostMeant = 4
)

// score returns how well a place matches the words that were said, from 0 to 1. house is the number of the house that was said,
// or "".
func (f *finder) score(r stretch, e entry, house string) float64 {
	fit := 1.0
	switch {
	case house != "" && e.house == house:
	case house != "" && e.street && len(r.words) == 0 && !slices.ContainsFunc(r.heads, func(w string) bool { return slices.Contains(e.words, w) }):
		return 0 // seven, uni
	case house != "" && e.street:
		fit = 0.95 // the street of that house, after the house itself
	case house != "":
		return 0 // another door
	case e.street:
		fit = 0.6 // a street without a number, after the only house of it that is known
	case e.house != "":
		fit = 0.9
	}
	ranked := r.kind == "rank" || slices.Contains(r.words, "rank") || slices.Contains(r.words, "stand") || slices.Contains(r.heads, "rank")
	if e.rank && !ranked {
		fit *= 0.7
	}
	own := r.kind != "" && e.kind == r.kind
	if len(r.words) == 0 || onlyCommon(r.words, f.common) {
		if own {
			return fit // "the hotel": any of the kind
		}
	}
	sum, got := 0.0, 0.0
	for _, w := range e.words {
		weight := 1.0
		if f.common[w] {
			weight = 0.1
		}
		sum += weight
		if slices.Contains(r.words, w) || own && f.tellsKind(w, e.kind) || slices.Contains(r.heads, w) || r.kind != "" && f.tellsKind(w, r.kind) { // what a kind that was said is called in the name
			got += weight
		}
	}
	if sum == 0 {
		return 0
	}
	return fit * (0.1 + 0.9*got/sum)
}

func (f *finder) tellsKind(w, kind string) bool {
	for _, s := range lex.KindsOfPlace {
		if s.Kind == kind {
			return slices.Contains(strings.Fields(s.Names), w) || slices.Contains(strings.Fields(s.Joints), w)
		}
	}
	return false
}

func onlyCommon(words []string, common map[string]bool) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !common[w] })
}
