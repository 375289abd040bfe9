package grammar

import (
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/people"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/times"
)

// Who orders a taxi in one sentence tells more than the order: why they are late, whom they visit, what somebody said. What such a
// sentence says of the trip is certain only where it is said plainly; whatever else it seems to say is asked.

// joining are words that begin an independent clause.
var joining = lex.Set("and so but because cos then which if when please und aber weil denn also dann wenn bitte")

// terse reports whether nobody and nothing is said to do or be something: "museum, the station, at eight".
func (h story) terse() bool {
	return !slices.ContainsFunc(h.said, func(w string) bool { return subjects[w] })
}

// subjects are words for persons and things as subjects, and their most common verbs.
var subjects = lex.Set("i im ive id ill we were weve wed its youd youll he hes she shes they theyre thats my our is are was has had says ich wir es ist sie er bin sind war hat")

var (
	fetches    = lex.Set("pick picked pickup collect collected fetch send book order hol holt holen abholen abholung schicken schick picking fetching collecting")
	leadsPlace = lex.Set("from to von vom zum zur nach ab into")
)

// story finds out which parts of an utterance tell a story rather than order a taxi.
type story struct{ *hearing }

// atFirst reports whether the utterance begins a call, or answers "Where to?" or "Where from?".
func (h story) atFirst() bool {
	return !h.ReadBack && h.Is.IsZero() && (h.Asked == AskedNothing || h.Asked == AskedDropoff || h.Asked == AskedPickup)
}

// anyDay reports whether a weekday is one of all in a clause without a time: "they do a pie on a Monday".
func (h story) anyDay(i int) bool {
	if firstOf(h.said, i-1) != "a" {
		return false
	}
	for k := h.clause(i); k < len(h.said) && (k <= i || !h.tokens[k].Pause); k++ {
		if _, n := h.reader(h.said).Number(k); n > 0 {
			return false
		}
	}
	return true
}

// toldTimes discards the times of a story: those in a clause without an order, with words that an order does not have.
// Unless another time was said, the time is asked for.
func (h story) toldTimes() {
	if !h.atFirst() || h.terse() {
		return
	}
	var told []int
	own, idle := false, !h.ordered()
	for i, it := range h.items {
		w := it.when.When
		switch {
		case it.kind != itemTime || !w.Clock && w.In == 0 && !w.Now:
		case !w.Now && (idle && w.Clock || h.isTold(it)):
			told = append(told, i)
		default:
			own = own || !w.Weak
		}
	}
	for _, i := range told {
		h.items[i].kind, h.items[i].sense = itemWords, sense{class: filler}
	}
	h.unsure = h.unsure || len(told) > 0 && !own && h.arrival.IsZero()
}

// tears reports whether a time contradicts the one before it: one of them is "now".
func (h story) tears(before times.When, p times.Piece) bool {
	now := func(w times.When) bool { return w.Now && !w.Weak && !w.Urgent }
	last := p.When.Now && p.From > 0 && (p.To == len(h.tokens) || h.tokens[p.To].Pause)
	return h.atFirst() && ((last || now(p.When)) && (before.Clock || before.In != 0) || now(before) && p.When.Clock)
}

// twoTrips reports whether a time of the clock is not one of those before it, which nothing corrects: it is that of another trip, or one of
// both is of a story.
func (h story) twoTrips(before []times.When, w times.When) bool {
	const half, near = 12 * time.Hour, 5 * time.Minute
	whole := func(w times.When) bool { return w.Clock && w.Hour != times.AnyHour }
	return h.atFirst() && whole(w) && slices.ContainsFunc(before, func(b times.When) bool {
		one, _ := b.At(h.Now, time.Time{})
		other, _ := w.At(h.Now, time.Time{})
		apart := other.Sub(one).Abs() % half
		return whole(b) && min(apart, half-apart) > near
	})
}

