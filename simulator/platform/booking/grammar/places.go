package grammar

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
)

// A place is in doubt, and asked for, where what was said beside it may make it another one:
// what stands between the word that leads to it and its name ("to Manchester airport"), a noun
// behind it ("Saint Wilfrid's church"), a town ("the hospital in Carlisle"), another place that
// touches it, or a street without its number.

var (
	// aside are words that may stand between a preposition and a place's name without changing it.
	aside = lex.Set("the a an my our your his her their this that its um uh er erm eh ah oh hm like just please yeah yes well you know sort of kind so right actually bloody flipping flippin blooming damn fucking good old nearest closest main local big little same usual central city town new grand lovely famous place there here number train railway inside outside front back by at in near from to " +
		"der die das den dem des ein eine einen einem einer mein meine meinen meinem meiner äh ähm öh also na ja bitte nächste nächsten nächster gleich direkt hier da drüben unten oben alte alten große großen neue neuen vom zum zur am im dieses diesen diesem diese nummer zurück rum weg hin her los raus rein drin einmal vorlieb hause home bound real wieder other wrong falsche falsches falscher andere anderes anderer wie vorher")

	// heads are nouns after a name that make it the name of another place.
	heads = lex.Set("church chapel cathedral centre center hall halls hotel hostel inn club bank shop store supermarket gardens park market farm cafe restaurant library college academy school nursery bridge house court tower building factory warehouse office offices gym pool estate services hospice clinic walk road lane street close avenue drive terrace crescent row way grove square surgery dentist vets police depot junction services garage theatre cinema pub bar kirche kapelle zentrum halle hotel bank laden markt bibliothek akademie schule kindergarten brücke turm gebäude fabrik büro klinik praxis polizei werkstatt theater kino")

	// others are words that turn a kind of place into another kind: "bus" before "station".
	others = lex.Set("bus coach petrol gas filling service police fire power polling underground tube metro childrens kids private dental animal vet vets mental maternity womens rugby cricket athletics hockey tennis golf sports fair caravan trailer business industrial science retail garden leisure sport job health community conference call driving primary secondary infant junior sunday language riding dance music youth army naval military cargo tankstelle polizei feuerwehr bus kinder tier privat")
)

// placeDoubts finds the doubtful places in a hearing.
type placeDoubts struct{ *hearing }

// doubtPlaces clears the doubtful places, but keeps what they may be.
func (h placeDoubts) doubtPlaces() {
	for i, it := range h.items {
		if it.kind != itemPlace || len(it.spot.Index) == 0 {
			continue
		}
		switch words, doubt := h.placeDoubt(it); {
		case h.touches(i):
			next := h.touching(i)
			h.items[i].spot = Spot{Text: strings.Join(h.said[it.from:h.items[next].to], " "), Maybe: it.spot.Index[:1]}
			h.items[next].kind, h.items[next].sense = itemWords, sense{class: filler}
		case h.partOf(i):
			h.items[i].kind, h.items[i].sense = itemWords, sense{class: filler}
		case doubt:
			h.items[i].spot = Spot{Text: words, Maybe: it.spot.Index[:1]}
		case it.spot.House != "" && !h.ReadBack && h.houseLeft(it):
			h.items[i].spot.House, h.items[i].spot.Street = "", true
		case h.Gazetteer.numberless(it.spot) && !h.numberedElse(it.spot):
			h.items[i].spot.Street = true
		}
	}
}

// houseLeft reports whether a number that nothing explains stands behind a house, in the next clause: it may be the right one.
func (h placeDoubts) houseLeft(it item) bool {
	for _, rest := range h.items {
		if rest.kind != itemRest || !h.isNumber(rest.text) || rest.from < it.to {
			continue
		}
		return !slices.ContainsFunc(h.items, func(other item) bool {
			return (other.kind == itemPlace || other.kind == itemTime || other.kind == itemPeople) && other.from >= it.to && other.from < rest.from
		})
	}
	return false
}

// touches reports whether a place that a word leads to is followed by another one, with nothing
// in between: "to Northgate shopping centre".
func (h placeDoubts) touches(i int) bool {
	it, next := h.items[i], h.touching(i)
	if next >= 0 && it.from > 0 && h.said[it.from-1] == "the" && h.kindOnly(it) && h.kindOnly(h.items[next]) && !h.tokens[it.to].Pause {
		return true // the station hotel
	}
	if next < 0 || h.tokens[it.to].Pause || it.from == 0 || !h.leadsAt(it.from-1) {
		return false
	}
	other := h.items[next].spot
	return other.Known() && !overlap(it.spot, other) && !other.numbered && (!it.spot.numbered || h.Gazetteer.numberless(other))
}

// touching returns the index of the place that begins where another one ends; -1 if there is none.
func (h placeDoubts) touching(i int) int {
	to := h.items[i].to
	return slices.IndexFunc(h.items, func(it item) bool { return it.kind == itemPlace && it.from == to })
}

