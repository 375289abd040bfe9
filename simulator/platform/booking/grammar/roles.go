package grammar

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/people"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/times"
)

// A trip is often told with times of something else: "my train goes at six, so pick me up at
// half past five", "I have been waiting ten minutes". Only the time of the pickup is that of the
// trip.

// role is the event that a time belongs to.
type role uint8

const (
	pickupTime  role = iota
	eventTime        // the train goes, the appointment is: they are fetched earlier
	arrivalTime      // they have to be there by then, likewise
	overTime         // the film ends, the train gets in: they are fetched then, or later
	pastTime         // it was, ago, since
	lengthTime       // how long something takes
	backTime         // of the way back
)

var (
	eventNouns = lex.Set("train flight plane film movie show play match game gig concert kickoff kick appointment meeting interview exam lecture class lesson seminar conference funeral wedding service mass ceremony ferry boat coach bus dinner table shift doors curtain checkin boarding scan checkup reservation showing performance screening sailing slot surgery operation party bingo dentist hairdresser " +
		"zug flug flieger maschine film vorstellung spiel anpfiff termin arzttermin besprechung sitzung unterricht vorlesung prüfung schicht dienst unterrichtsschluss schulschluss dienstschluss unterrichtsbeginn schulbeginn dienstbeginn feierabend konzert fähre bahn hochzeit trauung beerdigung einlass anschlusszug zahnarzttermin")
	eventVerbs = lex.Set("departing office is s at for by it goes go leaves leave departs starts start begins begin kicks off offs takes on opens boards calls my the our a an one of and gets into in due about around well be ill im itself there then before actually selbst selber dann erst eigentlich geht ging fährt fahrt fliegt startet beginnt fängt fangt ist um gegen ab schon der die das mein meine am an im wird punkt genau so spätestens bis vor da work no later than latest")
	eventEnds  = lex.Set("finishes finished finish finishing ends ended end over out lands landed land landing arrives arrived done closes close knock aus vorbei endet ende landet gelandet kommt  schluss fertig")
	fetching   = lex.Set("pick picked pickup collect collected fetch come send taxi cab car book booked order want need me us so then say please hol holt holen abholen abholung schicken taxi wagen brauche brauch also dann")
	arriving   = lex.Set("arrive arriving reach arrival due expected wanted needed required ankunft")
	attending  = lex.Set("attend attending give giving catch catching")
	told       = lex.Set("i we ive weve had")
	brought    = lex.Set("drop take bring have")
	beginning  = lex.Set("start starts begin begins open opens")
	pastVerbs  = lex.Set("was were been had went left came dropped missed waited war waren hatte hatten gewesen wurde gefahren gekommen")
	cars       = lex.Set("taxi cab car driver vehicle minicab wagen auto fahrer")
	servants   = lex.Set("you someone somebody anyone anybody sie ihr jemand jemanden")
	calling    = lex.Set("wants want needs need expects expect")
	obliging   = lex.Set("to must should gotta ought")
	whom       = lex.Set("me us him her them")
	goalward   = lex.Set("in at on there home by outside with")
	upward     = lex.Set("up down over out back round across")
	reached    = lex.Set("to there in into home")
	longish    = lex.Set("waiting wait waited been stood standing sat sitting here only last lasted takes took take since warte wartet warten gewartet stehe steht stehen seit dauert sitze")
	lasting    = lex.Set("away job walk drive ride trip late early journey break old left behind delay weg entfernt entfernung spät verspätung alt lang long gewartet gedauert gebraucht")
)

// timeRoles finds out which event each time belongs to.
type timeRoles struct{ *hearing }

// roles discards the times that are not the pickup's. Without a pickup time, a time at which the caller must be
// somewhere is stored as the arrival.
func (h timeRoles) roles() {
	kind := map[int]role{}
	own := false
	slices.SortFunc(h.items, func(a, b item) int { return cmp.Compare(a.from, b.from) })
	var other times.When // the time of something else
	for i, it := range h.items {
		if it.kind != itemTime {
			continue
		}
		if w := it.when.When; w.Clock && w.Hour == times.AnyHour && other.Clock { // it gets in at ten past six: fetch me at twenty past
			h.items[i].when.When = w.Over(times.When{Clock: true, Hour: other.Hour, Minute: other.Minute, Exact: other.Exact})
		}
		if it.when.When.Clock {
			other = it.when.When
		}
		if kind[i] = h.roleOf(it); kind[i] == pickupTime && (it.when.When.Clock || it.when.When.In != 0 || it.when.When.Now && !it.when.When.Weak) {
			own = true
		}
	}
	for i, r := range kind {
		for k, beside := range h.items { // at nine this morning
			if _, of := kind[k]; (r == pastTime || r == backTime || r == overTime && own) && of && kind[k] == pickupTime && !beside.when.When.Clock && beside.when.When.In == 0 && !beside.when.When.Now && (beside.from == h.items[i].to || beside.to == h.items[i].from) {
				kind[k] = pastTime
			}
		}
	}
	for i, r := range kind {
		it := &h.items[i]
		switch {
		case r == pickupTime, r == overTime && !own:
			continue
		case r == backTime:
			h.back = true
		case !own && (r == eventTime || r == arrivalTime):
			h.arrival = it.when.When.Over(h.arrival)
		}
		it.kind, it.sense = itemWords, sense{class: filler}
	}
}