// fetchedOnly reports whether the taxi is ordered behind a time, and not in front of it: "I land at ten, fetch me at half past".
func (h story) fetchedOnly(behind, to int) bool {
	orders := func(w string) bool { return fetches[w] || cars[w] || w == "get" }
	return behind < to && slices.ContainsFunc(h.said[behind:to], orders) && !slices.ContainsFunc(h.said[:behind], orders)
}

// ordered reports whether a taxi is ordered: it is called one, somebody is to come, or a place stands behind "to" or "from".
// Who says nothing but plain words orders one, too.
func (h story) ordered() bool {
	told := false
	for i, w := range h.said {
		if fetches[w] || cars[w] || (leadsPlace[w] || needing[w]) && (h.placed(i+1) || h.placed(i+2)) {
			return true
		}
		told = told || h.isPart(i, itemRest) || eventNouns[strings.TrimSuffix(w, "s")]
	}
	return !told || slices.ContainsFunc(h.items, func(it item) bool { return it.kind == itemWords && it.sense.orders() })
}

// isTold reports whether a time is in a clause of a story, and not after the taxi's destination or origin. In German,
// and behind a time that comes first, the verb follows: "um elf hätten wir landen sollen", "14:05 got cancelled".
func (h story) isTold(it item) bool {
	if place := h.placeInFront(it.from); place >= 0 && leadsPlace[h.leading(h.items[place].from)] {
		return false
	}
	parts := map[part]bool{}
	k := it.from - 1
	for ; k >= 0 && !h.tokens[k+1].Pause && !joining[h.said[k]]; k-- {
		if parts[h.partOf(k)] = true; eventEnds[h.said[k]] && h.said[k] != "out" && it.when.When.Clock || h.isOf(k, refuses, corrects) { // I finish at nine; no, at nine
			return false
		}
	}
	parts[ofStory] = parts[ofStory] || somebody[firstOf(h.said, k+1)]
	first := k+1 == it.from || h.tokens[it.from].Pause || predicates[firstOf(h.said, it.to)]
	for k := it.to; (h.Tag == "de" || first) && k < len(h.said) && !h.tokens[k].Pause && !joining[h.said[k]]; k++ {
		if parts[h.partOf(k)] = true; leadsPlace[h.said[k]] {
			return false
		}
	}
	return parts[ofStory] && !parts[ofOrder] && !h.isOf(k, refuses, corrects)
}

// somebody are subjects other than the caller.
var somebody = lex.Set("they theyre he hes she shes")

// predicates are verbs after a time that is a subject: "the 14:42 is full".
var predicates = lex.Set("is was got isnt wasnt ist war")

// part is the function of a word in its clause.
type part uint8

const (
	ofEither part = iota
	ofStory
	ofOrder
)

// partOf returns whether a word orders a taxi, tells a story, or may do both.
func (h story) partOf(k int) part {
	w := h.said[k]
	i := slices.IndexFunc(h.items, func(it item) bool { return k >= it.from && k < it.to && it.kind != itemRest })
	switch {
	case fetches[w], cars[w], i >= 0 && h.items[i].kind == itemWords && h.items[i].sense.orders():
		return ofOrder
	case i >= 0 && h.items[i].kind == itemPlace && h.items[i].to == h.items[i].from+1 && eventNouns[strings.TrimSuffix(w, "s")] && !leadsPlace[h.leading(k)]: // train's at 17:12
		return ofStory
	case (i < 0 || h.items[i].kind == itemWords) && !h.plainly[w]:
		return ofStory
	}
	return ofEither
}

// placeInFront is the index of the place behind which a word stands, or behind which times stand in front of it; -1: none.
func (h story) placeInFront(i int) int {
	for {
		k := slices.IndexFunc(h.items, func(it item) bool { return it.to == i && (it.kind == itemPlace || it.kind == itemTime) })
		if k < 0 || h.items[k].kind == itemPlace {
			return k
		}
		i = h.items[k].from
	}
}

