package grammar

import (
	"slices"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
)

// The words of a clause say what a place is in it: where somebody is ("I'm the one with the case,
// on the steps of the Town Hall"), where they want to go ("it's the Town Hall I need to get to"), or
// a part of another journey ("and another at six to the airport").

var (
	// being are words of somebody who is at a place, and moving those of somebody who is to go there.
	being  = lex.Set("im am were are stood sat standing sitting waiting staying stopping stuck live living stay landed arrived finished finishing supping calling phoning bin sind stehe steh stehen stehn sitze sitz sitzen warte wart warten wohne wohn wohnen hocke hock")
	moving = lex.Set("going go goes want wants need needs needing meeting due expected off heading get getting travelling to wanted must should have has having late playing working performing appointment gotta like after will will möchte möchten muss müssen soll sollen sollte fahre fahren treffe treffen")
	// lives are verbs that the caller's own address follows.
	lives = lex.Set("live living wohne wohn wohnen daheim zuhause")
)

// where finds out from its clause what a place is, and journeys which of several trips is meant.
type (
	where    struct{ *folder }
	journeys struct{ *hearing }
)

// clause returns the index at which the clause of a word begins: after the last pause.
func (h *hearing) clause(i int) int {
	for i > 0 && !h.tokens[i].Pause {
		i--
	}
	return i
}

// present reports whether the clause before a word says that the caller is at the place that follows.
func (f where) present(begin int) bool {
	if f.said[begin] == "stopping" {
		return slices.ContainsFunc(f.said[f.clause(begin):begin], func(w string) bool { return callers[w] })
	}
	for k := begin - 1; k >= f.clause(begin); k-- {
		w := f.said[k]
		switch {
		case f.placed(k) || moving[w] && w != "am":
			return false
		case w == "im":
			return f.Tag == "en"
		case w == "am" || w == "are" || w == "were":
			before := firstOf(f.said, k-1)
			return f.Tag == "en" && (w == "were" && (k == 0 || f.tokens[k].Pause || before == "and") || before == "i" || before == "we")
		case being[w]:
			return f.Tag == "de" && (strings.HasSuffix(w, "e") || w == "bin") || slices.ContainsFunc(f.said[f.clause(begin):begin], func(w string) bool { return callers[w] })
		}
	}
	return false
}

// wasThere reports whether a place is only part of a story, as somewhere visited before: "I was in the park this
// morning", "you took my sister to the station".
func (f where) wasThere(it item, role class) bool {
	begin := it.from
	if !(story{f.hearing}).atFirst() {
		return false
	}
	if was := firstOf(f.said, it.to); (was == "was" || was == "were" || was == "war") && !f.tokens[it.to].Pause { // the station were last time
		return true
	}
	i := begin - 1
	for i > 0 && (lex.Articles[f.said[i]] || lex.Possessives[f.said[i]]) {
		i--
	}
	if before := firstOf(f.said, i-1); i > 0 && (role == at || role == 0 || role == stands) && (before == "was" || before == "war") && staying[f.said[i]] {
		return true
	}
	return role == to && slices.ContainsFunc(f.said[f.clause(begin):begin], func(w string) bool { return w == "took" })
}

// staying are words between "was" and a place.
var staying = lex.Set("in at im am bei beim")

// callers are words for the caller and those who travel along.
var callers = lex.Set("i im ive we weve us me ich wir uns mich mir")

// isWhere returns the role that the words after a place give it; 0: none. "Mill Lane is where we live".
func (f where) isWhere(i int) (role class) {
	if w := firstOf(f.said, i+1); firstOf(f.said, i) != "is" && firstOf(f.said, i) != "ist" || w != "where" && w != "wo" {
		return 0
	}
	for k := i + 2; k < len(f.said) && !f.tokens[k].Pause; k++ {
		switch w := f.said[k]; {
		case lives[w] && f.homeward(), moving[w]:
			return to
		case lives[w] || being[w]:
			return stands
		}
	}
	return 0
}

// homeward reports whether the caller wants to go home without saying where that is.
func (f where) homeward() bool {
	for i, w := range f.said {
		if (w == "home" || w == "heim" || w == "hause") && !f.placed(i) && (i+1 < len(f.tokens) && f.tokens[i+1].Pause || !f.placed(i+1) && !f.placed(i+2)) {
			return true
		}
	}
	return false
}