// roleOf returns the event that a time belongs to, by the words around it.
func (h timeRoles) roleOf(it item) role {
	w := it.when.When
	switch {
	case it.when.Past:
		return pastTime
	case h.since(it.from), w.Day && !w.Clock && (h.leading(it.from) == "war" || h.leading(it.from) == "was"): // das war der Sonntag
		return pastTime
	case it.when.Length:
		return h.lengthOf(it)
	case h.returning(it.from):
		return backTime
	case w.Clock:
		return h.eventOf(it)
	}
	return pickupTime
}

// since reports whether a time is when a state began: "I have been here since five this morning".
func (h timeRoles) since(i int) bool {
	for i > 0 {
		if w := h.said[i-1]; w == "since" || w == "seit" {
			return true
		}
		before := slices.IndexFunc(h.items, func(it item) bool { return it.kind == itemTime && it.to == i })
		if before < 0 {
			return false
		}
		i = h.items[before].from
	}
	return false
}

// lengthOf returns whether a duration without "in" is how long something takes.
func (h timeRoles) lengthOf(it item) role {
	const most = 8
	if before := firstOf(h.said, it.from-1); before == "for" || before == "fur" || before == "seit" || (before == "by" || before == "um") && !slices.ContainsFunc(h.said, func(w string) bool { return backward[w] || forward[w] }) {
		return lengthTime
	}
	if unit := firstOf(h.said, it.to-1); lasting[firstOf(h.said, it.to)] || (unit == "minute" || unit == "hour") && h.Numbers[h.said[it.from]] > 1 && it.to == it.from+2 {
		return lengthTime
	}
	for i := it.from - 1; i >= 0 && i >= it.from-most && !h.tokens[i+1].Pause; i-- {
		if longish[h.said[i]] {
			return lengthTime
		}
	}
	clock := func(other item) bool {
		return other.kind == itemTime && other.when.When.Clock && (h.Asked != AskedTime || other.to < it.from)
	}
	if !h.ReadBack && (h.Asked != AskedTime && h.Tag == "de" || h.Is.IsZero() && slices.ContainsFunc(h.items, clock)) { // without "in"
		return lengthTime
	}
	return pickupTime
}

// returning reports whether the way back is told in front of a time: "and home again at".
func (h timeRoles) returning(i int) bool {
	const most = 9
	if before := firstOf(h.said, i-3); ways[firstOf(h.said, i-1)] && (before == "hin" || before == "there") {
		return false // there and back, tomorrow at ten
	}
	earlier := slices.ContainsFunc(h.items, func(it item) bool {
		return it.kind == itemTime && it.to < i && (it.when.When.Clock || it.when.When.Now)
	})
	if earlier && h.wayBack(i) {
		return true
	}
	again := false
	for k := i - 1; earlier && k >= 0 && k >= i-most && !h.timed(k); k-- {
		w := h.said[k]
		if again = again || ways[w] && w != "home" || w == "again"; again && (w == "and" || w == "then" || w == "und" || w == "dann") {
			return true
		}
	}
	for i--; i >= 0 && (h.said[i] == "again" || h.said[i] == "home" || h.said[i] == "here" || h.said[i] == "wieder" || ways[h.said[i]] || h.said[i] == "at" || h.said[i] == "um"); i-- {
		if next := firstOf(h.said, i-1); ways[h.said[i]] && (earlier && h.tokens[i].Pause || next == "and" || next == "then" || next == "und" || next == "dann" || next == "wieder") {
			return !slices.Contains(h.said[:i-1], "pick") || slices.ContainsFunc(h.items, func(it item) bool { return it.kind == itemTime && it.to < i })
		}
	}
	return false
}

// wayBack reports whether the way back stands behind a time: "um sechs wieder zurück".
func (h timeRoles) wayBack(i int) bool {
	const most = 4
	for k := i; k < len(h.said) && k < i+most; k++ {
		if w := h.said[k]; (w != "home" && w != "heim" || h.said[k-1] == "wieder" || h.said[k-1] == "again") && ways[w] {
			return true
		} else if !h.timed(k) && w != "wieder" && w != "again" && w != "and" && w != "und" {
			return false
		}
	}
	return false
}

