package grammar

import (
	"slices"
	"strings"
	"time"
)

// folder says, from left to right, what the parts of an utterance mean together.
type folder struct {
	*hearing
	u Utterance

	role    class // that the next place has; 0: none was announced
	strong  bool  // of role: it was announced for a place that is still to come
	last    class // the role of the place before
	fixed   bool  // a correction has come since
	negated bool  // what follows is not meant
	denied  int   // where the word ends that says so
	clean   bool  // nothing was doubted before
	open    bool  // "or"
	after   bool  // "and then"
	weakly  []Spot
	sure    bool // the pickup was said for sure
	before  itemKind
	end     int     // where the word ends that announced the role
	sent    bool    // a car is sent to the place that follows
	urged   When    // how quickly it has to be, which is no time beside another one
	places  []Spot  // in their order
	roles   []class // of those
}

// adjacent reports whether nothing but articles stands between the word that announced
// a place and another one.
func (f *folder) adjacent(i int) bool {
	for k := f.end; k < i; k++ {
		if !articles[f.said[k]] && !possessive[f.said[k]] && f.said[k] != "in" {
			return false
		}
	}
	return true
}

func (f *folder) fold() Utterance {
	f.u.Language = f.tag
	for i, it := range f.items {
		switch it.kind {
		case itemWords:
			f.words(it.sense, it.from, it.to)
		case itemPlace:
			f.place(it.spot)
		case itemTime:
			f.time(it.when.when, it.from)
		case itemPeople:
			if f.doubt(f.u.People > 0 && f.u.People != it.n); !f.negated {
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
	return f.u
}

// words is what words do that are no part of a trip themselves.
func (f *folder) words(s sense, begin, end int) {
	if f.negated && begin > f.denied && resumes[f.said[begin]] {
		f.negated = false // there is none, so take me to
	}
	switch s.class {
	case agrees:
		if f.sets(begin, end) {
			f.announce(from)
			f.end = end
			return
		}
		if f.negated { // not right
			f.negated = false
			f.doubt(true)
			return
		}
		f.u.Agrees = true
	case refuses:
		f.u.Acts = append(f.u.Acts, ActNo)
		f.fixed = true
		f.doubt(true)
	case negates:
		f.clean = !f.u.Doubts || f.u.Contrast
		f.negated, f.u.Doubts, f.u.Contrast, f.denied = true, true, false, end
	case corrects:
		f.fixed, f.negated, f.open = true, false, false
		f.doubt(true)
	case doubts:
		f.doubt(!f.likewise(begin, end) && !f.hasty(begin, end))
	case from, via, at, stands, to, goes:
		switch {
		case s.class == goes && f.said[end-1] != "to" && f.carIs(begin):
			f.role, f.strong = from, true
		case s.class == at && f.errand(begin):
			f.role, f.strong = to, false
		case s.class != at || !f.pending():
			f.announce(s.class)
		}
		f.end = end
	case collects:
		f.role, f.strong = from, true
	case drops:
		f.role, f.strong = to, true
	case then:
		f.after = true
	case either:
		f.open = f.u.Places() || len(f.weakly) > 0 || !f.u.When.IsZero()
	case sends:
		if f.sent = true; s.act != "" {
			f.act(s.act)
		}
	case hither, thither:
		f.there(s.class, f.said[begin:end])
	case usual:
		f.u.Usual = !f.negated
		f.negated = false
	case swaps:
		f.swap()
	case kinds:
		f.u.Category = s.category
	case asks:
		f.u.Questions = append(f.u.Questions, s.question)
	case wishes:
		if s.act == ActPerson && begin > f.denied+farthestDenied {
			f.negated = false // no machine: give me a person
		}
		if s.act == ActBook && f.tag == "de" && f.anew(begin) {
			f.negated = false // I do not know this telephone: I need a taxi
		}
		if s.act == ActCancel && ordering[f.said[begin]] {
			f.negated = false // I am not going: cancel it
		}
		if s.act == ActPerson && f.said[begin] == "mensch" && slices.ContainsFunc(f.items, func(it item) bool { return it.kind == itemPlace }) {
			return // Mensch, to the hotel
		}
		f.u.Agrees = f.u.Agrees || s.act == ActAsIs
		f.act(s.act)
	}
}

// sets reports whether "off we go" says where: "los geht's Coopers Close".
func (f *folder) sets(begin, end int) bool {
	return f.said[begin] == "los" && (f.placed(end) || f.placed(end+1))
}

// anew reports whether a German clause of its own orders a taxi, behind what was denied.
func (f *folder) anew(begin int) bool {
	i := begin - 1
	if i > 0 && articles[f.said[i]] {
		i--
	}
	return i-1 >= f.denied && needing[f.said[i]] && (f.said[i-1] == "ich" || f.said[i-1] == "wir")
}

// likewise reports whether "as well" stands at the end, where it adds nothing.
func (f *folder) likewise(begin, end int) bool {
	for _, w := range f.said[begin:end] {
		if !adding[w] {
			return false
		}
	}
	return !slices.ContainsFunc(f.said[end:], func(w string) bool { return !f.minor(w) })
}

// hasty reports whether "but" only asks for haste: "yes, but on time please".
func (f *folder) hasty(begin, end int) bool {
	if w := f.said[begin]; end != begin+1 || w != "but" && w != "aber" {
		return false
	}
	rest := f.said[end:]
	return slices.ContainsFunc(rest, func(w string) bool { return hastily[w] }) && !slices.ContainsFunc(rest, func(w string) bool { return !hastily[w] && !polite[w] })
}

var (
	hastily = set("quick quickly fast prompt promptly hurry sharpish pronto pünktlich schnell flott zügig rasch zackig dalli fix")
	polite  = set("please bitte be do really make it thanks thank you ta danke seien sie ganz recht sehr mach machen ja")
)

var adding = set("as well also too auch noch ebenfalls zusätzlich additionally")

// resumes are words behind which a negation holds no longer.
var resumes = set("so then therefore but dann also deshalb drum daher stattdessen sondern")

// ordering are verbs that are no infinitives, so that a "nicht" in front of them is of
// another clause.
var ordering = set("streich streicht stornier storniert lösch löscht cancelt vergesst annulliert")

// farthestDenied is how many words a person may be behind the word that denies one.
const farthestDenied = 3

// doubt notes a doubt, of whatever but a place that was contrasted.
func (f *folder) doubt(is bool) {
	if is {
		f.u.Doubts, f.u.Contrast = true, false
	}
}

// announce notes what the next place is. What was announced for sure stays before a
// word that only joins: "change the pickup to the station".
func (f *folder) announce(c class) {
	switch {
	case c == goes:
		f.role, f.strong = to, false
	case f.strong:
	case c == stands || c == via || c == from || c == to:
		f.role = c
	case f.role == stands && c == at:
	default:
		f.role = c
	}
}

// pending reports whether a place was announced and something else was named, at which it
// is: "to my appointment at the hospital".
func (f *folder) pending() bool {
	next := ""
	if f.end > 0 && f.end < len(f.said) {
		next = f.said[f.end]
	}
	return (f.role == to || f.role == from) && !f.strong && (possessive[next] || articles[next] && next != "and" && next != "und" || next == "einem" || next == "einer")
}

// carIs reports whether it is the taxi that is to be at a place: "the taxi to be at the
// station".
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

var cars = set("taxi cab car driver vehicle minicab")

// errand reports whether the words in front of a place say what somebody goes there for:
// "for a blood test at the surgery", "wegen einer Untersuchung im Krankenhaus".
func (f *folder) errand(i int) bool {
	const most = 4
	what := false
	for k := i - 1; k >= 0 && k >= i-most; k-- {
		switch w := f.said[k]; {
		case w == "for" || w == "fur" || w == "wegen" || w == "zu" || w == "zum" || w == "zur":
			return what
		case errands[w] || errands[strings.TrimSuffix(w, "s")] || eventNouns[w]:
			what = true
		case what && (articles[w] || possessive[w] || !f.timed(k) && !f.placed(k) && !f.things[w]):
		default:
			return false
		}
	}
	return false
}

// errands are what people go somewhere for, beside events.
var errands = set("test tests check checkup checkups operation scan scans xray visit drink drinks meal lunch tea breakfast supper injection treatment therapy physio dialysis party christening booster jab viewing session rehearsal prayers " +
	"untersuchung kontrolle behandlung operation ultraschall impfung blutabnahme besuch essen kaffee fruhstuck mittagessen abendessen feier taufe probe gottesdienst therapie dialyse besichtigung")

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

// place is a place that was named.
func (f *folder) place(s Spot) {
	role, strong := f.role, f.strong
	f.role, f.strong = 0, false
	fixed, after := f.fixed, f.after
	f.fixed, f.after = false, false
	if f.negated {
		f.negated, f.u.Contrast = false, f.clean
		f.u.Refused = append(f.u.Refused, s)
		f.last, f.fixed = cmpRole(role, f.last), true
		return
	}
	if role == at && f.before == itemRest {
		switch {
		case f.last == to && f.u.Dropoff.Named() && !f.u.Dropoff.Known():
			role = to
		case f.last == from && f.u.Pickup.Named() && !f.u.Pickup.Known():
			role = from
		}
	}
	if role == 0 && (f.u.Pickup.Known() || f.u.Dropoff.Known() || len(f.u.Bare)+len(f.weakly) > 0) && !fixed && f.street(s) {
		return // where the place is that was named before
	}
	if role == 0 && f.last != 0 && !fixed && !after && f.same(s) {
		return // the same place once more, in other words
	}
	if role == 0 && fixed {
		role = f.last
	}
	if role == 0 && after && f.last == to && f.u.Dropoff.Known() {
		role = to // to the shops and then the harbour
	} else {
		after = after && role == to
	}
	if f.open {
		s.Index = nil
	}
	f.open = false
	f.last = role
	f.places, f.roles = append(f.places, s), append(f.roles, role)
	f.doubt((role == from || role == stands) && f.u.Pickup.Known() && !overlap(f.u.Pickup, s) || role == to && !f.sent && f.u.Dropoff.Known() && !overlap(f.u.Dropoff, s))
	switch role {
	case from, stands:
		f.u.Pickup, f.sure = s, f.sure || strong || role != at
	case to:
		if f.sent && f.u.Dropoff.Known() && !f.u.Pickup.Named() && !fixed && !after {
			f.u.Pickup, f.u.Dropoff, f.sure, f.sent = f.u.Dropoff, Spot{}, true, false
		}
		if after && f.u.Dropoff.Known() {
			f.u.Stops = append(f.u.Stops, f.u.Dropoff)
		}
		f.u.Dropoff = s
	case via:
		f.u.Stops = append(f.u.Stops, s)
	case at:
		f.weakly = append(f.weakly, s)
	default:
		if fixed && len(f.u.Bare) > 0 {
			f.u.Bare = f.u.Bare[:len(f.u.Bare)-1]
		}
		if n := len(f.u.Bare); n > 0 && overlap(f.u.Bare[n-1], s) {
			f.u.Bare[n-1] = narrower(f.u.Bare[n-1], s)
			return
		}
		f.u.Bare = append(f.u.Bare, s)
	}
}

// swap turns the trip round: the one that was said just now, or else the one that was said
// before.
func (f *folder) swap() {
	if !f.u.Pickup.Known() || !f.u.Dropoff.Known() {
		f.u.Swapped = true
		return
	}
	f.u.Pickup, f.u.Dropoff = f.u.Dropoff, f.u.Pickup
	f.fixed, f.last, f.role, f.strong = false, 0, 0, false
}

// spoken is the place that "there" means: the last one that is not the other end.
func (f *folder) spoken(c class) Spot {
	other := from
	if c == hither {
		other = to
	}
	for i, place := range slices.Backward(f.places) {
		if f.roles[i] != other {
			return place
		}
	}
	if n := len(f.places); n > 0 {
		return f.places[n-1]
	}
	return Spot{}
}

// there gives the place that was named last another role: "I am staying at the hotel, take
// me there".
func (f *folder) there(c class, said []string) {
	if c == thither && f.sent && len(said) == 1 { // send one there
		c, f.sent = hither, false
	}
	s := f.spoken(c)
	f.role, f.strong, f.negated = 0, false, false
	if !s.Named() {
		return
	}
	gone := func(of Spot) bool { return of.Text == s.Text && slices.Equal(of.Index, s.Index) }
	f.u.Bare, f.weakly = slices.DeleteFunc(f.u.Bare, gone), slices.DeleteFunc(f.weakly, gone)
	for _, of := range []*Spot{&f.u.Pickup, &f.u.Dropoff} {
		if gone(*of) {
			*of = Spot{}
		}
	}
	if f.last = to; c == hither {
		f.last, f.sure = from, true
		f.u.Pickup = s
		return
	}
	f.u.Dropoff = s
}

// street reports whether a place is a street without a number.
func (f *folder) street(s Spot) bool {
	return s.House == "" && f.Gazetteer != nil && len(s.Index) > 0 && f.Gazetteer.entries[s.Index[0]].street
}

func cmpRole(a, b class) class {
	if a != 0 {
		return a
	}
	return b
}

// same makes a place that was named just now, and is named again in other words, as
// sure as both are.
func (f *folder) same(s Spot) bool {
	for _, of := range []*Spot{&f.u.Pickup, &f.u.Dropoff} {
		if (f.last == to) == (of == &f.u.Dropoff) && overlap(*of, s) {
			*of = narrower(*of, s)
			return true
		}
	}
	if n := len(f.weakly); f.last == at && n > 0 && overlap(f.weakly[n-1], s) {
		f.weakly[n-1] = narrower(f.weakly[n-1], s)
		return true
	}
	return false
}

func overlap(a, b Spot) bool {
	return slices.ContainsFunc(a.Index, func(i int) bool { return slices.Contains(b.Index, i) }) && (a.House == "" || b.House == "" || a.House == b.House)
}

// narrower is what two names of a place leave.
func narrower(a, b Spot) Spot {
	var both []int
	for _, i := range a.Index {
		if slices.Contains(b.Index, i) {
			both = append(both, i)
		}
	}
	a.Index = both
	if a.House == "" {
		a.House = b.House
	}
	return a
}

// time is a part of a time.
func (f *folder) time(w When, begin int) {
	if f.negated {
		f.negated = false
		f.fixed = true
		return
	}
	if f.open && w.Clock && f.u.When.Clock {
		f.u.When.Open = true
		return
	}
	if w.Now && w.Weak && (!f.u.When.IsZero() || len(f.u.Questions) > 0 && !sending[firstOf(f.said, begin-2)]) {
		f.u.Hurry = true
		return
	}
	if w.Urgent && (!f.u.When.IsZero() || !f.Is.IsZero()) {
		f.urged = w
		return
	}
	if (f.u.When.Weak || f.u.When.Urgent) && !w.Now {
		f.u.When = When{}
	}
	f.u.Times = append(f.u.Times, w)
	before := f.u.When
	f.u.When = w.Over(before)
	if w.Clock && before.Clock && (w.Hour != before.Hour || w.Minute != before.Minute) || w.Day && before.Day && w.Days != before.Days || w.Now != before.Now && !before.IsZero() || w.In != before.In && before.In != 0 || w.part != anytime && before.part != anytime && w.part != before.part {
		f.doubt(true) // two that differ: the later one is meant, and nobody has agreed
	}
	f.fixed = false
}

// sending are verbs that order a taxi, so that a "now" behind them is its time.
var sending = set("send book order schick schicken schickt")

// rest is a word that means nothing here. After a word that leads to a place it is the
// name of one that is not known.
func (f *folder) rest(i int) {
	it := f.items[i]
	f.u.Rest = append(f.u.Rest, it.text)
	role := f.role
	if f.negated {
		f.negated = false
		return
	}
	if role == to && f.verb(it) {
		f.role = 0
		return
	}
	if f.strong { // collect me … it is for a blood test at
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

// verb reports whether a word behind an English "to" is a verb: its object follows, as in "to
// give a lecture".
func (f *folder) verb(it item) bool {
	next := firstOf(f.said, it.to)
	return f.tag == "en" && firstOf(f.said, it.from-1) == "to" && (next == "a" || next == "an" || possessive[next])
}

// settle gives a role to the places that have none, as far as that is clear.
func (f *folder) settle() {
	f.weaklyPlaced()
	f.bare()
	if f.strong && f.role == from && !f.u.Pickup.Named() {
		f.u.Acts = append(f.u.Acts, ActPickup)
	}
	if f.strong && f.role == to && !f.u.Dropoff.Named() {
		f.u.Acts = append(f.u.Acts, ActDropoff)
	}
	if w := &f.u.When; f.tag == "en" && w.part == night && w.Day && w.Days == 0 && w.Hour == 5 && !w.exact {
		w.part = evening // five tonight
	}
	f.hurried()
	f.besides()
	if f.greeted() {
		f.u.When, f.u.Times = When{}, nil
	}
	f.moved()
	if f.needs() {
		f.u.Acts = append(f.u.Acts, ActBook)
	}
	if f.u.When.same && !f.u.When.Day { // "this time" alone is none
		f.u.When = When{}
	}
	f.u.Simply = f.simply()
	f.u.Ordinal, f.u.Number = f.ordinal(), f.soleNumber()
	f.u.Small = !f.u.Fields() && len(f.u.Acts) == 0 && len(f.u.Questions) == 0 && !f.u.Agrees && len(f.u.Rest) == 0 && len(f.u.Refused) == 0
}

// simply reports whether nothing but agreement, wishes and words that name nothing was said.
func (f *folder) simply() bool {
	for _, it := range f.items {
		switch {
		case it.kind == itemWords && (it.sense.class == agrees || it.sense.class == wishes):
		case it.kind == itemWords && it.sense.class == filler && !slices.ContainsFunc(f.said[it.from:it.to], func(w string) bool { return !pointing[w] }):
		default:
			return false
		}
	}
	return true
}

// pointing are words that stand for no part of a trip.
var pointing = set("it that so then please ta thanks thank you cheers mate love darling for me i we would like do oh well bitte danke das es so dann mal ich wir sie mir uns also na gern gerne")

// besides leaves out the time of the booking that is there, where another one is made: "as
// well as the one at seven I want one at ten".
func (f *folder) besides() {
	if !f.u.Has(ActAnother) || f.Is.IsZero() || len(f.u.Times) < 2 {
		return
	}
	left := slices.DeleteFunc(slices.Clone(f.u.Times), func(w When) bool { return w.Clock && w.Fits(f.Now, f.Is) })
	if len(left) == 0 {
		return
	}
	f.u.When = When{}
	for _, w := range left {
		f.u.When = w.Over(f.u.When)
	}
	f.u.Times = left
}

// greeted reports whether a part of the day is a greeting: the first word, without a time.
func (f *folder) greeted() bool {
	w := f.u.When
	if f.tag != "en" || w.part == anytime || w.Clock || w.Day || w.In != 0 || f.Asked == AskedTime || !f.Is.IsZero() {
		return false
	}
	return slices.ContainsFunc(f.items, func(it item) bool { return it.kind == itemTime && f.begins(it.from) })
}

// moved makes a span of time a shift, where a booking is moved by it: "push it back half an
// hour".
func (f *folder) moved() {
	w := &f.u.When
	if w.In == 0 || w.Clock || w.Day || w.Shift != 0 {
		return
	}
	sign, within := time.Duration(0), false
	for _, word := range f.said {
		switch {
		case backward[word]:
			sign = max(sign, 1)
		case forward[word]:
			sign = -1
		}
		within = within || word == "in"
	}
	if sign == 0 || within {
		return
	}
	*w = When{Shift: sign * w.In}
	f.u.Times = []When{*w}
}

// backward and forward are words that move a booking.
var (
	backward = set("push pushed delay delayed postpone postponed verschieben verschiebe schieben schieb schiebe verschoben hinten später")
	forward  = set("forward earlier sooner vorziehen vorverlegen vorverlegt früher eher")
)

// needs reports whether nothing was said but that something is needed, or is to be sent, of
// which one word at most is not known: "need wheels", "könnt ihr wen schicken".
func (f *folder) needs() bool {
	u := &f.u
	if len(u.Acts) > 0 || len(u.Questions) > 0 || u.Fields() || u.Doubts || !f.Is.IsZero() || f.Asked != AskedNothing || len(u.Rest) > 1 {
		return false
	}
	return f.sent || slices.ContainsFunc(f.said, func(w string) bool { return needing[w] })
}

var needing = set("need want after fancy send require get gimme wanna brauch brauche brauchen brauchat brauchte bräucht bräuchte bräuchten schick schicken schickt schickst will wollen möchte möchten hätte hätten hätt kannst könnt könnten")

// hurried makes haste a time, where there is no other: who agrees to a trip that is later
// only says that they are in a hurry.
func (f *folder) hurried() {
	switch {
	case f.u.When.Now && f.u.When.Weak && !f.Is.IsZero() && f.u.Agrees && !f.u.Doubts && len(f.u.Times) == 1:
		f.u.When, f.u.Times, f.u.Hurry = When{}, nil, true
		f.u.Doubts = f.nowLast() // yes, now: which is read back as it was
	case !f.u.When.IsZero():
		f.u.Hurry = f.u.Hurry || f.urged.Urgent
	case f.urged.Urgent && f.u.Agrees && !f.u.Doubts:
		f.u.Hurry = true
	case f.urged.Urgent:
		f.u.When = f.urged
		f.u.Times = append(f.u.Times, f.urged)
	case f.Asked == AskedTime && !f.u.Places() && slices.ContainsFunc(f.said, func(w string) bool { return f.clock.hurries[w] }):
		f.u.When = When{Now: true, Urgent: true}
		f.u.Times = append(f.u.Times, f.u.When)
	}
}

// nowLast reports whether nothing but politeness stands behind a "now".
func (f *folder) nowLast() bool {
	for i, w := range slices.Backward(f.said) {
		switch {
		case w == "now" || w == "jetzt":
			return yes[firstOf(f.said, i-1)]
		case w != "please" && w != "bitte" && w != "thanks" && w != "danke":
			return false
		}
	}
	return false
}

// weaklyPlaced places what was only said to be at a place: the pickup, unless that is
// said to be elsewhere, or the drop-off was asked for.
func (f *folder) weaklyPlaced() {
	for _, s := range f.weakly {
		switch {
		case f.u.Pickup.Named() && overlap(f.u.Pickup, s), f.u.Dropoff.Named() && overlap(f.u.Dropoff, s):
		case f.Asked == AskedDropoff && !f.u.Dropoff.Named():
			f.u.Dropoff = s
		case f.u.Pickup.Named() && f.sure && !f.u.Dropoff.Named():
			f.u.Dropoff = s
		case !f.u.Pickup.Known():
			f.u.Pickup = s
		}
	}
}

// bare places what was named without a word: as it was asked for, or as what is left.
func (f *folder) bare() {
	b := f.u.Bare
	switch {
	case len(b) == 0:
	case len(b) >= 2 && f.u.Dropoff.Named() && !f.u.Pickup.Named(): // one of them, and nobody knows which
		f.u.Pickup = eitherOf(b)
	case f.u.Pickup.Named() && f.u.Dropoff.Named():
		if slices.ContainsFunc(b, func(s Spot) bool { return !overlap(s, f.u.Pickup) && !overlap(s, f.u.Dropoff) }) {
			f.u.Bare = b[:1]
			return
		}
	case len(b) == 1 && (overlap(b[0], f.u.Pickup) || overlap(b[0], f.u.Dropoff)): // it was named already
	case len(b) == 1 && f.u.Dropoff.Named() && (f.u.Dropoff.Known() || f.Asked != AskedDropoff):
		f.u.Pickup = b[0]
	case len(b) == 1 && f.u.Pickup.Named():
		f.u.Dropoff = b[0]
	case len(b) >= 2 && !f.u.Dropoff.Named() && !f.u.Pickup.Named():
		f.u.Pickup, f.u.Dropoff = b[0], b[1]
	case f.Asked == AskedPickup && len(b) == 1:
		f.u.Pickup = b[0]
	case f.Asked == AskedDropoff && len(b) == 1:
		f.u.Dropoff = b[0]
	default:
		return
	}
	f.u.Bare = nil
}

// eitherOf is a spot that may be any of several.
func eitherOf(list []Spot) Spot {
	all := Spot{Text: list[0].Text, House: list[0].House}
	for _, s := range list {
		for _, i := range s.Index {
			if !slices.Contains(all.Index, i) {
				all.Index = append(all.Index, i)
			}
		}
	}
	return all
}