// postposed assigns to the last place the role that the words after it say: "it's the Town Hall I need to get to". It
// returns false if they say none.
func (f where) postposed(begin, end int) bool {
	last := len(f.u.Bare) - 1
	if last < 0 || begin-f.ended > 4 || f.u.Dropoff.Named() || begin < f.ended || slices.ContainsFunc(f.tokens[f.ended:begin], func(t lex.Token) bool { return t.Pause }) {
		return false
	}
	if next := firstOf(f.said, end); next != "" && !f.tokens[end].Pause && next != "and" && next != "from" && next != "please" && next != "now" && next != "und" {
		return false
	}
	f.u.Dropoff, f.u.Bare, f.last = f.u.Bare[last], f.u.Bare[:last], to
	return true
}

// onlyFirst discards a second trip, which is booked afterwards: "and another at six to the airport", "and then my
// husband to the station at nine".
func (h journeys) onlyFirst() {
	if h.ReadBack {
		h.otherCall()
	}
	if h.ReadBack || !h.Is.IsZero() {
		return
	}
	if i := h.secondTrip(); i > 0 {
		h.back = true
		h.drop(i, len(h.said))
		return
	}
	timed := func(it item) bool {
		w := it.when.When
		return it.kind == itemTime && (w.Clock || w.In != 0 || w.Now && !w.Weak)
	}
	for i := 1; i < len(h.said); i++ {
		marked, follows := another[h.said[i]] && h.joinedAt(i) && firstOf(h.said, i+1) != "way" && (h.said[i] != "one" && h.said[i] != "eins" || h.timed(i+1) || firstOf(h.said, i+1) == "from" || firstOf(h.said, i+1) == "for" && h.timed(i+2)), (h.said[i] == "then" || h.said[i] == "dann" || h.said[i] == "back" || h.said[i] == "home") && h.joinedAt(i)
		from := i
		if ways[h.said[i]] && !follows { // and could somebody fetch us home at four
			for k := i - 1; k > 0 && !h.timed(k) && !h.placed(k); k-- {
				if h.said[k] == "and" || h.said[k] == "und" || h.said[k] == "then" || h.said[k] == "dann" {
					follows, from = true, k
				}
			}
		}
		if !marked && !follows {
			continue
		}
		for from > 0 && (h.said[from-1] == "and" || h.said[from-1] == "und" || h.said[from-1] == "a" || h.said[from-1] == "the" || h.said[from-1] == "noch") {
			from--
		}
		before, behind, ends := 0, marked && firstOf(h.said, i+1) == "from", 0
		fixed := false
		for _, it := range h.items {
			switch {
			case it.from < from && it.kind == itemPlace:
				ends++
			case it.from < from && (timed(it) || it.kind == itemTime && it.when.When.Now):
				before++
			case it.from > i && (timed(it) || marked && firstOf(h.said, i+1) == "for" && it.kind == itemTime && it.when.When.Day):
				behind = true
			case it.from > i && it.kind == itemPeople && it.to == it.from+2 && h.said[it.from] == "for": // and back again for five
				behind = behind || follows && slices.ContainsFunc(h.said[i:it.from], func(w string) bool { return w == "again" || ways[w] })
			case it.kind == itemWords && (it.from < i && ends > 0 && (it.sense.class == corrects || it.sense.class == refuses) || it.sense.class == swaps || it.from > i && it.sense.class == via):
				fixed = true
			}
		}
		if fixed || !behind || ends == 0 && (!marked || before == 0) || follows && before == 0 || marked && before == 0 && ends < 2 && firstOf(h.said, i+1) != "from" && !slices.ContainsFunc(h.items, func(it item) bool { return it.kind == itemTime && it.when.When.Now && it.from > i }) {
			continue
		}
		to := len(h.said)
		if ends < 2 || before == 0 { // the rest is of the first one
			for to = i + 1; to < len(h.said) && !h.tokens[to].Pause; to++ {
			}
		}
		h.back = true
		h.drop(from, to)
		return
	}
}

// drop discards the items that begin between two words.
func (h journeys) drop(from, to int) {
	for k := range h.items {
		if it := &h.items[k]; it.from >= from && it.from < to {
			it.kind, it.sense = itemWords, sense{class: filler}
		}
	}
}

