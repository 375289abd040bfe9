package grammar

import (
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/times"
)

// folder combines the items of an utterance, from left to right, to its meaning.
type folder struct {
	*hearing
	u Utterance

	role        class // that the next place has; 0: none was announced
	fetched     bool  // of role: by a verb, "collect me"
	strong      bool  // of role: it was announced for a place that is still to come
	last        class // the role of the place before
	fixed       bool  // a correction has come since
	negated     bool  // what follows is not meant
	denied      int   // where the word ends that says so
	alone       int   // 1: what is not meant follows that word
	clean       bool  // nothing was doubted before
	open        bool  // "or"
	after       bool  // "and then"
	declined    int   // where a "no" ends
	fine        bool  // behind it, something was said with which it is taken back if there is a yes as well
	doubted     bool  // whether something was doubted before it
	weakly      []Spot
	sure        bool // the pickup was said for sure
	replaced    bool // a place without a role replaces another one
	others      bool // it is where somebody else is
	before      itemKind
	pair        []Spot     // "hospital to the school": the ends in so many words
	paired      bool       // of pair: nothing else was said of its pickup
	ended       int        // where the place ends that was named last
	end         int        // where the word ends that announced the role
	sent        bool       // a car is sent to the place that follows
	noDay       *int       // the day that is not meant
	timedTo     int        // where the time ends that was said last
	torn        bool       // between now and a time of the clock
	urged       times.When // how quickly it has to be, which is no time beside another one
	endKnown    bool       // words said which end a place is
	pickupKnown bool       // that it is the pickup
	places      []Spot     // in their order
	roles       []class    // of those
}

// adjacent reports whether only articles, possessives or "in" stand between word i and the words that announced the
// role of a place.
func (f *folder) adjacent(i int) bool {
	for k := f.end; k < i; k++ {
		if !lex.Articles[f.said[k]] && !lex.Possessives[f.said[k]] && f.said[k] != "in" {
			return false
		}
	}
	return true
}

func (f *folder) fold() Utterance {
	f.u.Language = f.Tag
	f.u.Company = party{f.hearing}.company()
	for i, it := range f.items {
		if f.negated && it.from >= f.denied+f.alone && f.tokens[it.from].Pause && !slices.ContainsFunc(f.said[f.denied:it.from], func(w string) bool { return hesitant[w] }) {
			f.negated = false // what was denied was in the clause before
		}
		switch it.kind {
		case itemWords:
			if i > 0 && f.isPickup(i-1) {
				continue // the airport pickup
			}
			f.words(it.sense, it.from, it.to)
		case itemPlace:
			if f.role == 0 && f.isPickup(i) {
				f.role, f.strong = from, true
			}
			f.place(it)
		case itemTime:
			f.time(it.when, it.from)
		case itemPeople:
			if f.doubt(f.u.People > 0 && f.u.People != it.n); !f.negated && (f.Asked != AskedPeople || f.u.People == 0) && (!f.ReadBack || it.n > 1 || !(journeys{f.hearing}).onlyOne() || !theFirst[f.said[it.to-1]]) {
				f.u.Company = f.u.Company || it.n < f.u.People && !f.fixed && (story{f.hearing}).atFirst() // two couples, and he is on his own
				f.u.People = it.n
			}
			f.negated = false
		case itemName:
			f.u.Name = it.text
		case itemRest:
			f.rest(i)
		}
		if it.kind != itemWords {
			f.before = it.kind
		}
	}
	f.settle()
	f.arrives()
	f.contends()
	f.u.Guessed, f.u.Disputes = f.u.Guessed || f.guessed(), f.disputes()
	return f.u
}

// hesitant are words that may stand between a negation and the word that it negates.
var hesitant = lex.Set("um uh er erm ah oh well äh ähm öh also")