// orders reports whether a phrase orders a taxi.
func (s sense) orders() bool {
	return s.class == collects || s.class == drops || s.class == sends || s.class == wishes && s.act == ActBook
}

// disputes reports whether an answer to a read-back that is no plain yes has a number that was not read, and is not that of a time.
func (f *folder) disputes() bool {
	if !f.ReadBack || f.u.Agrees && !f.u.Doubts {
		return false
	}
	for i := range f.said {
		if n, words := f.reader(f.said).Number(i); words > 0 && n > 1 && (f.u.When.IsZero() || !f.timed(i)) && !f.wasRead(n) {
			return true
		}
	}
	return false
}

// guessed reports whether nothing says plainly which of two places is the pickup: neither stands behind "from" or "to", nor where
// the caller says to be. Of three places, the pickup has to.
func (f *folder) guessed() bool {
	if !(story{f.hearing}).atFirst() || !f.u.Pickup.Known() || !f.u.Dropoff.Known() {
		return false
	}
	other := slices.ContainsFunc(f.places, func(s Spot) bool { return s.Known() && !overlap(s, f.u.Pickup) && !overlap(s, f.u.Dropoff) })
	corrected := slices.ContainsFunc(f.items, func(it item) bool { return f.isOf(it.from, refuses, corrects) })
	return !f.endKnown && !(story{f.hearing}).terse() || other && !f.pickupKnown && !corrected && len(f.u.Stops) == 0
}

// contends empties the ends that two places contend for: two are said to be where the trip goes, or begins, and none of them
// corrects the other one; or an end was said, and another place has it.
func (f *folder) contends() {
	if !(story{f.hearing}).atFirst() || len(f.u.Stops) > 0 || len(f.u.Refused) > 0 || f.sent || slices.ContainsFunc(f.items, func(it item) bool { return f.isOf(it.from, refuses, corrects, swaps, then, negates) }) {
		return
	}
	const ends = 2
	var apart []Spot
	for i, s := range f.places {
		if f.roles[i] == to && overlap(s, f.u.Pickup) && !slices.Contains(f.roles, from) || f.roles[i] == from && overlap(s, f.u.Dropoff) { // send a taxi to the hotel, and on to the station
			return
		}
		if s.Known() && !slices.ContainsFunc(apart, func(other Spot) bool { return overlap(s, other) }) {
			apart = append(apart, s)
		}
	}
	doubtful := func(end *Spot, of ...class) {
		own, others := false, false
		for i, s := range f.places {
			if s.Known() && slices.Contains(of, f.roles[i]) {
				own, others = own || overlap(s, *end), others || !overlap(s, *end)
			}
		}
		if end.Known() && (others || len(apart) > ends && !own) {
			*end = Spot{}
		}
	}
	doubtful(&f.u.Pickup, from, stands)
	doubtful(&f.u.Dropoff, to)
}

// endSaid reports whether the words in front of a place say plainly which end it is.
func (f *folder) endSaid(it item) bool {
	if f.adjacent(it.from) && !slices.ContainsFunc(f.said[f.end:max(f.end, it.from)], func(w string) bool { return w == "and" || w == "und" }) {
		switch f.role {
		case stands:
			if slices.ContainsFunc(f.said[f.clause(it.from):it.from], func(w string) bool { return lives[w] }) {
				return false
			}
			return !slices.ContainsFunc(f.items, func(then item) bool { return then.when.When.Clock && (then.from == it.to || then.from == it.to+1) }) // to be there by then
		case from, to:
			return true
		}
	}
	return slices.ContainsFunc(f.items, func(words item) bool {
		return words.kind == itemWords && (words.sense.class == collects || words.sense.class == drops) && words.to <= it.from &&
			!slices.ContainsFunc(f.said[words.to:it.from], func(w string) bool { return !lex.Articles[w] && !people.Equates[w] && w != "at" && w != "from" })
	})
}