// ways are words for the return trip.
var ways = lex.Set("back home return returning zurück retour rückfahrt heim")

// eventOf returns what happens at a time of the clock.
func (h timeRoles) eventOf(it item) role {
	const most = 12
	found := pickupTime
	if firstOf(h.said, it.from-1) == "bis" || h.due(it) || h.said[it.from] == "by" && h.ordersNothing(it.from) {
		return arrivalTime
	}
	for i := it.from - 1; i >= 0 && i > it.from-most; i-- {
		w := h.said[i]
		bare := strings.TrimSuffix(w, "s")
		switch {
		case h.placed(i) && h.placed(i+1): // the train station
		case (eventNouns[w] || eventNouns[bare]) && (!h.placed(i) || lex.Possessives[firstOf(h.said, i-1)]):
			if h.placed(i + 1) { // the bus station
				continue
			}
			if slices.ContainsFunc(h.said[max(i-2, 0):i], func(w string) bool { return eventEnds[w] && w != "in" }) {
				return overTime // I finish my shift at ten
			}
			if found == pickupTime {
				found = eventTime
			}
			return found
		case invited[w], w == "booked" && firstOf(h.said, i+1) == "in":
			return eventTime
		case pastVerbs[w] && h.pastAt(i), (w == "booked" || w == "ordered" || w == "rang") && told[firstOf(h.said, i-1)]:
			return pastTime
		case w == "there" && (firstOf(h.said, i-1) == "im" || firstOf(h.said, i-1) == "am" || firstOf(h.said, i-1) == "were"):
			return arrivalTime
		case beginning[w] && firstOf(h.said, i-1) != "to" && !h.served(i):
			found = eventTime
		case h.isPart(i, itemPeople) && !h.isPart(i, itemTime):
		case w == "be":
			return h.beAt(i, it)
		case (w == "get" || w == "getting") && (reached[firstOf(h.said, i+1)] || whom[firstOf(h.said, i+1)] && reached[firstOf(h.said, i+2)]):
			return arrivalTime
		case arriving[w] && (i == 0 || !h.served(i)), whom[w] && calling[firstOf(h.said, i-1)] && firstOf(h.said, i+1) == "at": // the doctor wants me at
			return arrivalTime
		case h.unread(i) && strings.HasSuffix(w, "s") && (i+1 == it.from || h.Clock.At[h.said[i+1]] && i+2 >= it.from): // soundcheck's at five
			found = eventTime
		case w == "to", whom[w] && (firstOf(h.said, i-1) == "get" || brought[firstOf(h.said, i-1)]): // get me to the station
		case brought[w] && whom[firstOf(h.said, i+1)] && (h.said[it.from] == "by" || firstOf(h.said, it.from-1) == "before" || w == "have" && firstOf(h.said, i+2) == "at"):
			return arrivalTime
		case h.timed(i) && !h.clocked(i): // my appointment tomorrow at ten
		case h.timed(i), fetching[w]:
			return max(found, h.afterwards(it))
		case eventEnds[w] && !h.placed(i), w == "gets" && firstOf(h.said, i+1) == "in", w == "comes" && firstOf(h.said, i+1) == "in":
			found = overTime
		case eventVerbs[w], upward[w], h.placed(i), attending[w], h.unread(i) && firstOf(h.said, i+1) == "at", h.Tag == "de" && (w == "von" || people.IsKin(w) || lex.Possessives[w] || h.unread(i)): // der Zug von meiner Kollegin geht um
		default:
			return max(found, h.afterwards(it))
		}
	}
	return max(found, h.afterwards(it))
}

// invited are words for an event that begins somewhere at a time.
var invited = lex.Set("invited eingeladen verabredet")

// due reports whether the caller has to be done with something by a time: "I need to be checked in by
// six", "ich muss um neun am Flughafen einchecken".
func (h timeRoles) due(it item) bool {
	from := h.clause(it.from)
	if h.said[it.from] == "by" {
		for k := from; k+2 < it.from; k++ {
			if obliging[h.said[k]] && h.said[k+1] == "be" && !h.served(k+1) {
				return true
			}
		}
	}
	to := it.to
	for to < len(h.said) && !h.tokens[to].Pause {
		to++
	}
	last := firstOf(h.said, to-1)
	return h.Tag == "de" && to > it.to && checking[last] && slices.ContainsFunc(h.said[from:to], func(w string) bool { return obliged[w] })
}