// partOf reports whether a place that was called by its kind is a part of the one behind it: "the eye clinic at the General".
func (h placeDoubts) partOf(i int) bool {
	const most = 5
	it, whole := h.items[i], item{from: len(h.said)}
	for _, other := range h.items {
		if other.kind == itemPlace && other.from >= it.to && other.from < whole.from {
			whole = other
		}
	}
	if !h.kindOnly(it) || whole.from-it.to > most || !whole.spot.Known() || overlap(it.spot, whole.spot) {
		return false
	}
	between, within := h.said[it.to:whole.from], partly[h.Tag]
	return slices.ContainsFunc(between, func(w string) bool { return within[w] }) &&
		!slices.ContainsFunc(between, func(w string) bool { return !within[w] && !lex.Articles[w] && h.Known[w] })
}

// partly are words between a part of a place and the place, by language.
var partly = map[string]map[string]bool{"en": lex.Set("at in up over down thats"), "de": lex.Set("im beim")}

// placeDoubt reports whether a place is doubtful, and returns the words that name it.
func (h placeDoubts) placeDoubt(it item) (words string, doubt bool) {
	begin, end := it.from, it.to
	if from, ok := h.before(it); ok {
		begin = from
	}
	if to, ok := h.behind(it); ok {
		end = to
	}
	if begin == it.from && end == it.to {
		return "", false
	}
	return strings.Join(h.said[begin:end], " "), true
}

// before finds doubtful words between a preposition and a place's name.
func (h placeDoubts) before(it item) (from int, doubt bool) {
	const most = 4
	from = it.from
	if lex.Articles[h.said[from]] {
		return from, false
	}
	for from > 0 && !h.resembles(from-1, it.spot) && !h.tokens[from].Pause && h.isPart(from-1, itemRest) && h.name(from-1) && !aside[h.said[from-1]] {
		from--
	}
	for from < it.from && from > 0 && saints[h.said[from-1]] {
		from-- // St Oswald's school
	}
	if from == it.from {
		k := from
		for k > 0 && saints[h.said[k-1]] {
			k--
		}
		if k > 0 && heads[h.said[k-1]] && h.isPart(k-1, itemRest) && !h.tokens[k].Pause {
			return k - 1, true // Kirche St. Wilfrid
		}
		if from > 0 && others[h.said[from-1]] && h.kindOnly(it) && !h.leadsAt(from-1) {
			return from - 1, true
		}
		return from, false
	}
	for i := from - 1; i >= 0 && i >= from-most; i-- {
		switch w := h.said[i]; {
		case h.leadsAt(i):
			return from, true
		case h.isOf(i, refuses, corrects):
			return from, true
		case h.tokens[i+1].Pause || !aside[w] && !lex.Articles[w] && !lex.Possessives[w]:
			return it.from, false
		}
	}
	return from, true
}

// resembles reports whether a word is like one of a place's name that was not said: "iel and
// anchor", "saint wilfs".
func (h placeDoubts) resembles(i int, s Spot) bool {
	const stem = 4
	said := h.said[i]
	return slices.ContainsFunc(h.Gazetteer.entries[s.Index[0]].words, func(w string) bool {
		if slices.Contains(h.said, w) || len(w) > lex.LongestWord || len(said) > lex.LongestWord {
			return false
		}
		return lex.Distance(said, w) <= max(len(w)/3, 1) || len(said) >= stem && strings.HasPrefix(w, said[:stem])
	})
}

// saints are words for "saint" in names.
var saints = lex.Set("st saint sankt santa")

// name reports whether an unknown word may be part of a name.
func (h placeDoubts) name(i int) bool {
	w := h.said[i]
	return !lex.IsFigure(w) && h.Numbers[w] == 0 && h.Clock.Ordinals[w] == 0 && !h.Gazetteer.has(w)
}

// kindOnly reports whether a place was named only by its kind.
func (h placeDoubts) kindOnly(it item) bool {
	w := h.said[it.from]
	return it.to == it.from+1 && h.Gazetteer.aliases[cmp.Or(lex.Abroad[w], w)] != nil
}

// leadsAt reports whether a word belongs to a phrase that introduces a place.
func (h *hearing) leadsAt(i int) bool {
	return h.isOf(i, from, to, goes, via, at, stands, collects, drops, sends)
}

// isOf reports whether a word belongs to a phrase of one of some classes.
func (h *hearing) isOf(i int, classes ...class) bool {
	return slices.ContainsFunc(h.items, func(it item) bool {
		return it.kind == itemWords && i >= it.from && i < it.to && slices.Contains(classes, it.sense.class)
	})
}