// words applies a phrase that is not itself a part of the trip, such as an agreement.
func (f *folder) words(s sense, begin, end int) {
	if f.negated && (begin > f.denied || f.said[begin] == "then") && resumes[f.said[begin]] {
		f.negated = false // there is none, so take me to
	}
	switch s.class {
	case agrees:
		if f.declined > 0 && begin == f.declined && fineThen[f.said[begin]] { // no, that's fine: thanks, or go ahead
			if f.fine = true; !f.u.Agrees {
				return
			}
		}
		if f.fine { // yeah no that's fine, no that's fine yeah
			f.fine = false
			f.u.Acts = slices.DeleteFunc(f.u.Acts, func(a Act) bool { return a == ActNo })
			f.u.Doubts, f.fixed, f.negated = f.doubted, false, false
		}
		if f.negated { // not right
			f.negated = false
			f.doubt(true)
			return
		}
		f.u.Agrees = true
	case refuses:
		f.doubted, f.declined = f.u.Doubts, end
		f.u.Acts = append(f.u.Acts, ActNo)
		f.fixed = true
		f.doubt(true)
	case negates:
		if f.Tag == "de" && end < len(f.tokens) && f.tokens[end].Pause { // der Zug fährt ja gar nicht, und zwar
			return
		}
		f.clean = !f.u.Doubts || f.u.Contrast
		f.negated, f.u.Doubts, f.u.Contrast, f.denied, f.alone = true, true, false, end, btoi(end == begin+1)
	case corrects:
		f.fixed, f.negated, f.open = true, false, false
		f.doubt(true)
	case doubts:
		f.u.Hedged = true
		f.doubt(!f.likewise(begin, end))
	case from, via, at, stands, to, goes:
		if s.class == stands {
			said := f.said[f.clause(begin):end]
			f.others = !slices.ContainsFunc(said, func(w string) bool { return callers[w] || w == "bin" || w == "sind" || w == "were" || w == "am" })
			if !f.others {
				f.own()
			}
		}
		switch {
		case s.class == goes && f.said[end-1] != "to" && (f.carIs(begin) || f.said[begin] == "be" && f.served(begin)):
			f.role, f.strong = from, true
		case (s.class == goes || s.class == to) && where{f}.postposed(begin, end):
			f.end = end
			return
		case s.class == at && f.goal(begin, end):
			f.role, f.strong = to, false
		case (s.class == at || s.class == via && f.said[begin] == "stopping") && f.Asked != AskedDropoff && !f.strong && (f.role != to || f.end <= f.clause(begin)) && where{f}.present(begin):
			f.own()
			f.announce(stands)
		case s.class != at || !f.pending():
			f.announce(s.class)
		}
		f.end = end
	case collects:
		f.role, f.strong = from, true
		if f.last == to { // send a taxi to the hotel to collect me
			f.sentThere()
		}
		f.fetched = !slices.ContainsFunc(f.said[begin:end], func(w string) bool { return w == "pickup" || w == "abholung" })
	case drops:
		f.role, f.strong = to, true
	case then:
		f.after = true
	case either:
		f.open = f.u.Places() || len(f.weakly) > 0 || !f.u.When.IsZero()
	case sends:
		if f.negated && begin <= f.denied+1 { // do not send anybody
			f.negated, f.u.Acts = false, append(f.u.Acts, ActNothing)
			return
		}
		if f.sent = true; s.act != "" {
			f.act(s.act)
		}
	case hither, thither:
		f.there(s.class, f.said[begin:end])
	case usual:
		f.u.Usual, f.u.AsUsual = !f.negated, !f.negated && (f.said[begin] == "as" || f.said[begin] == "same" || f.said[begin] == "wie" || end == begin+2 && f.said[end-1] == "usual")
		f.negated = false
	case swaps:
		f.swap()
	case kinds:
		f.u.Category = s.category
	case asks:
		f.u.Questions = append(f.u.Questions, s.question)
	case wishes:
		if (s.act == ActPerson || s.act == ActBook) && begin > f.denied+farthestDenied {
			f.negated = false // no machine: give me a person; I am not used to machines I would like a taxi
		}
		if s.act == ActBook && f.Tag == "de" && f.anew(begin) {
			f.negated = false // I do not know this telephone: I need a taxi
		}
		if s.act == ActCancel && slices.ContainsFunc(f.said[end:min(end+2, len(f.said))], func(w string) bool { return eventNouns[w] && w != "booking" }) {
			return // they have cancelled our flight
		}
		if s.act == ActCancel && ordering[f.said[begin]] {
			f.negated = false // I am not going: cancel it
		}
		if s.act == ActBook && f.leadsTo(end) {
			f.sent = true // a taxi to the hotel, and home to
		}
		f.u.Agrees = f.u.Agrees || s.act == ActAsIs
		f.act(s.act)
	}
}

// leadsTo reports whether a word that leads to a drop-off begins at a word.
func (f *folder) leadsTo(i int) bool {
	return slices.ContainsFunc(f.items, func(it item) bool { return it.from == i && it.kind == itemWords && it.sense.class == to })
}