// ordersNothing reports whether a clause at the beginning of a call orders no taxi, and names none: "poolside by five".
func (h timeRoles) ordersNothing(i int) bool {
	if !story(h).atFirst() {
		return false
	}
	for k := h.clause(i); k < len(h.said) && (k <= i || !h.tokens[k].Pause); k++ {
		if w := h.said[k]; fetching[w] || fetches[w] || cars[w] || needing[w] {
			return false
		}
	}
	return h.clause(i) < i
}

// checking are verbs for what the caller must do somewhere at a time.
var checking = lex.Set("einchecken antreten anfangen erscheinen auftauchen vorsprechen aufschlagen reingehen")

// pastAt reports whether a verb tells of what was, and not of what is corrected: "it was nine".
func (h timeRoles) pastAt(i int) bool {
	w, before := h.said[i], firstOf(h.said, i-1)
	switch {
	case w == "was" && (before == "it" || before == "that" || before == "time"), w == "war" && (before == "es" || before == "das"), w == "left" && before == "have", w == "had" && before == "id":
		return false
	case w == "hatte" || w == "hatten" || w == "wurde":
		return h.tokens[i].Said == w
	}
	return true
}

// beAt returns whether the caller or the taxi has to be at a place at a time.
func (h timeRoles) beAt(i int, it item) role {
	next := i + 1
	if upward[firstOf(h.said, next)] {
		next++ // be up at the hospital
	}
	if h.served(i) || !goalward[firstOf(h.said, next)] {
		return pickupTime
	}
	if firstOf(h.said, next) == "there" && next+1 >= it.from || obliging[firstOf(h.said, i-1)] {
		return arrivalTime
	}
	return pickupTime
}

// served reports whether it is the taxi, or who sends it, that has to be somewhere.
func (h *hearing) served(i int) bool {
	const most = 5
	for k := i - 1; k >= 0 && k >= i-most && !h.tokens[k+1].Pause; k-- {
		switch w := h.said[k]; {
		case servants[w] || cars[w] || aboutTrip[w] && !lex.Possessives[firstOf(h.said, k-1)] || w == "there":
			return true
		case w == "i" || w == "we" || w == "she" || w == "he":
			return false
		}
	}
	return firstOf(h.said, i-1) == "" || firstOf(h.said, i-1) == "please"
}

// afterwards returns the event by the words after a time: "um neun muss ich da sein".
func (h timeRoles) afterwards(it item) role {
	const most = 9
	verbs := true
	for i := it.to; i < len(h.said) && i < it.to+most; i++ {
		verbs = verbs && !h.tokens[i].Pause // half four, the hairdresser is slow
		switch w := h.said[i]; {
		case w == "sein" && (h.said[i-1] == "da" || h.said[i-1] == "dort" || h.placed(i-1) || slices.ContainsFunc(h.said[:i], func(w string) bool { return w == "muss" || w == "mussen" || w == "musste" })), w == "ankommen", w == "eintreffen":
			return arrivalTime
		case (w == "bin" || w == "sind" || w == "ist") && slices.Contains(h.said[:it.from], "damit"):
			return arrivalTime
		case w == "be" && obliging[h.said[i-1]] && !h.served(i) && goalward[firstOf(h.said, i+1)]:
			return arrivalTime
		case w == "need" || w == "want":
			if firstOf(h.said, i+1) != "to" {
				return pickupTime
			}
		case h.timed(i):
			if h.clocked(i) {
				return pickupTime
			}
		case fetching[w] && w != "so" && w != "then":
			return pickupTime
		case eventNouns[w] && verbs && !h.placed(i) && !h.timedSoon(i): // the ten past six train; at ten is the appointment
			return eventTime
		case !eventVerbs[w] && !lex.Articles[w] && !lex.Possessives[w] && w != "einen" && w != "einem" && w != "einer":
			verbs = false
		}
	}
	return pickupTime
}

// clocked reports whether a word belongs to a time of the clock.
func (h *hearing) clocked(i int) bool {
	return slices.ContainsFunc(h.items, func(it item) bool {
		return it.kind == itemTime && i >= it.from && i < it.to && it.when.When.Clock
	})
}

// timedSoon reports whether an event is followed by a time of its own.
func (h timeRoles) timedSoon(i int) bool {
	const most = 4
	for k := i + 1; k <= i+most; k++ {
		if h.clocked(k) {
			return true
		}
	}
	return false
}

// placed and timed report whether a word belongs to a place, and to a time.
func (h *hearing) placed(i int) bool { return h.isPart(i, itemPlace) }

func (h *hearing) timed(i int) bool { return h.isPart(i, itemTime) }

func (h *hearing) isPart(i int, kind itemKind) bool {
	for _, it := range h.items {
		if it.kind == kind && i >= it.from && i < it.to {
			return true
		}
	}
	return false
}