// secondTrip returns where the clause of a second trip begins, if both trips have both ends and the first has a time:
// "the hotel to the station at four, and on Friday the station to the airport"; 0 if there is none.
func (h journeys) secondTrip() int {
	const most = 4
	pairs, timed := 0, false
	last := -1
	for k, it := range h.items { // in their order
		switch it.kind {
		case itemTime:
			timed = timed || it.when.When.Clock || it.when.When.Now
		case itemWords:
			if it.sense.class == corrects || it.sense.class == refuses || it.sense.class == via {
				return 0
			}
		case itemPlace:
			between := []string{}
			if last >= 0 {
				between = h.said[h.items[last].to:it.from]
			}
			if last < 0 || len(between) > most || !slices.ContainsFunc(between, func(w string) bool { return toward[w] }) {
				last = k
				continue
			}
			if pairs++; pairs == 2 {
				if from := h.clause(h.items[last].from); timed && from > 0 {
					return from
				}
				return 0
			}
			last = -1
		}
	}
	return 0
}

// toward are words between the two ends of a trip.
var toward = lex.Set("to zum zur nach ins")

// otherCall discards the times in a clause about a later call, and restrictions to this one: "yes, just the going for
// now, I'll ring again for the Sunday".
func (h journeys) otherCall() {
	for k := range h.items {
		if it := &h.items[k]; it.kind == itemTime && it.when.When.Now && (h.said[it.from] == "for" || firstOf(h.said, it.from-1) == "for") {
			it.kind, it.sense = itemWords, sense{class: filler}
		}
	}
	for i, w := range h.said {
		if !ringing[w] {
			continue
		}
		for k := range h.items {
			if it := &h.items[k]; it.kind == itemTime && h.clause(it.from) == h.clause(i) {
				it.kind, it.sense = itemWords, sense{class: filler}
			}
		}
	}
}

// ringing are verbs for a call that is made later.
var ringing = lex.Set("ring phone ruf rufe anrufen melde")

func repeats(w string) bool { return w == "every" || w == "each" || strings.HasPrefix(w, "jede") }

// another are words that begin a second trip.
var another = lex.Set("another second one einmal eins zweite zweites zweiten other andere anderes")

// joinedAt reports whether a word follows "and" or a pause.
func (h journeys) joinedAt(i int) bool {
	for k := i - 1; k >= 0 && k >= i-2; k-- {
		if w := h.said[k]; w == "and" || w == "und" {
			return true
		}
	}
	return h.tokens[i].Pause
}

// onlyOne reports whether the caller agrees to book only one trip for now: "just the one there".
func (h journeys) onlyOne() bool {
	const most = 4
	for i, w := range h.said {
		if w != "just" && w != "only" && w != "nur" && w != "bloss" && w != "erst" {
			continue
		}
		if firstOf(h.said, i-1) == "one" { // the Friday one only
			return true
		}
		for k := i + 1; k < len(h.said) && k <= i+most; k++ {
			if theFirst[h.said[k]] || strings.HasPrefix(h.said[k], "erst") {
				return true
			}
		}
	}
	return false
}

// theFirst are words for the one trip that is booked.
var theFirst = lex.Set("one first that this way going outward there outbound mine hin hinfahrt hinweg eine einen")

// own makes the pickup the drop-off if somebody else is there and the caller is elsewhere: "my professor is waiting at
// the university, and I am at the hotel".
func (f *folder) own() {
	if f.others && f.u.Pickup.Known() && !f.u.Dropoff.Named() {
		f.u.Dropoff, f.u.Pickup, f.others = f.u.Pickup, Spot{}, false
	}
}

// undone reports whether the caller no longer wants the booked taxi, in words of no listed phrase: "she shan't be
// needing that one", "des Taxi brauch i nimmer".
func (h journeys) undone() bool {
	const most = 4
	if h.Is.IsZero() || h.ReadBack {
		return false
	}
	for i, w := range h.said {
		if next := firstOf(h.said, i+1); w == "no" && (next == "point" || next == "need" || next == "use" || next == "call") {
			return true
		}
		if next := firstOf(h.said, i+1); h.Tag == "de" && (w == "nimmer" || w == "nicht" && next == "mehr" || w == "doch" && next == "nicht") && slices.ContainsFunc(h.said, func(w string) bool { return needing[w] }) {
			return true
		}
		if !denying[w] {
			continue
		}
		for k := i + 1; k < len(h.said) && k <= i+most && !h.tokens[k].Pause; k++ {
			if next := firstOf(h.said, k+1); h.said[k] == "able" || wanted[h.said[k]] && next != "to" && next != "him" && next != "a" {
				return true
			}
		}
	}
	return false
}

var (
	denying = lex.Set("not dont wont shant cant isnt arent doesnt didnt wouldnt neednt never no nobody aint nae nicht nimmer net kein keinen")
	wanted  = lex.Set("need needs needed needing want wants wanted wanting require required requiring going go gebraucht brauche brauch brauchen benötigt nötig travelling use come coming")
)