// fineThen are first words of an agreement that cancels a "no" before it: "no, that's fine".
var fineThen = lex.Set("thats that its its all ist das passt alles stimmt")

// anew reports whether a German clause of its own orders a taxi, behind what was denied.
func (f *folder) anew(begin int) bool {
	i := begin - 1
	if i > 0 && lex.Articles[f.said[i]] {
		i--
	}
	return i-1 >= f.denied && needing[f.said[i]] && (f.said[i-1] == "ich" || f.said[i-1] == "wir")
}

// likewise reports whether "as well" stands at the end, where it adds nothing.
func (f *folder) likewise(begin, end int) bool {
	more := func(w string) bool { return !adding[w] && !f.minor(w) }
	return adding[f.said[begin]] && !slices.ContainsFunc(f.said[begin:], more) && adding[f.said[end-1]]
}

var adding = lex.Set("as well also too auch noch ebenfalls zusätzlich additionally")

// resumes are words that end a negation.
var resumes = lex.Set("just so then therefore but dann also deshalb drum daher stattdessen sondern")

// ordering are German verb forms that are no infinitives: a "nicht" before one is in another clause.
var ordering = lex.Set("streich streicht stornier storniert lösch löscht cancelt vergesst annulliert")

// farthestDenied is the most words between a negation and the person or taxi that it negates.
const farthestDenied = 3

// doubt marks the utterance as doubtful if is is true.
func (f *folder) doubt(is bool) {
	if is {
		f.u.Doubts, f.u.Contrast = true, false
	}
}

// announce sets the role of the next place. A certain role is not changed by a mere preposition: "change the pickup to
// the station".
func (f *folder) announce(c class) {
	switch {
	case c == goes:
		f.role, f.strong = to, false
	case f.strong && c == to && f.role == from && f.fetched && (f.u.Pickup.Known() || len(f.weakly) > 0):
		f.role, f.strong = to, false // I am at the town hall, collect me and then to the university
	case f.strong:
	case c == stands || c == via || c == from || c == to:
		f.role = c
	case f.role == stands && c == at:
	default:
		f.role = c
	}
}

// pending reports whether a role was announced and a noun other than a place follows: "to my appointment at the
// hospital".
func (f *folder) pending() bool {
	next := ""
	if f.end > 0 && f.end < len(f.said) {
		next = f.said[f.end]
	}
	return (f.role == to || f.role == from) && !f.strong && (lex.Possessives[next] || lex.Articles[next] && next != "and" && next != "und" || next == "einem" || next == "einer")
}

// carIs reports whether the taxi, not the caller, is to be at a place: "the taxi to be at the station".
func (f *folder) carIs(begin int) bool {
	const most = 2
	if f.said[begin] != "to" && f.said[begin] != "be" {
		return false
	}
	for k := begin - 1; k >= 0 && k >= begin-most; k-- {
		if cars[f.said[k]] {
			return true
		}
	}
	return false
}

// goal reports whether the caller has to be at a place, or an event is there: "wir müssen am Hafen sein", "my
// appointment at the hospital is at four".
func (f *folder) goal(begin, end int) bool {
	i := slices.IndexFunc(f.items, func(it item) bool { return it.kind == itemPlace && it.from >= end && it.from <= end+1 })
	if i < 0 {
		return false
	}
	next := firstOf(f.said, f.items[i].to)
	to := f.items[i].to
	for f.Tag == "de" && to+1 < len(f.said) && !f.tokens[to+1].Pause {
		to++
	}
	if end := firstOf(f.said, to); next == "sein" || next == "ankommen" || next == "eintreffen" || end == "sein" && !f.tokens[to].Pause {
		return slices.ContainsFunc(f.said[:begin], func(w string) bool { return obliged[w] })
	}
	what := firstOf(f.said, begin-1)
	if what == "arriving" || what == "arrive" || whom[what] && (firstOf(f.said, begin-2) == "have" || calling[firstOf(f.said, begin-2)]) {
		return true
	}
	if eventNouns[what] && (lex.Articles[firstOf(f.said, begin-2)] || lex.Possessives[firstOf(f.said, begin-2)]) && !eventEnds[next] && !beside[firstOf(f.said, begin-3)] {
		return true // a scan at the hospital
	}
	if said := f.said[f.clause(begin):begin]; slices.ContainsFunc(f.items, func(it item) bool {
		return !it.when.When.IsZero() && it.from < begin && it.from >= f.clause(begin) || it.kind == itemWords && it.to == begin && f.said[it.from] == "is"
	}) && slices.ContainsFunc(said, func(w string) bool { return eventNouns[w] || eventNouns[strings.TrimSuffix(w, "s")] }) &&
		!slices.ContainsFunc(said, func(w string) bool {
			return eventEnds[w] || beside[w] && w != "on" && w != "by" && w != "at" || pastVerbs[w] || callers[w] && w != "im" || fetching[w] || w == "from"
		}) {
		return true // the wedding is on Saturday in the hotel
	}
	return (eventNouns[what] || eventNouns[strings.TrimSuffix(what, "s")]) && (next == "is" || next == "starts" || next == "begins" || next == "ist" || next == "beginnt")
}