// behind finds a noun or a town after a place that makes it doubtful.
func (h placeDoubts) behind(it item) (to int, doubt bool) {
	i := it.to
	next := firstOf(h.said, i)
	if next == "" || h.tokens[i].Pause {
		return i, false
	}
	if h.isPart(i, itemRest) && !directions[next] && h.noun(i) && h.closes(i+1) && !h.resembles(i, it.spot) {
		return i + 1, true
	}
	if heads[next] && !h.placed(i) && !h.leadsAt(i) {
		return i + 1, true
	}
	if h.Tag == "en" && h.tokens[i].Upper && len(next) >= 4 && h.shortened(it) && !h.placed(i) && !h.leadsAt(i) && !h.timed(i) { // the Otter Housing office
		return i + 1, true
	}
	if (next == "at" || next == "near" || next == "bei") && i+1 < len(h.said) && h.tokens[i+1].Upper && h.isPart(i+1, itemRest) && h.name(i+1) && h.noun(i+1) {
		return i + 2, true // the airport at Teesside
	}
	if next != "in" && next != "von" && next != "of" {
		return i, false
	}
	if i+1 < len(h.said) && h.isPart(i+1, itemRest) && h.name(i+1) { // not the town's own name
		return i + 2, true
	}
	return i, false
}

// placesWithin treats a place after another one as its address if they match: "the University, College Walk side".
func (h *hearing) placesWithin() {
	for i := range h.items {
		place := h.items[i]
		if place.kind != itemPlace || len(place.spot.Index) != 1 || place.spot.numbered {
			continue
		}
		to := place.to
		for to < len(h.said) && (lex.Articles[h.said[to]] || h.said[to] == "on" || h.said[to] == "in") {
			to++
		}
		where := h.Gazetteer.entries[place.spot.Index[0]].where
		for k := range h.items {
			next := h.items[k]
			if next.kind != itemPlace || next.from != to || next.spot.numbered || overlap(place.spot, next.spot) {
				continue
			}
			if !slices.ContainsFunc(h.said[next.from:next.to], func(w string) bool { return !where[w] }) {
				h.items[k].kind, h.items[k].sense = itemWords, sense{class: filler}
			}
		}
		for k := range h.items { // at Quay Street, that is, in the Harbour View Hotel
			if street := h.items[k]; street.kind == itemPlace && street.to < place.from && street.to+4 >= place.from && !street.spot.numbered && len(street.spot.Index) > 0 && h.Gazetteer.numberless(street.spot) &&
				!slices.ContainsFunc(h.said[street.from:street.to], func(w string) bool { return !where[w] }) && !slices.ContainsFunc(h.said[street.to:place.from], func(w string) bool { return leading[w] || w == "and" || w == "und" }) {
				h.items[k].kind, h.items[k].sense = itemWords, sense{class: filler}
			}
		}
	}
}

// shortened reports whether only a part of a place's name was said.
func (h placeDoubts) shortened(it item) bool {
	return len(h.Gazetteer.entries[it.spot.Index[0]].words) > it.to-it.from
}

// closes reports whether the words about a place end before a word.
func (h placeDoubts) closes(i int) bool {
	return i >= len(h.said) || h.tokens[i].Pause || h.leadsAt(i) || h.timed(i) || h.placed(i) || polite[h.said[i]]
}

// polite are words that only ask for something.
var polite = lex.Set("please bitte be do really make it thanks thank you ta danke seien sie ganz recht sehr mach machen ja")

// noun reports whether an unknown word may be a noun, by its ending and what follows.
func (h placeDoubts) noun(i int) bool {
	w := h.said[i]
	if len(w) < 3 || aside[w] || !h.name(i) {
		return false
	}
	for _, ending := range []string{"ing", "ed", "ly", "nt", "ve"} {
		if h.Tag == "en" && strings.HasSuffix(w, ending) {
			return false
		}
	}
	if h.Tag == "de" && !h.tokens[i].Upper && (strings.HasSuffix(w, "en") || strings.HasSuffix(w, "t") || strings.HasSuffix(w, "e")) {
		return false
	}
	return true
}

// numberedElse reports whether the street was named with a number as well.
func (h placeDoubts) numberedElse(s Spot) bool {
	return slices.ContainsFunc(h.items, func(it item) bool {
		return it.kind == itemPlace && it.spot.numbered && slices.ContainsFunc(it.spot.Index, func(i int) bool { return slices.Contains(s.Index, i) || h.Gazetteer.sameStreet(i, s.Index[0]) })
	})
}

// sameStreet reports whether two places are in the same street, by their names.
func (g *Gazetteer) sameStreet(i, k int) bool {
	a, b := g.entries[i], g.entries[k]
	return (a.street || a.house != "") && (b.street || b.house != "") && slices.Equal(a.words, b.words)
}

// numberless reports whether a place is a street, or a house of one, and no number was said.
func (g *Gazetteer) numberless(s Spot) bool {
	if s.House != "" {
		return false
	}
	e := g.entries[s.Index[0]]
	return e.street || e.house != "" && !strings.ContainsAny(s.Text, "0123456789") && !s.numbered
}