// beside are words in front of an event that the caller is or was at.
var beside = lex.Set("at from after left leaving finished finish finishing end of with during on in by off")

// obliged are German verbs for what must or should be.
var obliged = lex.Set("muss müssen mussen soll sollen sollte sollten will wollen möchte möchten")

func (f *folder) act(a Act) {
	if f.negated {
		f.negated = false
		switch a {
		case ActCancel:
			a = ActKeep
		case ActBook, ActAnother:
			a = ActNothing
		case ActChange, ActPerson:
			return
		}
	}
	f.u.Acts = append(f.u.Acts, a)
}

// time adds a part of a time to the utterance's time, or discards it.
func (f *folder) time(p times.Piece, begin int) {
	w := p.When
	if w.Day && f.noDay != nil && *f.noDay == w.Days {
		w.Day, w.Days, w.Undated = false, 0, true // not this Friday, next Friday
	}
	if f.negated {
		f.negated = false
		f.fixed = true
		if w.Day {
			f.noDay = &w.Days
		}
		return
	}
	if f.open && w.Clock && f.u.When.Clock {
		f.u.When.Open = true
		return
	}
	if p.To == p.From+1 && w.Clock && w.Minute == 0 && w.Hour == f.u.People && firstOf(f.said, p.From-1) == "is" && firstOf(f.said, p.From-2) == "that" {
		return // for six people, that is six
	}
	f.torn = f.torn || (story{f.hearing}).tears(f.u.When, p) || !f.fixed && !p.Plain && !(story{f.hearing}).fetchedOnly(f.timedTo, p.From) && (story{f.hearing}).twoTrips(f.u.Times, w)
	if w.Now && w.Weak && (!f.u.When.IsZero() || len(f.u.Questions) > 0 && !sending[firstOf(f.said, begin-2)]) {
		f.u.Hurry = true
		return
	}
	if f.u.When.Now && w.Day && w.Days == 0 && !w.Clock {
		return // now: I am at the museum today
	}
	if w.Now && !w.Weak && f.u.When.Clock && !f.fixed && !f.u.Doubts {
		f.u.Hurry = true // at ten past eight, as soon as I have my coat on
		return
	}
	if w.Urgent && (!f.u.When.IsZero() || !f.Is.IsZero()) {
		f.urged = w
		return
	}
	if (f.u.When.Weak || f.u.When.Urgent) && !w.Now {
		f.u.When = times.When{}
	}
	if p.Plain && !f.fixed && w.Minute == 0 && f.u.When.In > 0 && f.u.When.In == time.Duration(w.Hour)*time.Minute {
		return // twenty minutes, call it twenty
	}
	if minutes := f.u.When.In; p.Plain && minutes > 0 && minutes < time.Hour && w.Minute == 0 { // in ten minutes, make that twenty
		w = times.When{In: time.Duration(w.Hour) * time.Minute}
	}
	f.u.Times = append(f.u.Times, w)
	before := f.u.When
	if f.aside(before, p) { // at ten in the morning, in the evening I have the flight
		f.u.Times = f.u.Times[:len(f.u.Times)-1]
		return
	}
	if w.Day && before.Day && !f.fixed && !f.u.Doubts && w.Days < before.Days && (before.Days-w.Days)%7 == 0 && slices.Contains(f.Clock.Weekdays, f.said[p.From]) {
		w.Day, w.Days = false, 0 // the twenty-first, a Saturday
	}
	if w.Day && before.Day && w.Days != before.Days && w.Days%7 != 0 && before.Days != 0 && !before.Gone && !f.fixed && !f.u.Doubts && (story{f.hearing}).atFirst() {
		w.Day, w.Days, w.Undated = false, 0, true // I fly tomorrow, and am back on Friday
	}
	f.u.When, f.timedTo = w.Over(before), p.To
	if w.Clock && before.Clock && (w.Hour != before.Hour || w.Minute != before.Minute) || w.Day && before.Day && w.Days != before.Days || w.Now != before.Now && !before.IsZero() || w.In != before.In && before.In != 0 || w.Part != times.Anytime && before.Part != times.Anytime && w.Part != before.Part {
		f.doubt(true) // two that differ: the later one is meant, and nobody has agreed
	}
	f.fixed = f.fixed && before.IsZero()
}

// aside reports whether a part of a time contradicts an earlier complete time from another clause, and is not a
// correction.
func (f *folder) aside(before times.When, p times.Piece) bool {
	w := p.When
	if f.fixed || f.ReadBack || !f.Is.IsZero() || p.From == 0 || f.clause(p.From) < f.timedTo || f.Asked == AskedTime || !f.telling(p.From) {
		return false
	}
	if before.Now && !before.Weak && !before.Urgent {
		return w.In != 0
	}
	if first := f.said[f.clause(p.From)]; w.Day && !w.Clock && before.Day && (first == "which" || first == "thats" || first == "das") {
		return (w.Days-before.Days)%7 == 0 // the twenty third, which is a Monday
	}
	return before.Clock && !w.Clock && w.In == 0 && !w.Now && (w.Day && before.Day && w.Days != before.Days || w.Part != times.Anytime && before.Part != times.Anytime && w.Part != before.Part || w.Day && before.Part != times.Anytime && before.Day)
}

// telling reports whether the clause of a word has no time of the clock and is about more than a day.
func (f *folder) telling(i int) bool {
	others := 0
	for k := f.clause(i); k < len(f.said) && (k <= i || !f.tokens[k].Pause); k++ {
		switch {
		case slices.ContainsFunc(f.items, func(it item) bool { return it.kind == itemTime && it.when.When.Clock && k >= it.from && k < it.to }):
			return false
		case !f.timed(k) && !hesitant[f.said[k]]:
			others++
		}
	}
	return others > 1
}

// sending are verbs that order a taxi; a "now" after one is the time.
var sending = lex.Set("send book order schick schicken schickt")

// rest stores an unknown word. After a preposition for a place, it becomes the name of an unknown place.
func (f *folder) rest(i int) {
	const shortest = 3
	it := f.items[i]
	f.u.Rest = append(f.u.Rest, it.text)
	role := f.role
	if f.negated {
		f.negated = false
		if n, words := f.reader([]string{it.text}).Number(0); words == 1 && f.u.When.Clock && f.u.When.Minute == 0 && (n == f.u.When.Hour || n+12 == f.u.When.Hour) {
			f.u.When, f.u.Times, f.fixed = times.When{}, nil, true // at four, no, scrap four
		}
		return
	}
	if role == to && f.verb(it) {
		f.role = 0
		return
	}
	if f.strong && len(it.text) > shortest { // collect me … it is for a blood test at
		f.role, f.strong = 0, false
	}
	if f.Asked == AskedName || role == 0 || role == at || role == stands || !f.adjacent(it.from) {
		return
	}
	f.end = it.to
	s := Spot{Text: it.text}
	switch {
	case f.last == role && f.before == itemRest && role == to && f.u.Dropoff.Named() && !f.u.Dropoff.Known() && !f.fixed:
		f.u.Dropoff.Text += " " + it.text
	case f.last == role && f.before == itemRest && role == from && f.u.Pickup.Named() && !f.u.Pickup.Known() && !f.fixed:
		f.u.Pickup.Text += " " + it.text
	case role == to && !f.u.Dropoff.Known():
		f.u.Dropoff = s
	case role == from && !f.u.Pickup.Known():
		f.u.Pickup = s
	}
	f.last = role
}

// verb reports whether a word after an English "to" is a verb because an object follows: "to give a lecture".
func (f *folder) verb(it item) bool {
	next := firstOf(f.said, it.to)
	return f.Tag == "en" && firstOf(f.said, it.from-1) == "to" && (next == "a" || next == "an" || lex.Possessives[next])
}
